package dev.parley.benchmarks;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A gateway of the distribution with the echo agent and a home of its own, and turns in it over HTTP, one after the other. */
final class TurnProcess {
    private static final int LANES = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final URI address;
    private final String token;
    private long messages;

    private TurnProcess(Process process, URI address, String token) {
        this.process = process;
        this.address = address;
        this.token = token;
    }

    /**
     * Starts one and waits until it listens.
     *
     * @param home a folder, made here
     * @param settings the text of its {@code parley.yaml}
     * @param log the format of its log: {@code text} or {@code json}
     */
    static TurnProcess start(Path home, String settings, String log) throws IOException {
        Files.createDirectories(home);
        Files.writeString(home.resolve("parley.yaml"), settings);
        ProcessBuilder builder = new ProcessBuilder(
                        System.getProperty(Commands.PROGRAM, "./parley"), "--home", home.toString(), "gateway")
                .redirectInput(new File("/dev/null"))
                .redirectError(home.resolve("errors.txt").toFile());
        builder.environment().put("PARLEY_LOG_FORMAT", log);
        Process process = builder.start();
        String line = process.inputReader(StandardCharsets.UTF_8).readLine();
        if (line == null) {
            process.destroyForcibly();
            throw new IllegalStateException(
                    "The gateway did not start: " + Files.readString(home.resolve("errors.txt")));
        }
        return new TurnProcess(
                process,
                URI.create(line.strip()),
                Files.readString(home.resolve("http-token")).strip());
    }

    /** Has this many turns, and tells what all of them took. */
    Cost turns(int count) throws IOException, InterruptedException {
        Duration before = processor();
        long begun = System.nanoTime();
        for (int i = 0; i < count; i++) {
            turn();
        }
        long wall = System.nanoTime() - begun;
        return new Cost(wall, processor().minus(before).toNanos());
    }

    private void turn() throws IOException, InterruptedException {
        long number = messages++;
        String body = "{\"chat_id\":\"c" + number % LANES + "\",\"message_id\":\"m" + number
                + "\",\"text\":\"Does it hold?\"}";
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(address.resolve("/v1/messages"))
                        .header("Authorization", "Bearer " + token)
                        .timeout(PATIENCE)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (!answer.body().contains("\"answered\"")) {
            throw new IllegalStateException("No answer: " + answer.statusCode() + " " + answer.body());
        }
    }

    private Duration processor() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Ends it and waits until it has. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    /**
     * What turns took.
     *
     * @param wall nanoseconds until the last of them was answered
     * @param processor nanoseconds that the gateway's process worked meanwhile
     */
    record Cost(long wall, long processor) {}
}
