package dev.parley.adapter.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.actor.SerialTasks;
import dev.parley.application.agents.SummaryEvents;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.transcript.Message;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One program and its sessions, for one lane. The program is started with the first turn and ends when it is let go of; the next turn starts
 * it again and takes its session up. What is not final belongs to the tasks; the program is ended beside them, whatever they wait for.
 */
final class AcpAgent implements Agent, Connection.Incoming {
    private static final int VERSION = 1;

    private final ProviderSettings surroundings;
    private final AcpSettings settings;
    private final KnownSessions sessions;
    private final SerialTasks tasks;
    private final Set<String> open = new HashSet<>();
    private Optional<CompletableFuture<Connection>> program = Optional.empty();
    private volatile Optional<Connection> connection = Optional.empty();
    private Optional<AcpRun> running = Optional.empty();
    private boolean takesUpSessions;

    AcpAgent(ProviderSettings surroundings, AcpSettings settings, KnownSessions sessions) {
        this.surroundings = surroundings;
        this.settings = settings;
        this.sessions = sessions;
        this.tasks = new SerialTasks(surroundings.executor(), fault -> running.ifPresent(run -> run.broke(fault)));
    }

    /**
     * A session of the program that is open for a prompt.
     *
     * @param connection the program
     * @param session the session
     * @param begins whether it has heard nothing yet
     */
    record Place(Connection connection, String session, boolean begins) {}

    @Override
    public AgentRun start(AgentTurn turn, AgentEvents events) {
        AcpRun run = new AcpRun(surroundings, tasks, settings.permissions(), events, Prompts.texts(turn));
        tasks.execute(() -> {
            running = Optional.of(run);
            run.begin(place(turn), place -> {
                sessions.put(
                        turn.session(),
                        KnownSessions.Known.of(
                                place.session(), turn.history(), turn.input().id()));
                return Prompts.of(place.session(), turn, place.begins());
            });
        });
        return run;
    }

    @Override
    public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
        AcpRun run = new AcpRun(
                surroundings, tasks, AcpSettings.Permissions.DENY, new SummaryEvents(done), Prompts.texts(history));
        tasks.execute(() -> {
            running = Optional.of(run);
            run.begin(
                    program().thenComposeAsync(this::fresh, tasks),
                    place -> Prompts.summary(place.session(), history, focus));
        });
        return run;
    }

    // ---- sessions of the program

    private CompletableFuture<Place> place(AgentTurn turn) {
        return program()
                .thenComposeAsync(
                        started -> sessions.find(turn.session())
                                .filter(known -> known.hasHeard(turn.history()))
                                .map(known -> takeUp(started, known.session()))
                                .orElseGet(() -> fresh(started)),
                        tasks);
    }

    private CompletableFuture<Place> takeUp(Connection started, String session) {
        if (open.contains(session)) {
            return CompletableFuture.completedFuture(new Place(started, session, false));
        }
        if (!takesUpSessions) {
            return fresh(started);
        }
        return started.ask("session/load", where().put("sessionId", session))
                .thenApplyAsync(
                        answer -> {
                            open.add(session);
                            return Optional.of(new Place(started, session, false));
                        },
                        tasks)
                .exceptionally(refused -> Optional.empty())
                .thenComposeAsync(
                        place -> place.map(CompletableFuture::completedFuture).orElseGet(() -> fresh(started)), tasks);
    }

    private CompletableFuture<Place> fresh(Connection started) {
        return started.ask("session/new", where())
                .thenApplyAsync(
                        answer -> {
                            String session = Json.text(answer, "sessionId");
                            if (session.isEmpty()) {
                                throw AcpFault.forOperators("The program " + settings.name() + " began no session");
                            }
                            open.add(session);
                            return new Place(started, session, true);
                        },
                        tasks);
    }

    private ObjectNode where() {
        ObjectNode where =
                Json.object().put("cwd", settings.directory().toAbsolutePath().toString());
        where.putArray("mcpServers");
        return where;
    }

    private CompletableFuture<Connection> program() {
        if (program.isPresent() && connection.filter(Connection::isOpen).isPresent()) {
            return program.get();
        }
        letGo();
        Connection started;
        try {
            started = Connection.open(settings, surroundings, this);
        } catch (AcpFault fault) {
            return CompletableFuture.failedFuture(fault);
        }
        connection = Optional.of(started);
        ObjectNode hello = Json.object().put("protocolVersion", VERSION);
        ObjectNode able = hello.putObject("clientCapabilities");
        able.putObject("fs").put("readTextFile", false).put("writeTextFile", false);
        able.put("terminal", false);
        CompletableFuture<Connection> ready = started.ask("initialize", hello)
                .thenApplyAsync(
                        answer -> {
                            if (answer.path("protocolVersion").asInt(VERSION) != VERSION) {
                                throw AcpFault.forOperators("The program " + settings.name() + " speaks version "
                                        + answer.path("protocolVersion").asInt()
                                        + " of the Agent Client Protocol; one that speaks version " + VERSION
                                        + " is needed");
                            }
                            takesUpSessions = answer.path("agentCapabilities")
                                    .path("loadSession")
                                    .asBoolean();
                            return started;
                        },
                        tasks);
        program = Optional.of(ready);
        return ready;
    }

    // ---- what the program says

    @Override
    public void updated(String session, JsonNode update) {
        tasks.execute(() -> running.ifPresent(run -> run.updated(session, update)));
    }

    @Override
    public void permissionAsked(JsonNode id, String session, JsonNode asked) {
        tasks.execute(() -> running.ifPresent(run -> run.permissionAsked(id, session, asked)));
    }

    // ---- end

    @Override
    public void release() {
        connection.ifPresent(Connection::close);
        tasks.execute(this::letGo);
    }

    @Override
    public void close() {
        release();
    }

    private void letGo() {
        connection.ifPresent(Connection::close);
        connection = Optional.empty();
        program = Optional.empty();
        open.clear();
    }
}
