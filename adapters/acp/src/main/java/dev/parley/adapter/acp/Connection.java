package dev.parley.adapter.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A running program and the messages between it and us: JSON-RPC 2.0, one message a line. A thread of the executor reads for as long as
 * the program runs. Safe for concurrent use; writing blocks while the program does not read.
 */
final class Connection implements AutoCloseable {
    private static final int LONGEST_LINE = 32 << 20;
    private static final int NO_SUCH_METHOD = -32601;
    private static final int LOGIN_NEEDED = -32000;

    private final Process process;
    private final String name;
    private final BufferedWriter out;
    private final Incoming incoming;
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

    private Connection(Process process, String name, Incoming incoming) {
        this.process = process;
        this.name = name;
        this.incoming = incoming;
        this.out = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts the program.
     *
     * @throws AcpFault where it cannot be started
     */
    static Connection open(AcpSettings settings, Executor executor, Incoming incoming) {
        List<String> command = settings.command();
        try {
            Files.createDirectories(settings.directory());
            Process process = new ProcessBuilder(command)
                    .directory(settings.directory().toFile())
                    .redirectError(settings.log()
                            .map(file -> ProcessBuilder.Redirect.appendTo(file.toFile()))
                            .orElse(ProcessBuilder.Redirect.DISCARD))
                    .start();
            Connection connection = new Connection(process, command.get(0), incoming);
            executor.execute(connection::read);
            return connection;
        } catch (IOException e) {
            throw new AcpFault("The program " + command.get(0) + " cannot be started (" + e.getMessage() + ").", e);
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

    private void write(ObjectNode message) {
        try {
            synchronized (out) {
                out.write(Json.write(message));
                out.write('\n');
                out.flush();
            }
        } catch (IOException e) {
            end("The program " + name + " has ended.");
        }
    }

    // ---- reading

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (Optional<String> line = line(in); line.isPresent(); line = line(in)) {
                Json.read(line.get()).filter(JsonNode::isObject).ifPresent(this::received);
            }
            end("The program " + name + " has ended" + exitCode() + ".");
        } catch (IOException e) {
            end("The program " + name + " cannot be understood (" + e.getMessage() + ").");
        } finally {
            process.destroy();
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

    private static Optional<String> line(BufferedReader in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != -1; c = in.read()) {
            if (c == '\n') {
                return Optional.of(line.toString());
            }
            if (line.length() >= LONGEST_LINE) {
                throw new IOException("it sent a line of more than " + LONGEST_LINE + " characters");
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
            waiting.completeExceptionally(new AcpFault(
                    error.path("code").asInt() == LOGIN_NEEDED
                            ? "The program " + name
                                    + " wants a login first: log in with it on this machine, or give it its key in the environment."
                            : oneLine(Json.text(error, "message"))));
        } else {
            waiting.complete(message.path("result"));
        }
    }

    private String oneLine(String message) {
        return message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("The program " + name + " failed and did not say why.");
    }

    private void end(String why) {
        AcpFault fault = new AcpFault(why);
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

    /** Ends the program and whatever it has started; what was asked is not answered any more. */
    @Override
    public void close() {
        end("The program " + name + " was told to end.");
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }
}
