package dev.parley.bootstrap.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** Talks to a gateway over HTTP with the token of its home, as any other program would. */
public final class Caller {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PATIENCE_MILLIS = 120_000;

    private final String address;
    private final String token;
    private final int patience;

    /** Talks to the gateway that listens at an address, with the token of its home. */
    public Caller(String address, Path home) throws IOException {
        this(address, home, Duration.ofMillis(PATIENCE_MILLIS));
    }

    /** Talks to a gateway that listens at an address, with the token of its home; waits so long for it. */
    public Caller(String address, Path home, Duration patience) throws IOException {
        this.address = address;
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

    /** Says something and waits for the answer. */
    Answer say(String chat, String text, String messageId) {
        return post(message(chat, text, messageId));
    }

    /** Says something and returns at once. */
    Answer leave(String chat, String text, String messageId) {
        return post(message(chat, text, messageId).put("wait", false));
    }

    private static ObjectNode message(String chat, String text, String messageId) {
        return JSON.createObjectNode()
                .put("chat_id", chat)
                .put("user_id", "u-" + chat)
                .put("text", text)
                .put("message_id", messageId);
    }

    private Answer post(ObjectNode body) {
        try {
            return hand(token, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Hands in a message with a token of the caller's choice.
     *
     * @throws IOException where no answer comes, so that nobody knows what became of it
     */
    public Answer hand(String withToken, ObjectNode body) throws IOException {
        HttpURLConnection connection = open("/v1/messages", "application/json");
        connection.setRequestProperty("Authorization", "Bearer " + withToken);
        send(connection, body);
        return answer(connection);
    }

    /** Returns the token of the home. */
    public String token() {
        return token;
    }

    /** Says something and returns when the answer has begun to come; the connection stays as it is. */
    void sayUntilDelta(String chat, String text, String messageId) throws IOException {
        HttpURLConnection connection = open("/v1/messages", "text/event-stream");
        send(connection, message(chat, text, messageId));
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.equals("event: delta")) {
                return;
            }
        }
        throw new AssertionError("The answer ended before it began");
    }

    /** Says something and returns the events that come until the answer is there: their names, that of the last one with its text. */
    List<String> stream(String chat, String text, String messageId) throws IOException {
        HttpURLConnection connection = open("/v1/messages", "text/event-stream");
        send(connection, message(chat, text, messageId));
        List<String> events = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            String name = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    String said = JSON.readTree(line.substring("data: ".length()))
                            .path("text")
                            .asText();
                    events.add(name.equals("done") ? name + ": " + said : name);
                }
            }
        }
        return events;
    }

    /** Asks for something. */
    public Answer get(String path) {
        try {
            return answer(open(path, "application/json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the lane of a chat of this caller. */
    JsonNode lane(String chat) {
        String key = "agent:main:webhook:dm:" + chat;
        for (JsonNode lane : get("/v1/lanes").body()) {
            if (lane.path("session_key").asText().equals(key)) {
                return lane;
            }
        }
        throw new AssertionError("No lane " + key);
    }

    /** Returns what a session's messages say, each behind its role, without empty ones. */
    List<String> transcript(String session) {
        return texts(get("/v1/sessions/" + session + "/messages").body(), "role", "content");
    }

    /** Returns what was sent to a chat, each behind its kind. */
    List<String> sent(String chat) {
        return texts(
                get("/v1/messages?chat_id=" + URLEncoder.encode(chat, StandardCharsets.UTF_8))
                        .body()
                        .path("messages"),
                "kind",
                "text");
    }

    private static List<String> texts(JsonNode rows, String label, String text) {
        return StreamSupport.stream(rows.spliterator(), false)
                .filter(row -> !row.path(text).asText().isEmpty())
                .map(row -> row.path(label).asText() + ": " + row.path(text).asText())
                .toList();
    }

    private HttpURLConnection open(String path, String accept) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(address).resolve(path).toURL().openConnection();
        connection.setConnectTimeout(patience);
        connection.setReadTimeout(patience);
        connection.setRequestProperty("Authorization", "Bearer " + token);
        connection.setRequestProperty("Accept", accept);
        return connection;
    }

    private static void send(HttpURLConnection connection, ObjectNode body) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(body);
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(bytes.length);
        connection.getOutputStream().write(bytes);
    }

    private static Answer answer(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(status, body == null ? MissingNode.getInstance() : JSON.readTree(body));
        }
    }
}
