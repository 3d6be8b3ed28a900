package dev.parley.fakes.surroundings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Talks to a gateway over HTTP with the token of its home, as any other program would. Safe for concurrent use. */
public final class Caller {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI address;
    private final String token;
    private final int patience;

    /**
     * Talks to the gateway that listens at an address.
     *
     * @param home the home of the gateway, in which its HTTP platform keeps the token
     * @param patience how long it waits for the gateway
     * @throws IOException where the home has no token
     */
    public Caller(String address, Path home, Duration patience) throws IOException {
        this.address = URI.create(address);
        this.patience = Math.toIntExact(patience.toMillis());
        this.token = Files.readString(home.resolve("http-token")).strip();
    }

    /**
     * What a request was answered with.
     *
     * @param status the status
     * @param body the body; missing where there is none
     */
    public record Answer(int status, JsonNode body) {}

    /** Returns the token of the home. */
    String token() {
        return token;
    }

    /**
     * Hands in a message with a token of the caller's choice.
     *
     * @throws IOException where no answer comes, so that nobody knows what became of it
     */
    Answer hand(String withToken, ObjectNode body) throws IOException {
        HttpURLConnection connection = open("/v1/messages");
        connection.setRequestProperty("Authorization", "Bearer " + withToken);
        byte[] bytes = JSON.writeValueAsBytes(body);
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(bytes.length);
        connection.getOutputStream().write(bytes);
        return answer(connection);
    }

    /** Asks for something. */
    public Answer get(String path) {
        try {
            HttpURLConnection connection = open(path);
            connection.setRequestProperty("Authorization", "Bearer " + token);
            return answer(connection);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpURLConnection open(String path) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) address.resolve(path).toURL().openConnection();
        connection.setConnectTimeout(patience);
        connection.setReadTimeout(patience);
        connection.setRequestProperty("Accept", "application/json");
        return connection;
    }

    private static Answer answer(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(status, body == null ? MissingNode.getInstance() : JSON.readTree(body));
        }
    }
}
