package dev.parley.application.store;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetRules;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.text.Spans;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a decision about a lane stood on: names the inputs that its line of history keeps, and tells such a line in plain words
 * for {@code /why} and {@code lanes why}.
 */
public final class Explanation {
    /** The clock, as an ISO instant. */
    public static final String CLOCK = "clock";
    /** The zone of the daily boundary. */
    public static final String ZONE = "zone";
    /** The policy's mode: none, idle, daily or both. */
    public static final String POLICY = "policy";
    /** Where the policy was configured. */
    public static final String POLICY_FROM = "policy_from";
    /** The hour of the daily boundary. */
    public static final String AT_HOUR = "at_hour";
    /** The idle limit, as an ISO duration. */
    public static final String IDLE = "idle";
    /** The last daily boundary before the clock, as an ISO instant. */
    public static final String BOUNDARY = "boundary";
    /** The entry's last activity, as an ISO instant. */
    public static final String LAST_ACTIVITY = "last_activity";
    /** When the entry's session began, as an ISO instant. */
    public static final String SESSION_BEGAN = "session_began";
    /** Tokens of the entry's session so far. */
    public static final String TOKENS = "tokens";
    /** Present and {@code true} where the entry was suspended. */
    public static final String SUSPENDED = "suspended";
    /** The reason of a mark to be resumed, where there was one in effect. */
    public static final String RESUME_REASON = "resume_reason";
    /** Whether a turn or a background process was running. */
    public static final String BUSY = "busy";
    /** What was stored of the session behind the entry, where it was not live. */
    public static final String SESSION_ROW = "session_row";

    /** Who did it, where it was not somebody in the chat: {@code operator}. */
    public static final String BY = "by";

    private static final String OPERATOR = "operator";
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMMM uuuu HH:mm", Locale.ENGLISH);

    /** The reason of a cleared mark whose turn was taken back. */
    static final String TAKEN_BACK = "taken_back";

    private Explanation() {}

    /** Returns the inputs of a decision which session a message belongs to. */
    public static Map<String, String> inputs(LaneFacts facts) {
        Map<String, String> inputs = new LinkedHashMap<>();
        ResetPolicy policy = facts.applied().policy();
        inputs.put(CLOCK, facts.now().toString());
        inputs.put(ZONE, facts.zone().getId());
        inputs.put(POLICY, policy.mode().name().toLowerCase(Locale.ROOT));
        inputs.put(POLICY_FROM, facts.applied().origin());
        if (policy.mode().includesDaily()) {
            inputs.put(AT_HOUR, String.valueOf(policy.atHour()));
            inputs.put(
                    BOUNDARY,
                    ResetRules.dailyBoundary(facts.now(), policy.atHour(), facts.zone())
                            .toString());
        }
        if (policy.mode().includesIdle()) {
            inputs.put(IDLE, policy.idle().toString());
        }
        inputs.put(BUSY, String.valueOf(facts.busy()));
        if (facts.lane().isPresent() && facts.row() != LaneFacts.Row.LIVE) {
            inputs.put(SESSION_ROW, facts.row().name().toLowerCase(Locale.ROOT));
        }
        facts.entry().ifPresent(entry -> putEntry(inputs, entry));
        return inputs;
    }

    /** Returns the inputs of something done to a lane for another reason than a policy. */
    public static Map<String, String> inputs(SessionEntry entry, Instant now) {
        Map<String, String> inputs = new LinkedHashMap<>();
        inputs.put(CLOCK, now.toString());
        putEntry(inputs, entry);
        return inputs;
    }

    private static void putEntry(Map<String, String> inputs, SessionEntry entry) {
        inputs.put(LAST_ACTIVITY, entry.updatedAt().toString());
        inputs.put(SESSION_BEGAN, entry.createdAt().toString());
        inputs.put(TOKENS, String.valueOf(entry.usage().totalTokens()));
        if (entry.isSuspended()) {
            inputs.put(SUSPENDED, "true");
        }
        entry.toBeResumed()
                .ifPresent(mark -> inputs.put(
                        RESUME_REASON, mark.reason().map(ResumeReason::text).orElse("unknown")));
    }

    /** Returns a line of history that says that an operator did it. */
    public static LaneEvent byOperator(LaneEvent event) {
        Map<String, String> inputs = new LinkedHashMap<>(event.inputs());
        inputs.put(BY, OPERATOR);
        return new LaneEvent(event.lane(), event.at(), event.kind(), event.from(), event.to(), event.reason(), inputs);
    }

    /**
     * Tells a line of history in one line of plain words, such as {@code reset on 10 March 2026 04:00: daily boundary 04:00
     * Europe/Berlin, last activity 9 March 2026 22:13, policy platforms.telegram.session_reset}.
     *
     * @param event the line
     * @param zone the zone of the times; a daily boundary is told in the zone that it was decided in
     */
    public static String inWords(LaneEvent event, ZoneId zone) {
        StringBuilder words = new StringBuilder(verb(event))
                .append(" on ")
                .append(DAY.format(event.at().atZone(zone)))
                .append(": ")
                .append(cause(event, zoneOf(event, zone)));
        instant(event, LAST_ACTIVITY)
                .ifPresent(at -> words.append(", last activity ").append(DAY.format(at.atZone(zone))));
        if (event.kind() == LaneEvent.Kind.RESET && !event.reason().equals("suspended")) {
            input(event, POLICY_FROM)
                    .ifPresent(from -> words.append(", policy ").append(from));
        }
        return words.toString();
    }

    private static String verb(LaneEvent event) {
        return switch (event.kind()) {
            case CREATED ->
                event.from().isPresent() && event.from().equals(event.to()) ? "session re-created" : "session begun";
            case RESET -> "reset";
            case RENEWED -> "begun anew";
            case SWITCHED -> "switched";
            case CONTINUED -> "continued";
            case SUSPENDED -> "suspended";
            case MARKED -> "marked to be resumed";
            case CLEARED -> event.reason().equals(TAKEN_BACK) ? "not to be resumed any more" : "resumed";
            case FINALISED -> "finalised";
            case REMOVED -> "lane removed";
            case MOVED -> "moved with its chat";
        };
    }

    private static String cause(LaneEvent event, ZoneId zone) {
        return switch (event.reason().replace(' ', '_')) {
            case "idle" ->
                "inactive for longer than "
                        + input(event, IDLE).map(Explanation::span).orElse("the policy allows");
            case "daily" ->
                "daily boundary "
                        + input(event, AT_HOUR)
                                .map(h -> (h.length() < 2 ? "0" : "") + h + ":00 ")
                                .orElse("")
                        + zone.getId();
            case "suspended" -> "it had been stopped or suspended";
            case "first_message" -> "first message of this chat";
            case "forced", "new" -> "asked for with /new or /reset";
            case "operator" -> "asked for by the operator";
            case "ended_elsewhere" -> "its session had been ended by someone else";
            case "session_missing" -> "its session was no longer stored";
            case "recovered" -> "an earlier session of this chat was found and goes on";
            case "resume" -> "asked for " + (isByOperator(event) ? "by the operator" : "with /resume");
            case "unreset" -> "a reset was taken back " + (isByOperator(event) ? "by the operator" : "with /unreset");
            case "branch" -> "asked for with /branch";
            case "compression" -> "its conversation was compressed";
            case "compression_exhausted" -> "its conversation could not be compressed any further";
            case "stop" -> "stopped with /stop";
            case "stuck_loop" -> "it was cut off by several restarts in a row";
            case "restart_timeout" -> "a turn was cut off by a restart";
            case "shutdown_timeout" -> "a turn was cut off by a shutdown";
            case "restart_interrupted" -> "a turn was cut off by a crash";
            case TAKEN_BACK -> "the turn that was cut off was taken back with /undo or /retry";
            case "session_expired" -> "its session had expired";
            case "gave_up" -> "its session had expired and could not be cleaned up three times";
            case "pruned" -> "it was not used for longer than lanes are kept";
            default ->
                event.reason().isEmpty()
                        ? "no reason was given"
                        : event.reason().replace('_', ' ');
        };
    }

    private static boolean isByOperator(LaneEvent event) {
        return input(event, BY).filter(OPERATOR::equals).isPresent();
    }

    private static String span(String iso) {
        try {
            return Spans.brief(Duration.parse(iso));
        } catch (DateTimeParseException e) {
            return iso;
        }
    }

    private static ZoneId zoneOf(LaneEvent event, ZoneId otherwise) {
        try {
            return input(event, ZONE).map(ZoneId::of).orElse(otherwise);
        } catch (DateTimeException e) {
            return otherwise;
        }
    }

    /** Returns an input that is a time; absent where the line has none that can be read. */
    public static Optional<Instant> instant(LaneEvent event, String name) {
        try {
            return input(event, name).map(Instant::parse);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> input(LaneEvent event, String name) {
        return Optional.ofNullable(event.inputs().get(name));
    }
}
