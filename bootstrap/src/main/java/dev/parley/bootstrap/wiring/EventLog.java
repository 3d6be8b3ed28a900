package dev.parley.bootstrap.wiring;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the gateway does to the log: changes of sessions and trouble for the operator, the rest for those who look closer.
 * What people say is in no line, at no level. The same trouble is written once in a minute, then with how often it came
 * meanwhile: a full disk must not be filled by what says that it is full.
 */
final class EventLog implements GatewayEvents {
    private static final Logger LOG = LoggerFactory.getLogger("parley.gateway");
    private static final Duration APART = Duration.ofMinutes(1);
    private static final int MOST_REMEMBERED = 100;

    private final InstantSource clock;
    private final Map<String, Repeated> troubles = new HashMap<>();

    /** How often a trouble came since it was written last. */
    private static final class Repeated {
        private Instant written;
        private int since;

        Repeated(Instant written) {
            this.written = written;
        }
    }

    EventLog(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void on(GatewayEvent event) {
        if (event instanceof GatewayEvent.Trouble trouble) {
            trouble(trouble);
        } else if (event instanceof GatewayEvent.Transition t) {
            LOG.info(
                    "{}: {} ({})",
                    t.event().lane().value(),
                    t.event().kind().text(),
                    t.event().reason());
        } else if (event instanceof GatewayEvent.Degraded degraded) {
            LOG.error("storage is degraded, the gateway goes on with its fallback: {}", degraded.why());
        } else if (event instanceof GatewayEvent.Healed healed) {
            writeRests();
            LOG.info(
                    "storage is whole again: {} batches, {} messages merged back", healed.batches(), healed.messages());
        } else if (event instanceof GatewayEvent.Expired expired) {
            LOG.warn(
                    "a message to {} chat {} was not delivered in time and is given up (it stays in the transcript)",
                    expired.outgoing().platform().name(),
                    expired.outgoing().chatId());
        } else if (event instanceof GatewayEvent.Dropped dropped) {
            LOG.info("{}: a message was not taken: {}", dropped.lane().value(), dropped.why());
        } else if (LOG.isDebugEnabled()) {
            LOG.debug("{}", described(event));
        }
    }

    private void trouble(GatewayEvent.Trouble trouble) {
        String lane = trouble.lane().map(SessionKey::value).map(k -> k + ": ").orElse("");
        String line = trouble.what()
                + trouble.cause()
                        .map(EventLog::firstLine)
                        .filter(cause -> !trouble.what().contains(cause))
                        .map(cause -> " [" + cause + "]")
                        .orElse("");
        Optional<Integer> since = due(line);
        if (since.isPresent()) {
            LOG.warn("{}{}{}", lane, line, since.get() > 0 ? " (and " + since.get() + " times before this)" : "");
            trouble.cause().ifPresent(cause -> LOG.debug("the cause", cause));
        }
    }

    /** Returns how often a line came without being written, where it is to be written now. */
    private synchronized Optional<Integer> due(String line) {
        Instant now = clock.instant();
        Repeated known = troubles.get(line);
        if (known == null) {
            if (troubles.size() >= MOST_REMEMBERED) {
                writeRests();
            }
            troubles.put(line, new Repeated(now));
            return Optional.of(0);
        }
        if (now.isBefore(known.written.plus(APART))) {
            known.since++;
            return Optional.empty();
        }
        int since = known.since;
        known.written = now;
        known.since = 0;
        return Optional.of(since);
    }

    /** Writes how often each trouble came since it was written, and forgets them. */
    private synchronized void writeRests() {
        troubles.forEach((line, repeated) -> {
            if (repeated.since > 0) {
                LOG.warn("{} (and {} times more)", line, repeated.since);
            }
        });
        troubles.clear();
    }

    private static String firstLine(Throwable cause) {
        String message = Optional.ofNullable(cause.getMessage()).orElse("");
        String first = message.lines().findFirst().orElse("").strip();
        return first.isEmpty() ? cause.getClass().getSimpleName() : first;
    }

    private static String described(GatewayEvent event) {
        if (event instanceof GatewayEvent.TurnStarted turn) {
            return turn.lane().value() + ": turn " + turn.turn().value() + " of session " + turn.session()
                    + " started, notes " + turn.notes() + ", after " + turn.history() + " messages";
        }
        if (event instanceof GatewayEvent.Sent sent) {
            Outgoing outgoing = sent.outgoing();
            return "sent " + outgoing.id().value() + " to "
                    + outgoing.platform().name() + " chat " + outgoing.chatId();
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
