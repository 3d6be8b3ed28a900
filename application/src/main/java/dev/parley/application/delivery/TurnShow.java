package dev.parley.application.delivery;

import dev.parley.application.ability.Previewing;
import dev.parley.application.ability.Previewing.Preview;
import dev.parley.application.ability.Reacting;
import dev.parley.application.ability.Reacting.Mark;
import dev.parley.application.ability.Typing;
import dev.parley.application.actor.Actor;
import dev.parley.application.actor.ActorHost;
import dev.parley.application.actor.Timing;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Timers;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What people see of one turn while it runs: that somebody writes, the answer as far as it is there, a mark on their message. All of it
 * is best effort; what fails is told to the operator once for each turn and never holds the turn up. That somebody writes and the mark are
 * shown beside the rest, by a {@link TypingShow} and a {@link MarkShow}. The answer is shown once nothing older waits for its chat or is
 * still on its way there, so that people see no answer above the one before it. The id of the message that shows the answer is stored
 * before the message is edited, so that the answer finds it after a crash.
 */
final class TurnShow extends Actor {
    /** Fewer new characters are not worth an edit. */
    private static final int WORTH_SHOWING = 24;

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final int STRIKES = 3;

    private final Timing timing;
    private final Shown what;
    private final TypingShow typing;
    private final Optional<Previewing> previewing;
    private final MarkShow marks;
    private final BooleanSupplier isNext;
    private final AtomicBoolean told = new AtomicBoolean();
    private final StringBuilder text = new StringBuilder();
    private Optional<String> message;
    private int shown;
    private int strikes;
    private boolean over;
    private volatile boolean ended;
    private Instant next = Instant.EPOCH;
    private Duration pause = LONGEST_PAUSE;
    private Timers.@Nullable Timer previewAgain;

    TurnShow(
            ActorHost host,
            Shown what,
            Optional<Typing> typing,
            Optional<Previewing> previewing,
            Optional<Reacting> reacting,
            BooleanSupplier isNext,
            Consumer<? super Actor> gone) {
        super(host, Optional.of(what.lane()), gone);
        this.timing = host.timing();
        this.what = what;
        this.typing = new TypingShow(host, what, typing, this::failed);
        this.previewing = previewing;
        this.marks = new MarkShow(host, what, reacting, this::failed);
        this.isNext = isNext;
        this.message = what.before();
    }

    @Override
    protected boolean isIdle() {
        return over;
    }

    @Override
    protected void faulted(Throwable failure) {
        over = true;
        typing.post(typing::end);
        marks.post(marks::end);
    }

    /** The turn has begun. */
    void begin() {
        previewing.flatMap(p -> quietly(() -> Optional.of(p.previewPause()))).ifPresent(own -> pause = own);
        if (message.isPresent()) {
            // The turn that was cut off left a message: it belongs to this turn from now on.
            commit(List.of(), List.of(what.shownBy(message.get())), stored -> then(this::works));
        } else {
            works();
        }
        marks.post(() -> marks.mark(Mark.RECEIVED));
    }

    /** The agent has said more. */
    void said(String delta) {
        text.append(delta);
        preview();
    }

    /** What the agent says from now on is another text: it has asked for tools in between. */
    void begunAnew() {
        text.setLength(0);
        shown = 0;
    }

    /** The agent waits for an answer of its people: nobody writes meanwhile. */
    void waits() {
        typing.post(typing::pause);
    }

    /** The agent works again. */
    void works() {
        typing.post(typing::begin);
    }

    private void preview() {
        boolean worth = text.length() - shown >= (shown == 0 ? 1 : WORTH_SHOWING);
        if (over || previewing.isEmpty() || strikes >= STRIKES || !worth || previewAgain != null) {
            return;
        }
        Duration wait = Duration.between(timing.now(), next);
        if (wait.compareTo(Duration.ZERO) > 0) {
            previewAfter(wait);
        } else if (message.isEmpty() && !isNext.getAsBoolean()) {
            previewAfter(pause);
        } else {
            show(previewing.get());
        }
    }

    private void previewAfter(Duration wait) {
        previewAgain = later(wait, () -> {
            previewAgain = null;
            preview();
        });
    }

    private void show(Previewing platform) {
        int length = text.length();
        Optional<String> before = message;
        try {
            message = platform.preview(new Preview(what.turn(), what.to(), what.replyTo(), before, text.toString()))
                    .or(() -> before);
            strikes = 0;
            shown = length;
            next = timing.now().plus(pause);
        } catch (RuntimeException e) {
            boolean known = e instanceof DeliveryFailed;
            // Where a first message may be there without its id being known, a second one would double it.
            strikes = known || before.isPresent() ? strikes + 1 : STRIKES;
            pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
            Duration asked = known ? ((DeliveryFailed) e).retryAfter().orElse(Duration.ZERO) : Duration.ZERO;
            next = timing.now().plus(asked.compareTo(pause) > 0 ? asked : pause);
            failed("The answer is not shown while it is written.", e);
            return;
        }
        if (before.isEmpty() && message.isPresent()) {
            commit(List.of(), List.of(what.shownBy(message.get())), stored -> then(this::preview));
        }
    }

    /** Notes that the turn has ended, from any thread: something that it showed may still be on its way. */
    void ended() {
        ended = true;
    }

    /** Returns whether this shows another turn of a lane, which has ended. */
    boolean isEnded(SessionKey lane, TurnId other) {
        return ended && what.lane().equals(lane) && !what.turn().equals(other);
    }

    /** The turn has ended: nothing more is shown. */
    void end(Mark mark) {
        if (over) {
            return;
        }
        over = true;
        if (previewAgain != null) {
            previewAgain.cancel();
        }
        typing.post(typing::end);
        marks.post(() -> {
            marks.mark(mark);
            marks.end();
        });
    }

    /** Tells, once nothing is being shown any more, which message shows the answer. */
    void settled(Consumer<Optional<String>> then) {
        over = true;
        typing.post(typing::end);
        marks.post(marks::end);
        then.accept(message);
    }

    private void failed(String consequence, RuntimeException e) {
        if (told.compareAndSet(false, true)) {
            tell(consequence, e);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static <T> Optional<T> quietly(Supplier<Optional<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }
}
