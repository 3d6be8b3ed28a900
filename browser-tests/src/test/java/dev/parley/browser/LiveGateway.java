package dev.parley.browser;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A gateway in a process of its own, on a home that a scenario has filled. */
final class LiveGateway implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;
    private static final String LIB = System.getProperty("parley.lib");

    private final Path home;
    private final Process process;
    private final URI address;
    private final HttpClient client = HttpClient.newHttpClient();

    private LiveGateway(Path home, Process process, URI address) {
        this.home = home;
        this.process = process;
        this.address = address;
    }

    /**
     * Replays a scenario in a home and starts a gateway there.
     *
     * @param home an empty directory
     * @param configuration what {@code parley.yaml} says; HTTP takes a free port besides
     * @param scenario the scenario
     */
    static LiveGateway after(Path home, String configuration, String scenario) throws Exception {
        Path log = home.resolve("replay.log");
        Path file = Files.writeString(home.resolve("scenario.jsonl"), scenario);
        Process replay = new ProcessBuilder(command(home, "replay", file.toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!replay.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || replay.exitValue() != 0) {
            replay.destroyForcibly();
            throw new AssertionError("The scenario did not run: " + Files.readString(log));
        }
        return on(home, configuration);
    }

    /**
     * Starts a gateway.
     *
     * @param home its home
     * @param configuration what {@code parley.yaml} says; HTTP takes a free port besides
     */
    static LiveGateway on(Path home, String configuration) throws Exception {
        Files.writeString(home.resolve("parley.yaml"), configuration + "platforms:\n  http:\n    port: 0\n");
        Path errors = home.resolve("gateway.err");
        Process gateway = new ProcessBuilder(command(home, "gateway"))
                .redirectInput(new File("/dev/null"))
                .redirectError(errors.toFile())
                .start();
        BufferedReader lines = gateway.inputReader(StandardCharsets.UTF_8);
        try {
            String line = CompletableFuture.supplyAsync(() -> first(lines)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return new LiveGateway(home, gateway, URI.create(line.strip()));
        } catch (Exception e) {
            gateway.destroyForcibly();
            throw new AssertionError("The gateway did not start: " + Files.readString(errors), e);
        }
    }

    private static String first(BufferedReader lines) {
        try {
            return String.valueOf(lines.readLine());
        } catch (IOException e) {
            return "";
        }
    }

    private static List<String> command(Path home, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("--module-path", LIB, "-m", "dev.parley.bootstrap/dev.parley.bootstrap.Main"));
        command.addAll(List.of("--home", home.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    Path home() {
        return home;
    }

    URI address() {
        return address;
    }

    String token() throws IOException {
        return Files.readString(home.resolve("http-token")).strip();
    }

    String readerToken() throws IOException {
        return Files.readString(home.resolve("http-token-reader")).strip();
    }

    /** Returns the lines of the audit. */
    List<String> audit() {
        try {
            return Files.readAllLines(home.resolve("audit.jsonl"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command of the program on the home and returns what it prints. */
    String run(String... arguments) throws Exception {
        return ran(new ProcessBuilder(command(home, arguments)).redirectErrorStream(true));
    }

    /** Runs another command in the home and returns its data, without what it tells beside it. */
    String data(String... arguments) throws Exception {
        return ran(new ProcessBuilder(command(home, arguments)).redirectError(ProcessBuilder.Redirect.DISCARD));
    }

    private String ran(ProcessBuilder command) throws Exception {
        Path out = Files.createTempFile(home, "run", ".out");
        Process process = command.redirectOutput(out.toFile()).start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return Files.readString(out);
    }

    /** Says something in a chat and returns the status of the answer, without waiting for what the agent says. */
    int leave(String chat, String text) throws Exception {
        String message = Texts.json(Map.of("chat_id", chat, "text", text)).replaceFirst("}$", ",\"wait\":false}");
        return send(request("/v1/messages").POST(HttpRequest.BodyPublishers.ofString(message)))
                .statusCode();
    }

    /** Asks the process to end, as a supervisor does; returns at once. */
    void terminate() {
        process.destroy();
    }

    /** Ends the process at once. */
    void kill() {
        process.destroyForcibly();
    }

    /** Takes the room for files away, as a disk that is full does, or gives it back. */
    void full(boolean full) throws Exception {
        Process limit = new ProcessBuilder(
                        "prlimit", "--pid", String.valueOf(process.pid()), full ? "--fsize=0:" : "--fsize=unlimited:")
                .inheritIO()
                .start();
        if (!limit.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || limit.exitValue() != 0) {
            throw new AssertionError("The size of files could not be limited.");
        }
    }

    /** Moves the database from one directory to another, as a volume that goes away does. */
    static void moveDatabase(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (String name : List.of("state.db", "state.db-wal", "state.db-shm")) {
            Files.deleteIfExists(to.resolve(name));
            if (Files.exists(from.resolve(name))) {
                Files.move(from.resolve(name), to.resolve(name));
            }
        }
    }

    /** Says something in a chat and waits for the answer, which is an echo. */
    void say(String chat, String text) throws Exception {
        HttpResponse<String> answer = send(request("/v1/messages")
                .POST(HttpRequest.BodyPublishers.ofString(Texts.json(Map.of("chat_id", chat, "text", text)))));
        if (answer.statusCode() != 200) {
            throw new AssertionError("Not taken: " + answer.statusCode() + " " + answer.body());
        }
    }

    /** Asks with the operator's token. */
    HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    private HttpRequest.Builder request(String path) throws IOException {
        return HttpRequest.newBuilder(address.resolve(path)).header("Authorization", "Bearer " + token());
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
        }
    }
}
