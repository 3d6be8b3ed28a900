package dev.parley.application.gateway;

import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.Authorization;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Asks who may talk, and lets what comes from one chat on in the order in which it came. An authorization that may block is asked beside
 * the platform's thread and with a deadline, about several messages at once; nobody passes of whom it has not said so in time. Safe for
 * concurrent use.
 */
final class Entrance {
    private static final String FAILED = "Nobody could say in time who may talk; the message was refused.";

    private final Authorization authorization;
    private final TimedCalls calls;
    private final Map<Chat, CompletableFuture<Void>> latest = new ConcurrentHashMap<>();

    /**
     * Asks an authorization.
     *
     * @param authorization says who may talk, under its guard
     * @param calls ask it where it may block
     */
    Entrance(Authorization authorization, TimedCalls calls) {
        this.authorization = authorization;
        this.calls = calls;
    }

    private record Chat(Platform platform, String id) {}

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
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        inOrder(source, answer, then);
        calls.ask(Optional.empty(), FAILED, () -> authorization.mayTalk(source), false, answer::complete);
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
            inOrder(source, CompletableFuture.completedFuture(true), passed -> then.run());
        }
    }

    private void inOrder(SessionSource source, CompletableFuture<Boolean> answer, Consumer<? super Boolean> then) {
        Chat chat = new Chat(source.platform(), source.chatId());
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> before =
                Optional.ofNullable(latest.put(chat, mine)).orElseGet(() -> CompletableFuture.completedFuture(null));
        var unused = before.thenAcceptBoth(answer, (told, may) -> {
            try {
                then.accept(may);
            } finally {
                mine.complete(null);
                latest.remove(chat, mine);
            }
        });
    }
}
