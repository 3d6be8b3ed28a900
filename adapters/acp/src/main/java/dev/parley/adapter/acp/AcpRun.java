package dev.parley.adapter.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.actor.SerialTasks;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.change.StoredTime;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * One prompt and what the program makes of it. Everything happens in the tasks of its agent, so the fields below belong to whichever thread
 * runs them; what people decide is noted under a lock, because they are told at once whether anybody waits for it.
 */
final class AcpRun implements AgentRun {
    private static final int MOST_ASKED = 100;
    private static final String YES_ONCE = "allow_once";
    private static final String YES_ALWAYS = "allow_always";
    private static final String NO_ONCE = "reject_once";
    private static final String NO_ALWAYS = "reject_always";

    private final ProviderSettings surroundings;
    private final SerialTasks tasks;
    private final AcpSettings.Permissions permissions;
    private final AgentEvents events;
    private final Tools tools;
    private final StringBuilder said = new StringBuilder();
    private final SaidFiles files;
    private final Deque<Permission> asked = new ArrayDeque<>();
    private List<String> conversation;
    private Optional<AcpAgent.Place> place = Optional.empty();
    private boolean interrupted;
    private volatile boolean ended;
    private boolean waitsForPeople;
    private volatile Instant lastActivity;
    private volatile String activity = "starting the program";

    /** A permission that the program wants. */
    private record Permission(JsonNode id, String text, JsonNode options) {}

    /**
     * Nothing is asked yet.
     *
     * @param surroundings clock, timers, files and the operator
     * @param tasks those of its agent
     * @param permissions what the program is told where it wants one
     * @param events told what becomes of the prompt
     * @param conversation what is written to the program, and was before
     */
    AcpRun(
            ProviderSettings surroundings,
            SerialTasks tasks,
            AcpSettings.Permissions permissions,
            AgentEvents events,
            List<String> conversation) {
        this.surroundings = surroundings;
        this.tasks = tasks;
        this.permissions = permissions;
        this.events = events;
        this.conversation = conversation;
        this.files = new SaidFiles(surroundings.media());
        this.tools = new Tools(events, this::takeSaid);
        this.lastActivity = now();
    }

    private Instant now() {
        return StoredTime.now(surroundings.clock());
    }

    private void active(String doing) {
        lastActivity = now();
        activity = doing;
    }

    private Content takeSaid() {
        String text = said.toString().strip();
        said.setLength(0);
        return text.isEmpty() ? Content.none() : Content.text(text);
    }

    // ---- the turn

    /** Waits for a session, then gives it the prompt. */
    void begin(CompletableFuture<AcpAgent.Place> session, Function<AcpAgent.Place, ObjectNode> prompt) {
        // A task of its own each: what it throws is the tasks' to tell, and a future would keep it to itself.
        var unused = session.whenComplete((there, failure) -> tasks.execute(() -> {
            if (ended) {
                return;
            }
            if (failure != null) {
                broke(failure);
                return;
            }
            prompt(there, prompt.apply(there));
        }));
    }

    private void prompt(AcpAgent.Place there, ObjectNode prompt) {
        place = Optional.of(there);
        active("thinking");
        var unused = there.connection()
                .ask("session/prompt", prompt)
                .whenComplete((answer, failure) -> tasks.execute(() -> finished(answer, failure)));
    }

    private void finished(JsonNode answer, Throwable failure) {
        if (ended) {
            return;
        }
        if (interrupted) {
            endInterrupted();
        } else if (failure != null) {
            broke(failure);
        } else {
            tools.end();
            String text = said.toString();
            String reason = Json.text(answer, "stopReason");
            if (text.isBlank() && reason.equals("refusal")) {
                fail(failure(AgentFailure.Kind.MODEL, "The agent refuses to answer that."));
                return;
            }
            AgentAnswer given = answer(text, reason);
            end();
            forget();
            events.answered(given);
        }
    }

    /** The turn cannot go on. */
    void broke(Throwable failure) {
        if (ended) {
            return;
        }
        if (interrupted) {
            endInterrupted();
            return;
        }
        Throwable root =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        AgentFailure.Kind kind = place.isPresent() ? AgentFailure.Kind.MODEL : AgentFailure.Kind.CONFIGURATION;
        fail(
                root instanceof AcpFault fault
                        ? told(kind, fault)
                        : AgentFailure.thrown(kind, root, TokenUsage.NONE, calls()));
    }

    /** Returns what people are told of a fault; the operator is told now, or of why that cannot be told. */
    private AgentFailure told(AgentFailure.Kind kind, AcpFault fault) {
        try {
            surroundings.warnings().accept(surroundings.path() + ": " + fault.inLog(conversation));
        } catch (Throwable e) {
            return AgentFailure.thrown(kind, e, TokenUsage.NONE, calls());
        }
        return failure(kind, fault.inChat(kind));
    }

    private AgentFailure failure(AgentFailure.Kind kind, String inChat) {
        return new AgentFailure(kind, inChat, TokenUsage.NONE, calls());
    }

    private int calls() {
        return place.isPresent() ? 1 : 0;
    }

    private void fail(AgentFailure failure) {
        end();
        try {
            tools.end();
        } finally {
            forget();
            events.failed(failure);
        }
    }

    private void endInterrupted() {
        end();
        try {
            tools.end();
        } finally {
            AgentAnswer partial = answer(said.toString(), "cancelled");
            forget();
            events.interrupted(partial);
        }
    }

    /** What was said has been told, and is not kept until the agent's next turn. */
    private void forget() {
        said.setLength(0);
        said.trimToSize();
        conversation = List.of();
    }

    private void end() {
        ended = true;
        synchronized (asked) {
            asked.clear();
            waitsForPeople = false;
        }
    }

    private AgentAnswer answer(String text, String reason) {
        return new AgentAnswer(
                Content.text(text),
                files.kept(),
                Reasoning.NONE,
                Optional.of(reason).filter(word -> !word.isEmpty()),
                TokenUsage.NONE,
                0,
                1,
                Optional.empty(),
                Billing.NONE,
                Optional.empty());
    }

    // ---- what the program says

    /**
     * Hears what the program says. What is told of a session that is being taken up was said long ago; of a prompt that was cancelled only
     * the ends of tools matter.
     */
    void updated(String session, JsonNode update) {
        String kind = Json.text(update, "sessionUpdate");
        if (!isMine(session) || (interrupted && !kind.equals("tool_call_update"))) {
            return;
        }
        switch (kind) {
            case "agent_message_chunk" -> {
                active("answering");
                JsonNode block = update.path("content");
                say(Json.text(block, "text"));
                files.keep(block).ifPresent(trouble -> say("\n" + trouble + "\n"));
            }
            case "tool_call" -> active(tools.called(update));
            case "tool_call_update" -> {
                tools.updated(update);
                active("thinking");
            }
            default -> active("thinking");
        }
    }

    private void say(String delta) {
        said.append(delta);
        if (!delta.isEmpty()) {
            events.streamed(delta);
        }
    }

    private boolean isMine(String session) {
        return !ended && place.filter(there -> there.session().equals(session)).isPresent();
    }

    void permissionAsked(JsonNode id, String session, JsonNode wanted) {
        Permission permission = new Permission(id, tools.describe(wanted.path("toolCall")), wanted.path("options"));
        if (!isMine(session) || interrupted) {
            return;
        }
        switch (permissions) {
            case ALLOW -> choose(permission, YES_ONCE, YES_ALWAYS);
            case DENY -> choose(permission, NO_ONCE, NO_ALWAYS);
            case ASK -> {
                if (isTaken(permission)) {
                    askPeople();
                } else {
                    choose(permission, NO_ONCE, NO_ALWAYS);
                }
            }
        }
    }

    /** Notes a permission that people are to be asked for; returns false where they are to be asked for very many already. */
    private boolean isTaken(Permission permission) {
        synchronized (asked) {
            return asked.size() < MOST_ASKED && asked.add(permission);
        }
    }

    /** People are asked one thing at a time. */
    private void askPeople() {
        Permission next;
        synchronized (asked) {
            if (waitsForPeople || asked.isEmpty()) {
                return;
            }
            waitsForPeople = true;
            next = asked.element();
        }
        active("waiting for a permission");
        events.asked(new AgentQuestion(AgentQuestion.Kind.APPROVAL, next.text()));
    }

    /** Chooses the first option of one of the kinds, the kinds in their order; where there is none, nothing is chosen. */
    private void choose(Permission permission, String... kinds) {
        Optional<String> option = Optional.empty();
        for (String kind : kinds) {
            for (JsonNode each : permission.options()) {
                if (option.isEmpty() && Json.text(each, "kind").equals(kind)) {
                    option = Optional.of(Json.text(each, "optionId"));
                }
            }
        }
        ObjectNode result = Json.object();
        ObjectNode outcome = result.putObject("outcome");
        option.ifPresentOrElse(
                id -> outcome.put("outcome", "selected").put("optionId", id),
                () -> outcome.put("outcome", "cancelled"));
        place.ifPresent(there -> there.connection().answer(permission.id(), result));
    }

    // ---- from outside

    @Override
    public boolean approve(AgentQuestion.Approval decision) {
        Permission permission;
        synchronized (asked) {
            if (!waitsForPeople) {
                return false;
            }
            permission = asked.remove();
            waitsForPeople = false;
        }
        tasks.execute(() -> {
            if (ended) {
                return;
            }
            active("thinking");
            switch (decision) {
                case ONCE -> choose(permission, YES_ONCE, YES_ALWAYS);
                case SESSION, ALWAYS -> choose(permission, YES_ALWAYS, YES_ONCE);
                case DENY -> choose(permission, NO_ONCE, NO_ALWAYS);
            }
            askPeople();
        });
        return true;
    }

    @Override
    public void interrupt(String reason) {
        tasks.execute(() -> {
            if (ended || interrupted) {
                return;
            }
            interrupted = true;
            if (place.isEmpty()) {
                endInterrupted();
                return;
            }
            AcpAgent.Place there = place.get();
            there.connection().tell("session/cancel", Json.object().put("sessionId", there.session()));
            List<Permission> open;
            synchronized (asked) {
                open = List.copyOf(asked);
                asked.clear();
                waitsForPeople = false;
            }
            open.forEach(this::choose);
            surroundings.timers().after(Connection.PATIENCE, () -> giveUp(there.connection()));
        });
    }

    /** A program that did not end the prompt is ended, whatever the tasks wait for. */
    private void giveUp(Connection program) {
        if (ended) {
            return;
        }
        program.close();
        tasks.execute(() -> {
            if (!ended) {
                endInterrupted();
            }
        });
    }

    /** A program takes one prompt at a time. */
    @Override
    public boolean steer(String text) {
        return false;
    }

    @Override
    public Instant lastActivity() {
        return lastActivity;
    }

    @Override
    public Optional<String> activity() {
        return Optional.of(activity);
    }
}
