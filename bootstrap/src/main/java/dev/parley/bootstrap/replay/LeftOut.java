package dev.parley.bootstrap.replay;

import dev.parley.application.store.Explanation;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds what of a lane's past a scenario cannot hold although it had a part in what was decided, so that the file can say so itself. Each is
 * a sentence with the latest time at which it was so. What is stored nowhere, such as background processes, cannot be found either.
 *
 * @param times how times are written
 * @param policy the reset policy that the lane has now
 */
record LeftOut(LocalTimes times, ResetPolicy policy) {
    /** A platform that takes a message later than this was away. */
    private static final Duration PROMPT = Duration.ofSeconds(30);

    /** Returns the sentences; empty where nothing was found. */
    List<String> of(List<LaneEvent> history, List<Inbound> inputs, List<Outgoing> outgoing) {
        List<String> found = new ArrayList<>();
        Optional<Instant> first = inputs.stream().map(Inbound::receivedAt).min(Instant::compareTo);
        last(history, event -> first.filter(at -> !event.at().isBefore(at)).isEmpty())
                .ifPresent(at -> found.add(first.map(begin -> "what was before " + times.text(begin)
                                + " is older than the messages that are kept; the lane begins without it")
                        .orElse("its messages are older than what is kept; nothing of it happens")));
        last(history, this::isDecidedOtherwise)
                .ifPresent(at ->
                        found.add("the reset policy was another one at " + times.text(at) + "; here today's decides"));
        last(history, LeftOut::isCrash)
                .ifPresent(at -> found.add("how long the tools of a turn that a crash cut off before " + times.text(at)
                        + " had gone on; the turn counts as alive until its last message or word"));
        last(history, event -> event.kind() == LaneEvent.Kind.MARKED)
                .ifPresent(at -> found.add("when the platform was connected after the start that found work cut off at "
                        + times.text(at) + "; here it is connected at once"));
        last(history, event -> isResumedByItsId(event, inputs))
                .ifPresent(at -> found.add("the session that was resumed by its id at " + times.text(at)
                        + "; sessions have other ids here"));
        outgoing.stream()
                .filter(LeftOut::isLate)
                .map(Outgoing::createdAt)
                .max(Instant::compareTo)
                .ifPresent(at -> found.add("the platform took a message late, or at a second attempt, at "
                        + times.text(at) + "; here it takes every message at once"));
        return found;
    }

    private static Optional<Instant> last(List<LaneEvent> history, Predicate<LaneEvent> which) {
        return history.stream().filter(which).map(LaneEvent::at).max(Instant::compareTo);
    }

    /** Returns whether a decision stood on a policy that would be another one now. */
    private boolean isDecidedOtherwise(LaneEvent event) {
        boolean daily = policy.mode().includesDaily();
        boolean idle = policy.mode().includesIdle();
        return differs(event, Explanation.POLICY, policy.mode().name().toLowerCase(Locale.ROOT), true)
                || differs(event, Explanation.AT_HOUR, String.valueOf(policy.atHour()), daily)
                || differs(event, Explanation.IDLE, policy.idle().toString(), idle);
    }

    private static boolean differs(LaneEvent event, String name, String now, boolean counts) {
        return counts
                && Optional.ofNullable(event.inputs().get(name))
                        .filter(then -> !then.equals(now))
                        .isPresent();
    }

    private static boolean isCrash(LaneEvent event) {
        return event.kind() == LaneEvent.Kind.MARKED && event.reason().equals(ResumeReason.RESTART_INTERRUPTED.text());
    }

    private static boolean isResumedByItsId(LaneEvent event, List<Inbound> inputs) {
        return event.kind() == LaneEvent.Kind.SWITCHED
                && event.to()
                        .filter(id -> inputs.stream()
                                .filter(input -> input.kind() == Inbound.Kind.COMMAND)
                                .anyMatch(input -> input.text().contains(id.value())))
                        .isPresent();
    }

    private static boolean isLate(Outgoing message) {
        return message.attempts() > 1
                || message.delivery()
                        .attemptedAt()
                        .filter(at -> at.isAfter(message.createdAt().plus(PROMPT)))
                        .isPresent();
    }
}
