package dev.parley.home.log;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.StrippedFailure;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Writes what the gateway does to a log: changes of sessions and trouble for the operator, the rest for those who look closer.
 * What people say is in no line, at no level; so what was thrown is told as {@link StrippedFailure} says. The same trouble is written once in a
 * minute, then with how often it came meanwhile: a full disk must not be filled by what says that it is full. Safe for concurrent use.
 */
public final class GatewayLog implements GatewayEvents {
    private static final Pattern WORDS = Pattern.compile("([a-z])([A-Z])");

    private final LogLine.Sink log;
    private final RepeatedLines repeated;

    /**
     * A log of a gateway.
     *
     * @param log where lines are written
     * @param clock says when a line that is repeated is due
     */
    public GatewayLog(LogLine.Sink log, InstantSource clock) {
        this.log = log;
        this.repeated = new RepeatedLines(clock);
    }

    @Override
    public boolean neverBlocks() {
        return true;
    }

    @Override
    public void on(GatewayEvent event) {
        if (event instanceof GatewayEvent.Trouble trouble) {
            trouble(trouble);
        } else if (event instanceof GatewayEvent.NotExported gone) {
            notExported(gone);
        } else if (event instanceof GatewayEvent.Transition t) {
            LaneEvent line = t.event();
            Map<String, Object> pairs = about("transition", Optional.of(line.lane()));
            pairs.put("kind", line.kind().text());
            pairs.put("reason", line.reason());
            pairs.put("session", line.to().map(SessionId::value).orElse(""));
            write(INFO, pairs, line.lane().value() + ": " + line.kind().text() + " (" + line.reason() + ")");
        } else if (event instanceof GatewayEvent.Degraded degraded) {
            write(
                    ERROR,
                    about("degraded", Optional.empty()),
                    "storage is degraded, the gateway goes on with its fallback: " + degraded.why());
        } else if (event instanceof GatewayEvent.Healed healed) {
            writeRests();
            write(
                    INFO,
                    about("healed", Optional.empty()),
                    "storage is whole again: " + healed.batches() + " batches, " + healed.messages()
                            + " messages merged back");
        } else if (event instanceof GatewayEvent.Expired expired) {
            Map<String, Object> pairs = about("expired", expired.outgoing().lane());
            pairs.put("outgoing", expired.outgoing().id().value());
            pairs.put("platform", expired.outgoing().platform().name());
            pairs.put("why", expired.why().name().toLowerCase(Locale.ROOT));
            write(WARNING, pairs, expired.words());
        } else if (event instanceof GatewayEvent.Dropped dropped) {
            write(
                    INFO,
                    about("dropped", Optional.of(dropped.lane())),
                    dropped.lane().value() + ": a message was not taken: " + dropped.why());
        } else if (event instanceof GatewayEvent.OperatorActed act) {
            Map<String, Object> pairs = about("operator", Optional.empty());
            pairs.put("by", act.by());
            pairs.put("action", act.action());
            pairs.put("outcome", act.outcome());
            write(
                    INFO,
                    pairs,
                    act.role() + " " + act.by() + " asked for " + act.action() + " " + act.target() + ": "
                            + act.outcome());
        } else if (log.takes(DEBUG) && !(event instanceof GatewayEvent.Committed)) {
            detail(event);
        }
    }

    /** Writes what only those read who look closer. */
    private void detail(GatewayEvent event) {
        if (event instanceof GatewayEvent.TurnEnded ended) {
            Turn turn = ended.turn();
            Map<String, Object> pairs = about("turn_ended", Optional.of(turn.lane()));
            pairs.put("session", turn.session().value());
            pairs.put("turn", turn.id().value());
            pairs.put("state", turn.state().text());
            pairs.put("reason", turn.reason().map(TurnReason::text).orElse(""));
            pairs.put("took_ms", turn.took().map(Duration::toMillis).orElse(0L));
            write(
                    DEBUG,
                    pairs,
                    turn.lane().value() + ": turn " + turn.id().value() + " "
                            + turn.state().text());
        } else if (event instanceof GatewayEvent.CommandRun command) {
            Map<String, Object> pairs = about("command", Optional.of(command.lane()));
            pairs.put("command", command.name());
            pairs.put("changes", command.changes());
            write(DEBUG, pairs, command.lane().value() + ": /" + command.name());
        } else if (event instanceof GatewayEvent.TurnStarted turn) {
            Map<String, Object> pairs = about("turn_started", Optional.of(turn.lane()));
            pairs.put("session", turn.session().value());
            pairs.put("turn", turn.turn().value());
            write(
                    DEBUG,
                    pairs,
                    turn.lane().value() + ": turn " + turn.turn().value() + " of session " + turn.session()
                            + " started, notes " + turn.notes() + ", after " + turn.history() + " messages");
        } else {
            Map<String, Object> pairs = about(word(event), Optional.empty());
            pairs.putAll(ids(event));
            write(DEBUG, pairs, described(event));
        }
    }

    /** The name of an event in the log, such as {@code turn_claimed}. */
    private static String word(GatewayEvent event) {
        return WORDS.matcher(event.getClass().getSimpleName())
                .replaceAll("$1_$2")
                .toLowerCase(Locale.ROOT);
    }

    /** What a line is about: lane, session, turn and messages, as far as the event says. */
    private static Map<String, String> ids(GatewayEvent event) {
        Map<String, String> ids = new LinkedHashMap<>();
        if (event instanceof GatewayEvent.Admitted admitted) {
            ids.put("lane", admitted.inbound().lane().value());
            ids.put("inbound", admitted.inbound().id().value());
        } else if (event instanceof GatewayEvent.TurnClaimed claimed) {
            ids.put("lane", claimed.turn().lane().value());
            ids.put("session", claimed.turn().session().value());
            ids.put("turn", claimed.turn().id().value());
        } else if (event instanceof GatewayEvent.ToolAnswered tool) {
            ids.put("turn", tool.turn().value());
            ids.put("tool", tool.tool());
        } else if (event instanceof GatewayEvent.Sent sent) {
            of(sent.outgoing(), ids);
        } else if (event instanceof GatewayEvent.SendFailed failed) {
            of(failed.outgoing(), ids);
            ids.put("reason", failed.why());
        } else if (event instanceof GatewayEvent.Decided decided) {
            ids.put("lane", decided.lane().value());
            ids.put("session", decided.session().value());
        } else if (event instanceof GatewayEvent.Queued queued) {
            ids.put("lane", queued.lane().value());
        } else if (event instanceof GatewayEvent.Finalized finalized) {
            ids.put("lane", finalized.lane().value());
            ids.put("session", finalized.session().value());
        } else if (event instanceof GatewayEvent.Pruned pruned) {
            ids.put("lane", pruned.lane().value());
            ids.put("session", pruned.session().value());
        }
        return ids;
    }

    private static void of(Outgoing outgoing, Map<String, String> ids) {
        outgoing.lane().ifPresent(lane -> ids.put("lane", lane.value()));
        outgoing.turn().ifPresent(turn -> ids.put("turn", turn.value()));
        ids.put("outgoing", outgoing.id().value());
        ids.put("platform", outgoing.platform().name());
    }

    /** What machines read of a line, beside what people do: see the guide. */
    private static Map<String, Object> about(String event, Optional<SessionKey> lane) {
        Map<String, Object> pairs = new LinkedHashMap<>();
        pairs.put("event", event);
        lane.ifPresent(key -> pairs.put("lane", key.value()));
        return pairs;
    }

    private void write(System.Logger.Level level, Map<String, Object> pairs, String text) {
        log.write(new LogLine(level, pairs, text, Optional.empty()));
    }

    private void trouble(GatewayEvent.Trouble trouble) {
        String lane = trouble.lane().map(SessionKey::value).map(k -> k + ": ").orElse("");
        String line = trouble.what()
                + trouble.cause()
                        .map(StrippedFailure::line)
                        .filter(cause -> !trouble.what().contains(cause))
                        .map(cause -> " [" + cause + "]")
                        .orElse("");
        if (repeated.isFull()) {
            writeRests();
        }
        Optional<Integer> since = repeated.due(line);
        if (since.isPresent()) {
            write(WARNING, about("trouble", trouble.lane()), lane + line + before(since.get()));
            trouble.cause()
                    .ifPresent(cause -> log.write(new LogLine(
                            DEBUG,
                            about("trouble", trouble.lane()),
                            "the cause",
                            Optional.of(StrippedFailure.of(cause)))));
        }
    }

    private void notExported(GatewayEvent.NotExported gone) {
        String line = gone.observer() + " lost what it was to pass on: " + gone.why();
        Map<String, Object> pairs = about("not_exported", Optional.empty());
        pairs.put("observer", gone.observer());
        pairs.put("lost", gone.lost());
        repeated.due(line).ifPresent(since -> write(WARNING, pairs, line + before(since)));
    }

    private static String before(int times) {
        return times > 0 ? " (and " + times + " times before this)" : "";
    }

    /** Writes how often each trouble came since it was written, and forgets them. */
    private void writeRests() {
        repeated.takeRests()
                .forEach((line, times) ->
                        write(WARNING, about("trouble", Optional.empty()), line + " (and " + times + " times more)"));
    }

    private static String described(GatewayEvent event) {
        if (event instanceof GatewayEvent.Sent sent) {
            Outgoing outgoing = sent.outgoing();
            return "sent " + outgoing.id().value() + " to "
                    + outgoing.platform().name() + " chat " + outgoing.chatId();
        }
        if (event instanceof GatewayEvent.SendFailed failed) {
            return "not sent " + failed.outgoing().id().value() + " to "
                    + failed.outgoing().platform().name() + ": " + failed.why();
        }
        if (event instanceof GatewayEvent.ToolAnswered tool) {
            return "turn " + tool.turn().value() + ": " + tool.tool() + " has answered";
        }
        if (event instanceof GatewayEvent.Admitted admitted) {
            return admitted.inbound().lane().value() + ": message "
                    + admitted.inbound().id().value() + " admitted";
        }
        if (event instanceof GatewayEvent.TurnClaimed claimed) {
            return claimed.turn().lane().value() + ": turn "
                    + claimed.turn().id().value() + " claimed after "
                    + claimed.waited().toMillis() + " ms";
        }
        if (event instanceof GatewayEvent.Decided decided) {
            return decided.lane().value() + ": session " + decided.session();
        }
        if (event instanceof GatewayEvent.Queued queued) {
            return queued.lane().value() + ": " + queued.depth() + " wait";
        }
        if (event instanceof GatewayEvent.Finalized finalized) {
            return finalized.lane().value() + ": session " + finalized.session() + " finalized";
        }
        if (event instanceof GatewayEvent.Pruned pruned) {
            return pruned.lane().value() + ": removed, its last session was " + pruned.session();
        }
        return event.getClass().getSimpleName();
    }
}
