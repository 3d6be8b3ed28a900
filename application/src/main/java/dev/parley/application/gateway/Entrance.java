package dev.parley.application.gateway;

import dev.parley.application.guard.Guard;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.Authorization;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks who may talk, and lets what comes from one chat on in the order in which it came. An authorization that may block is asked beside
 * the platform's thread and with a deadline, about several messages at once; nobody passes of whom it has not said so in time. Safe for
 * concurrent use.
 */
final class Entrance {
    private static final String FAILED = "Nobody could say in time who may talk; the message was refused.";

    private final Authorization authorization;
    private final TimedCalls calls;
    private final Guard guard;
    /** The chats of which something waits. It and the lines in it are touched under its lock only. */
    private final Map<Chat, Line> lines = new HashMap<>();

    /**
     * Asks an authorization.
     *
     * @param authorization says who may talk, under its guard
     * @param calls ask it where it may block
     * @param guard tells what those throw who are told behind others
     */
    Entrance(Authorization authorization, TimedCalls calls, Guard guard) {
        this.authorization = authorization;
        this.calls = calls;
        this.guard = guard;
    }

    private record Chat(Platform platform, String id) {
        static Chat of(SessionSource source) {
            return new Chat(source.platform(), source.chatId());
        }
    }

    /** What was asked about one chat and is not let on yet, in order. */
    private static final class Line {
        final Deque<Asked> waiting = new ArrayDeque<>();
        boolean moves;
    }

    /** Something that was asked, and the answer once it is there. */
    private static final class Asked {
        final Consumer<? super Boolean> then;
        Optional<Boolean> answer = Optional.empty();

        Asked(Consumer<? super Boolean> then) {
            this.then = then;
        }
    }

    /** Returns whether {@link #ask} answers before it returns. */
    boolean answersAtOnce() {
        return authorization.neverBlocks();
    }

    /** Asks whether somebody may talk; {@code then} is told once, behind everything that was asked about their chat before. */
    void ask(SessionSource source, Consumer<? super Boolean> then) {
        if (answersAtOnce()) {
            then.accept(authorization.mayTalk(source));
            return;
        }
        Consumer<Boolean> answered = queue(Chat.of(source), then);
        calls.ask(Optional.empty(), FAILED, () -> authorization.mayTalk(source), false, answered);
    }

    /** Asks how somebody is let in who may not talk; {@code then} is told once, on any thread, and absent where nobody could say so in time. */
    void invite(SessionSource source, Consumer<? super Optional<String>> then) {
        calls.ask(
                Optional.empty(),
                "Nobody could say in time how to be let in.",
                () -> authorization.invitation(source),
                Optional.empty(),
                then);
    }

    /** Lets something on about which nobody need be asked, behind everything that was asked about its chat before. */
    void pass(SessionSource source, Runnable then) {
        if (answersAtOnce()) {
            then.run();
        } else {
            queue(Chat.of(source), passed -> then.run()).accept(true);
        }
    }

    /** Puts something behind what waits of its chat; returns what takes the answer. */
    private Consumer<Boolean> queue(Chat chat, Consumer<? super Boolean> then) {
        Asked asked = new Asked(then);
        synchronized (lines) {
            Line line = lines.computeIfAbsent(chat, unused -> new Line());
            line.waiting.add(asked);
            return answer -> answered(chat, line, asked, answer);
        }
    }

    /** Takes an answer, and lets on what waited for it, one after the other, unless another thread is at that. */
    private void answered(Chat chat, Line line, Asked asked, boolean answer) {
        synchronized (lines) {
            asked.answer = Optional.of(answer);
            if (line.moves) {
                return;
            }
            line.moves = true;
        }
        for (@Nullable Runnable next = next(chat, line); next != null; next = next(chat, line)) {
            guard.run(Optional.empty(), "What came from a chat could not be let on.", next);
        }
    }

    /** Returns what is let on next; null where nothing is now: what comes after is let on by whoever brings the answer to it. */
    private @Nullable Runnable next(Chat chat, Line line) {
        synchronized (lines) {
            Asked first = line.waiting.peek();
            line.moves = first != null && first.answer.isPresent();
            if (first == null) {
                lines.remove(chat, line);
                return null;
            }
            if (!line.moves) {
                return null;
            }
            line.waiting.remove();
            boolean may = first.answer.orElseThrow();
            return () -> first.then.accept(may);
        }
    }
}
