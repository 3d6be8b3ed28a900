package dev.parley.adapter.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.actor.SerialTasks;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A running program and the messages between it and us: JSON-RPC 2.0, one message a line. A thread of the executor reads for as long as
 * the program runs, and one writes for as long as there is something to write, however slowly the program reads. Safe for concurrent use;
 * nothing blocks its caller.
 */
final class Connection implements AutoCloseable {
    private static final int LONGEST_LINE = 32 << 20;
    private static final int NO_SUCH_METHOD = -32601;
    private static final int LOGIN_NEEDED = -32000;
    private static final int MOST_UNREAD = 1_000;

    /** How long a program has to end by itself. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Process process;
    private final Timers timers;
    private final String name;
    private final BufferedWriter out;
    private final Incoming incoming;
    private final SerialTasks writing;
    private final AtomicInteger unread = new AtomicInteger();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final Map<Long, CompletableFuture<JsonNode>> asked = new HashMap<>();
    private long requests;
    private Optional<AcpFault> over = Optional.empty();

    /** What a program says without being asked. Calls come from the reading thread, in order. */
    interface Incoming {
        /** It tells what goes on in one of its sessions. */
        void updated(String session, JsonNode update);

        /** It wants a permission, and waits for {@link Connection#answer} with this id. */
        void permissionAsked(JsonNode id, String session, JsonNode asked);
    }

    private Connection(Process process, String name, ProviderSettings surroundings, Incoming incoming) {
        this.process = process;
        this.timers = surroundings.timers();
        this.name = name;
        this.incoming = incoming;
        this.writing = new SerialTasks(surroundings.executor(), fault -> close());
        this.out = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts the program.
     *
     * @throws AcpFault where it cannot be started
     */
    static Connection open(AcpSettings settings, ProviderSettings surroundings, Incoming incoming) {
        List<String> command = settings.command();
        try {
            Files.createDirectories(settings.directory());
            Process process = new ProcessBuilder(command)
                    .directory(settings.directory().toFile())
                    .redirectError(settings.log()
                            .map(file -> ProcessBuilder.Redirect.appendTo(file.toFile()))
                            .orElse(ProcessBuilder.Redirect.DISCARD))
                    .start();
            Connection connection = new Connection(process, settings.name(), surroundings, incoming);
            surroundings.executor().execute(connection::read);
            return connection;
        } catch (IOException e) {
            throw AcpFault.forPeople(
                    "The program " + settings.name() + " cannot be started", String.valueOf(e.getMessage()));
        }
    }

    /** Asks for something; completes on the reading thread, exceptionally with an {@link AcpFault}. */
    CompletableFuture<JsonNode> ask(String method, ObjectNode parameters) {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        ObjectNode message = Json.object().put("jsonrpc", "2.0");
        synchronized (asked) {
            if (over.isPresent()) {
                answer.completeExceptionally(over.get());
                return answer;
            }
            requests++;
            asked.put(requests, answer);
            message.put("id", requests);
        }
        message.put("method", method).set("params", parameters);
        write(message);
        return answer;
    }

    /** Tells something. */
    void tell(String method, ObjectNode parameters) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("method", method);
        message.set("params", parameters);
        write(message);
    }

    /** Answers what the program has asked. */
    void answer(JsonNode id, ObjectNode result) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0");
        message.set("id", id);
        message.set("result", result);
        write(message);
    }

    /** A program that asks and asks and reads no answer is ended, since what it does not read is kept. */
    private void write(ObjectNode message) {
        if (unread.incrementAndGet() > MOST_UNREAD) {
            end(AcpFault.forPeople("The program " + name + " does not read what it is told and was ended"));
            kill();
            return;
        }
        try {
            writing.execute(() -> writeNow(message));
        } catch (RejectedExecutionException e) {
            close();
        }
    }

    private void writeNow(ObjectNode message) {
        try {
            out.write(Json.write(message));
            out.write('\n');
            out.flush();
            unread.decrementAndGet();
        } catch (IOException e) {
            end(AcpFault.forPeople("The program " + name + " has ended" + exitCode()));
            kill();
        }
    }

    // ---- reading

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (Optional<String> line = line(in); line.isPresent(); line = line(in)) {
                Json.read(line.get()).filter(JsonNode::isObject).ifPresent(this::received);
            }
            end(AcpFault.forPeople("The program " + name + " has ended" + exitCode()));
        } catch (AcpFault e) {
            end(e);
        } catch (IOException e) {
            end(AcpFault.forOperators(cannotBeUnderstood() + ": " + StrippedFailure.line(e)));
        } finally {
            kill();
        }
    }

    private String exitCode() {
        try {
            return process.waitFor(1, TimeUnit.SECONDS) ? " with exit code " + process.exitValue() : "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private String cannotBeUnderstood() {
        return "The program " + name + " cannot be understood";
    }

    private Optional<String> line(BufferedReader in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != -1; c = in.read()) {
            if (c == '\n') {
                return Optional.of(line.toString());
            }
            if (line.length() >= LONGEST_LINE) {
                throw AcpFault.forOperators(
                        cannotBeUnderstood() + ": it sent a line of more than " + LONGEST_LINE + " characters");
            }
            line.append((char) c);
        }
        return Optional.empty();
    }

    private void received(JsonNode message) {
        String method = Json.text(message, "method");
        JsonNode parameters = message.path("params");
        String session = Json.text(parameters, "sessionId");
        if (method.isEmpty()) {
            answered(message);
        } else if (!message.has("id")) {
            if (method.equals("session/update")) {
                incoming.updated(session, parameters.path("update"));
            }
        } else if (method.equals("session/request_permission")) {
            incoming.permissionAsked(message.path("id"), session, parameters);
        } else {
            ObjectNode refusal = Json.object().put("jsonrpc", "2.0");
            refusal.set("id", message.path("id"));
            refusal.putObject("error").put("code", NO_SUCH_METHOD).put("message", "There is no " + method + " here.");
            write(refusal);
        }
    }

    private void answered(JsonNode message) {
        CompletableFuture<JsonNode> waiting;
        synchronized (asked) {
            waiting = Optional.ofNullable(asked.remove(message.path("id").asLong()))
                    .orElseGet(CompletableFuture::new);
        }
        JsonNode error = message.path("error");
        if (error.isObject()) {
            waiting.completeExceptionally(refusal(error));
        } else {
            waiting.complete(message.path("result"));
        }
    }

    private AcpFault refusal(JsonNode error) {
        int code = error.path("code").asInt();
        return code == LOGIN_NEEDED
                ? AcpFault.forPeople("The program " + name
                        + " wants a login first: log in with it on this machine, or give it its key in the environment")
                : AcpFault.saying("The program " + name + " answered with error " + code, Json.text(error, "message"));
    }

    private void end(AcpFault fault) {
        List<CompletableFuture<JsonNode>> waiting;
        synchronized (asked) {
            over = over.or(() -> Optional.of(fault));
            waiting = List.copyOf(asked.values());
            asked.clear();
        }
        waiting.forEach(each -> each.completeExceptionally(fault));
    }

    /** Returns whether the program can still be asked. */
    boolean isOpen() {
        synchronized (asked) {
            return over.isEmpty() && process.isAlive();
        }
    }

    /** Ends the program and whatever it has started, by force where they do not end by themselves; what was asked is not answered any more. */
    @Override
    public void close() {
        end(AcpFault.forPeople("The program " + name + " was told to end"));
        kill();
    }

    /** The process is not asked itself: it would close the stream that is being written to, and wait for that. */
    private void kill() {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        try {
            timers.after(PATIENCE, () -> all.forEach(ProcessHandle::destroyForcibly));
        } catch (RejectedExecutionException e) {
            // The gateway has ended: what it has started was asked to.
        }
    }
}
