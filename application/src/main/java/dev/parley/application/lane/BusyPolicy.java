package dev.parley.application.lane;

import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandTable;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.Received;
import dev.parley.application.settings.Busy;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.Spans;
import dev.parley.domain.turn.Attachment;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * What a message does to a lane on which something runs (Q8.10 to Q8.12). A turn that resumes after a restart is not disturbed:
 * messages of its lane wait, and nothing is said (P7.27). Pure.
 */
final class BusyPolicy {
    private static final String COMPRESSING =
            "The conversation is being compressed. Your message is queued; /stop cancels.";
    private static final int STALE_AFTER = 10;
    private static final Duration STALE_AT_LEAST = Duration.ofHours(2);
    private static final Duration ACK_PAUSE = Duration.ofSeconds(30);
    private static final Duration TOLD_AFTER = Duration.ofMinutes(1);

    private BusyPolicy() {}

    /** What a message does. */
    sealed interface Reaction {
        /** It waits, and nothing is said. */
        record Waits() implements Reaction {}

        /** It waits, and its sender is told so. */
        record Told(String text) implements Reaction {}

        /** It waits, and the agent is asked to end. */
        record Interrupts(String text) implements Reaction {}

        /** It is handed to the agent. */
        record Steers() implements Reaction {}

        /** It answers what the agent has asked. */
        record Answers() implements Reaction {}

        /** It waits, and the turn is given up. */
        record GivesUp() implements Reaction {}
    }

    /** Returns what a message does to a lane as it is now. */
    static Reaction reaction(
            LaneState state,
            Received message,
            Optional<Standstill> standstill,
            Optional<Glance> glance,
            Busy busy,
            Duration timeout,
            Instant now) {
        boolean answers = isAnswer(state, message);
        if (standstill.isPresent() && !answers) {
            return new Reaction.Told(standstill.get().told());
        }
        if (state.slot().isSummarising()) {
            return new Reaction.Told(COMPRESSING);
        }
        Optional<TurnWork> active = state.slot().active();
        if (active.isEmpty()) {
            return new Reaction.Waits();
        }
        if (answers) {
            return new Reaction.Answers();
        }
        TurnWork turn = active.get();
        if (glance.filter(g -> isStale(turn, g, timeout, now)).isPresent()) {
            return new Reaction.GivesUp();
        }
        if (turn.plan().resumes() || message.attachments().stream().anyMatch(Attachment::isPhoto)) {
            return new Reaction.Waits();
        }
        return switch (busy.mode(message.attachments().isEmpty())) {
            case INTERRUPT ->
                isOneThought(turn, message, busy, now)
                        ? new Reaction.Waits()
                        : interrupting(glance, detail(turn, glance, message, busy, now));
            case QUEUE -> waiting(detail(turn, glance, message, busy, now));
            case STEER ->
                message.text().isBlank() || glance.isEmpty()
                        ? waiting(detail(turn, glance, message, busy, now))
                        : new Reaction.Steers();
        };
    }

    private static Reaction waiting(String detail) {
        return new Reaction.Told(CommandOutcome.Enqueue.WAITS + detail);
    }

    /** Returns what each acknowledgement says of a task that has run for a while; nothing of one that has just begun (Q8.12). */
    private static String detail(TurnWork turn, Optional<Glance> glance, Received message, Busy busy, Instant now) {
        Duration since = Duration.between(turn.plan().turn().startedAt(), now);
        boolean wanted = busy.detail() == Busy.Detail.ALWAYS
                || (busy.detail() == Busy.Detail.AUTO
                        && !message.source().platform().equals(Platform.TELEGRAM));
        return wanted && since.compareTo(TOLD_AFTER) >= 0
                ? " It has run for " + Spans.inWords(since)
                        + glance.flatMap(Glance::doing).map(what -> ": " + what).orElse("") + "."
                : "";
    }

    private static Reaction interrupting(Optional<Glance> glance, String detail) {
        Optional<AgentRun.Engagement> engaged = glance.flatMap(Glance::engagement);
        if (engaged.isPresent()) {
            return new Reaction.Told(
                    switch (engaged.get()) {
                        case DELEGATING ->
                            "The task has others working for it. Your message is queued; /stop ends the task." + detail;
                        case COMPRESSING -> COMPRESSING + detail;
                    });
        }
        return new Reaction.Interrupts("Interrupting the running task for your message." + detail);
    }

    /** Returns whether a turn is given up because somebody writes: it does nothing, or has run for far too long (Q8.9). */
    private static boolean isStale(TurnWork turn, Glance glance, Duration timeout, Instant now) {
        if (timeout.isZero() || timeout.isNegative()) {
            return false;
        }
        Duration most = timeout.multipliedBy(STALE_AFTER);
        return Duration.between(glance.lastActivity(), now).compareTo(timeout) >= 0
                || Duration.between(turn.plan().turn().startedAt(), now)
                                .compareTo(most.compareTo(STALE_AT_LEAST) < 0 ? STALE_AT_LEAST : most)
                        > 0;
    }

    /** Telegram cuts long texts up: what follows at once belongs to what was said, and waits instead of interrupting (Q8.11). */
    private static boolean isOneThought(TurnWork turn, Received message, Busy busy, Instant now) {
        Duration since = Duration.between(turn.plan().turn().startedAt(), now);
        return message.source().platform().equals(Platform.TELEGRAM)
                && message.attachments().isEmpty()
                && !busy.followUpWindow().isZero()
                && since.compareTo(busy.followUpWindow()) <= 0;
    }

    /** Returns whether a message is what the agent waits for: then it is no follow-up (Q8.1). */
    static boolean isAnswer(LaneState state, Received message) {
        return message.attachments().isEmpty()
                && !message.text().isBlank()
                && asks(state, AgentQuestion.Kind.CLARIFICATION);
    }

    /** Returns the command that a bare word is while the agent waits for an approval (Q8.11). */
    static Optional<String> approval(LaneState state, Received message) {
        if (!message.attachments().isEmpty() || !asks(state, AgentQuestion.Kind.APPROVAL)) {
            return Optional.empty();
        }
        return switch (message.text().strip().toLowerCase(Locale.ROOT)) {
            case "yes", "approve" -> Optional.of("/approve");
            case "session" -> Optional.of("/approve session");
            case "always" -> Optional.of("/approve always");
            case "no", "deny" -> Optional.of("/deny");
            default -> Optional.empty();
        };
    }

    /** Returns whether words are what the agent waits for, be they a command without a slash or not. */
    static boolean isAwaited(LaneState state, Received message) {
        return !CommandTable.hasSlash(message.text())
                && (isAnswer(state, message) || approval(state, message).isPresent());
    }

    private static boolean asks(LaneState state, AgentQuestion.Kind kind) {
        return state.slot()
                .active()
                .flatMap(TurnWork::question)
                .filter(q -> q.kind() == kind)
                .isPresent();
    }

    /** Returns whether an acknowledgement is due; while nothing begins each message gets one. */
    static boolean mayAcknowledge(LaneState state, Optional<Standstill> standstill, Busy busy, Instant now) {
        return standstill.isPresent()
                || (busy.acknowledge()
                        && state.lastAck()
                                .map(at -> Duration.between(at, now).compareTo(ACK_PAUSE) >= 0)
                                .orElse(true));
    }
}
