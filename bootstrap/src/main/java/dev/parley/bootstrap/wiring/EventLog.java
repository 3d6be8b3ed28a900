package dev.parley.bootstrap.wiring;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes what the gateway does to the log: changes of sessions and trouble for the operator, the rest for those who look closer.
 * What people say is in no line, at no level. The same trouble is written once in a minute, then with how often it came
 * meanwhile: a full disk must not be filled by what says that it is full.
 */
final class EventLog implements GatewayEvents {
    private static final Logger LOG = LoggerFactory.getLogger("parley.gateway");

    private static final Pattern WORDS = Pattern.compile("([a-z])([A-Z])");

    private final RepeatedLines repeated;

    EventLog(InstantSource clock) {
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
            about(LOG.atInfo(), "transition", Optional.of(line.lane()))
                    .addKeyValue("kind", line.kind().text())
                    .addKeyValue("reason", line.reason())
                    .addKeyValue("session", line.to().map(SessionId::value).orElse(""))
                    .log("{}: {} ({})", line.lane().value(), line.kind().text(), line.reason());
        } else if (event instanceof GatewayEvent.Degraded degraded) {
            about(LOG.atError(), "degraded", Optional.empty())
                    .log("storage is degraded, the gateway goes on with its fallback: {}", degraded.why());
        } else if (event instanceof GatewayEvent.Healed healed) {
            writeRests();
            about(LOG.atInfo(), "healed", Optional.empty())
                    .log(
                            "storage is whole again: {} batches, {} messages merged back",
                            healed.batches(),
                            healed.messages());
        } else if (event instanceof GatewayEvent.Expired expired) {
            about(LOG.atWarn(), "expired", expired.outgoing().lane())
                    .addKeyValue("outgoing", expired.outgoing().id().value())
                    .addKeyValue("platform", expired.outgoing().platform().name())
                    .addKeyValue("why", expired.why().name().toLowerCase(Locale.ROOT))
                    .log("{}", expired.words());
        } else if (event instanceof GatewayEvent.Dropped dropped) {
            about(LOG.atInfo(), "dropped", Optional.of(dropped.lane()))
                    .log("{}: a message was not taken: {}", dropped.lane().value(), dropped.why());
        } else if (event instanceof GatewayEvent.OperatorActed act) {
            about(LOG.atInfo(), "operator", Optional.empty())
                    .addKeyValue("by", act.by())
                    .addKeyValue("action", act.action())
                    .addKeyValue("outcome", act.outcome())
                    .log("{} {} asked for {} {}: {}", act.role(), act.by(), act.action(), act.target(), act.outcome());
        } else if (event instanceof GatewayEvent.TurnEnded ended) {
            Turn turn = ended.turn();
            about(LOG.atDebug(), "turn_ended", Optional.of(turn.lane()))
                    .addKeyValue("session", turn.session().value())
                    .addKeyValue("turn", turn.id().value())
                    .addKeyValue("state", turn.state().text())
                    .addKeyValue("reason", turn.reason().map(TurnReason::text).orElse(""))
                    .addKeyValue("took_ms", turn.took().map(Duration::toMillis).orElse(0L))
                    .log(
                            "{}: turn {} {}",
                            turn.lane().value(),
                            turn.id().value(),
                            turn.state().text());
        } else if (event instanceof GatewayEvent.CommandRun command) {
            about(LOG.atDebug(), "command", Optional.of(command.lane()))
                    .addKeyValue("command", command.name())
                    .addKeyValue("changes", command.changes())
                    .log("{}: /{}", command.lane().value(), command.name());
        } else if (event instanceof GatewayEvent.TurnStarted turn) {
            about(LOG.atDebug(), "turn_started", Optional.of(turn.lane()))
                    .addKeyValue("session", turn.session().value())
                    .addKeyValue("turn", turn.turn().value())
                    .log(
                            "{}: turn {} of session {} started, notes {}, after {} messages",
                            turn.lane().value(),
                            turn.turn().value(),
                            turn.session(),
                            turn.notes(),
                            turn.history());
        } else if (LOG.isDebugEnabled() && !(event instanceof GatewayEvent.Committed)) {
            LoggingEventBuilder line = LOG.atDebug().addKeyValue("event", word(event));
            for (Map.Entry<String, String> id : ids(event).entrySet()) {
                line = line.addKeyValue(id.getKey(), id.getValue());
            }
            line.log("{}", described(event));
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
    private static LoggingEventBuilder about(LoggingEventBuilder line, String event, Optional<SessionKey> lane) {
        LoggingEventBuilder with = line.addKeyValue("event", event);
        return lane.map(key -> with.addKeyValue("lane", key.value())).orElse(with);
    }

    private void trouble(GatewayEvent.Trouble trouble) {
        String lane = trouble.lane().map(SessionKey::value).map(k -> k + ": ").orElse("");
        String line = trouble.what()
                + trouble.cause()
                        .map(EventLog::firstLine)
                        .filter(cause -> !trouble.what().contains(cause))
                        .map(cause -> " [" + cause + "]")
                        .orElse("");
        if (repeated.isFull()) {
            writeRests();
        }
        Optional<Integer> since = repeated.due(line);
        if (since.isPresent()) {
            about(LOG.atWarn(), "trouble", trouble.lane())
                    .log("{}{}{}", lane, line, since.get() > 0 ? " (and " + since.get() + " times before this)" : "");
            trouble.cause()
                    .ifPresent(cause -> about(LOG.atDebug(), "trouble", trouble.lane())
                            .setCause(cause)
                            .log("the cause"));
        }
    }

    private void notExported(GatewayEvent.NotExported gone) {
        String line = gone.observer() + " lost what it was to pass on: " + gone.why();
        repeated.due(line)
                .ifPresent(since -> about(LOG.atWarn(), "not_exported", Optional.empty())
                        .addKeyValue("observer", gone.observer())
                        .addKeyValue("lost", gone.lost())
                        .log("{}{}", line, since > 0 ? " (and " + since + " times before this)" : ""));
    }

    /** Writes how often each trouble came since it was written, and forgets them. */
    private void writeRests() {
        repeated.takeRests().forEach((line, times) -> LOG.warn("{} (and {} times more)", line, times));
    }

    private static String firstLine(Throwable cause) {
        String message = Optional.ofNullable(cause.getMessage()).orElse("");
        String first = message.lines().findFirst().orElse("").strip();
        return first.isEmpty() ? cause.getClass().getSimpleName() : first;
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
