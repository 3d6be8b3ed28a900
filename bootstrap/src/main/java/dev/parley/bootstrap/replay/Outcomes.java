package dev.parley.bootstrap.replay;

import dev.parley.application.port.GatewayEvent;
import dev.parley.bootstrap.json.Json;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Decision;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Outgoing;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Writes what a replayed gateway does as JSON Lines. Sessions have aliases, S1, S2 and so on in the order in which they first
 * appear; a transition between states of one session has the same session on both sides.
 */
public final class Outcomes implements BiConsumer<Instant, GatewayEvent> {
    private final LocalTimes times;
    private final boolean ids;
    private final Consumer<String> lines;
    private final Consumer<String> notes;
    private final Map<SessionId, String> aliases = new LinkedHashMap<>();
    private String noted = "";

    /**
     * Outcomes of a scenario.
     *
     * @param file the scenario
     * @param ids whether the real ids of sessions are written too
     * @param lines takes the lines
     * @param notes takes what is no outcome but worth knowing
     */
    public Outcomes(ScenarioFile file, boolean ids, Consumer<String> lines, Consumer<String> notes) {
        this.times = new LocalTimes(file.zone());
        this.ids = ids;
        this.lines = lines;
        this.notes = notes;
    }

    @Override
    public void accept(Instant at, GatewayEvent event) {
        if (event instanceof GatewayEvent.Trouble trouble) {
            note(at, trouble);
            return;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("at", times.text(at));
        if (write(event, fields)) {
            lines.accept(Json.line(fields));
        }
    }

    /** Notes trouble, once where it is the same as before. */
    private void note(Instant at, GatewayEvent.Trouble trouble) {
        String cause = trouble.cause()
                .map(c -> Optional.ofNullable(c.getMessage()).orElse(c.toString()))
                .filter(text -> !trouble.what().contains(text))
                .map(text -> " (" + text + ")")
                .orElse("");
        String text = trouble.lane().map(lane -> lane.value() + ": ").orElse("") + trouble.what() + cause;
        if (!text.equals(noted)) {
            notes.accept(times.text(at) + " " + text);
            noted = text;
        }
    }

    private boolean write(GatewayEvent event, Map<String, Object> fields) {
        if (event instanceof GatewayEvent.Decided decided) {
            fields.put("event", "decision");
            session(fields, decided.lane(), decided.session());
            fields.put("decision", decided.decision().text());
            reason(decided.decision()).ifPresent(reason -> fields.put("reason", reason));
        } else if (event instanceof GatewayEvent.TurnStarted turn) {
            fields.put("event", "turn");
            session(fields, turn.lane(), turn.session());
            fields.put("input", turn.input());
            fields.put("notes", turn.notes());
            fields.put("history", turn.history());
        } else if (event instanceof GatewayEvent.Sent sent) {
            fields.put("event", "sent");
            outgoing(fields, sent.outgoing());
        } else if (event instanceof GatewayEvent.Expired expired) {
            fields.put("event", "expired");
            outgoing(fields, expired.outgoing());
        } else if (event instanceof GatewayEvent.Queued queued) {
            fields.put("event", "queued");
            fields.put("lane", queued.lane().value());
            fields.put("depth", queued.depth());
        } else if (event instanceof GatewayEvent.Dropped dropped) {
            fields.put("event", "dropped");
            fields.put("lane", dropped.lane().value());
            fields.put("why", dropped.why());
        } else if (event instanceof GatewayEvent.Transition transition) {
            return transition(fields, transition.event());
        } else if (event instanceof GatewayEvent.Finalized finalized) {
            fields.put("event", "finalized");
            session(fields, finalized.lane(), finalized.session());
        } else if (event instanceof GatewayEvent.Pruned pruned) {
            fields.put("event", "pruned");
            session(fields, pruned.lane(), pruned.session());
        } else if (event instanceof GatewayEvent.Compressed compressed) {
            fields.put("event", "compressed");
            session(fields, compressed.lane(), compressed.session());
            fields.put("messages", compressed.messages());
        } else if (event instanceof GatewayEvent.AgentLeft left) {
            fields.put("event", "evicted");
            fields.put("lane", left.lane().value());
            fields.put("why", left.why());
        } else if (event instanceof GatewayEvent.Answered answered) {
            fields.put("event", "answered");
            fields.put("lane", answered.lane().value());
            fields.put("answer", answered.answer());
            answered.reason().ifPresent(reason -> fields.put("reason", reason));
        } else if (event instanceof GatewayEvent.Degraded degraded) {
            fields.put("event", "degraded");
            fields.put("why", degraded.why());
        } else if (event instanceof GatewayEvent.Healed healed) {
            fields.put("event", "healed");
            fields.put("batches", healed.batches());
            fields.put("messages", healed.messages());
        } else {
            return false;
        }
        return true;
    }

    private static Optional<String> reason(Decision decision) {
        if (decision instanceof Decision.Reset reset) {
            return Optional.of(reset.reason().text());
        }
        if (decision instanceof Decision.Resume resume) {
            return resume.mark().reason().map(ResumeReason::text);
        }
        if (decision instanceof Decision.Create create) {
            return Optional.of(create.why().name().toLowerCase(Locale.ROOT));
        }
        return Optional.empty();
    }

    private void outgoing(Map<String, Object> fields, Outgoing message) {
        fields.put("platform", message.platform().name());
        fields.put("chat_id", message.chatId());
        message.threadId().ifPresent(thread -> fields.put("thread_id", thread));
        fields.put("text", message.text());
        fields.put("kind", message.kind().text());
    }

    /** Finalising and pruning have events of their own. */
    private boolean transition(Map<String, Object> fields, LaneEvent line) {
        if (line.kind() == LaneEvent.Kind.FINALISED || line.kind() == LaneEvent.Kind.REMOVED) {
            return false;
        }
        fields.put("event", "transition");
        fields.put("lane", line.lane().value());
        line.from().ifPresent(id -> fields.put("from", alias(id)));
        line.to().ifPresent(id -> fields.put("to", alias(id)));
        fields.put("reason", line.reason());
        fields.put("change", line.kind().text());
        if (ids) {
            line.from().ifPresent(id -> fields.put("from_id", id.value()));
            line.to().ifPresent(id -> fields.put("to_id", id.value()));
        }
        return true;
    }

    private void session(Map<String, Object> fields, SessionKey lane, SessionId session) {
        fields.put("lane", lane.value());
        fields.put("session", alias(session));
        if (ids) {
            fields.put("session_id", session.value());
        }
    }

    private String alias(SessionId session) {
        return aliases.computeIfAbsent(session, id -> "S" + (aliases.size() + 1));
    }
}
