package dev.parley.adapter.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.TurnId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Talks to the gateway that runs on a home, through its HTTP interface on this machine. As an {@link InboundListener} it hands
 * messages of the platforms {@code local} and {@code webhook} to that gateway and tells how their answers come about, so that a
 * terminal works with a gateway in another process as with one in its own. Safe for concurrent use.
 *
 * <p>Every method that returns at once what the gateway says throws {@link StorageUnavailable} where the gateway does not answer
 * or cannot use its storage, and {@link InvalidRequest} where it refuses the request.
 */
public final class GatewayClient implements InboundListener {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Long enough for a search in a store that looks at every message. */
    private static final Duration LOOKING = Duration.ofMinutes(1);

    private final URI address;
    private final String token;
    private final Executor executor;
    private final HttpClient client;
    private CompletableFuture<?> previous = CompletableFuture.completedFuture(null);

    private GatewayClient(URI address, String token, Executor executor) {
        this.address = address;
        this.token = token;
        this.executor = executor;
        this.client = HttpClient.newBuilder()
                .executor(executor)
                .connectTimeout(PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /** Returns the file in a home that holds the token which the owner of the home shows. */
    public static Path tokenFile(Path home) {
        return home.resolve("http-token");
    }

    /** Returns the file in a home that holds the token of those who may look and do nothing. */
    public static Path readerTokenFile(Path home) {
        return home.resolve("http-token-reader");
    }

    /** Returns the file in a home that holds the address of the gateway while it runs; a killed gateway leaves it behind. */
    public static Path addressFile(Path home) {
        return home.resolve("http-address");
    }

    /**
     * Returns a client of the gateway that says to run on this home; absent where none does. Whether it still runs shows at the
     * first request.
     *
     * @param executor runs what waits for the gateway
     * @throws InvalidRequest where the files of the home cannot be read
     */
    public static Optional<GatewayClient> of(Path home, Executor executor) {
        Optional<String> address = read(addressFile(home));
        Optional<String> token = read(tokenFile(home));
        if (address.isEmpty() || token.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new GatewayClient(URI.create(address.get()), token.get(), executor));
        } catch (IllegalArgumentException e) {
            throw new InvalidRequest(addressFile(home) + " holds no address; delete it and start the gateway again.");
        }
    }

    private static Optional<String> read(Path file) {
        try {
            return Files.exists(file)
                    ? Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty())
                    : Optional.empty();
        } catch (IOException e) {
            throw new InvalidRequest(file + " cannot be read (" + e + "); make it readable for this user.");
        }
    }

    /** Returns where the gateway listens. */
    public URI address() {
        return address;
    }

    /** Returns the gateway's health as a JSON object; it has at least {@code status}. */
    public String health() {
        HttpResponse<String> response = send(request("/healthz").GET());
        return response.statusCode() == 503 ? response.body() : checked(response);
    }

    /** Returns the lanes as a JSON array, by key. */
    public String lanes() {
        return checked(send(request("/v1/lanes").GET()));
    }

    /** Returns the keys of the lanes that wait for a place as a JSON array, the next one first. */
    public String awaitingPlace() {
        return checked(send(request("/v1/lanes/awaiting-place").GET()));
    }

    /**
     * Has the gateway run a command that looks into its storage, and returns a JSON object with {@code out}, {@code err} and {@code code}.
     * Waits for a minute.
     *
     * @param arguments the command as it was typed
     */
    public String look(List<String> arguments) {
        String query =
                arguments.stream().map(each -> "argument=" + encode(each)).collect(Collectors.joining("&"));
        return checked(send(request("/v1/look?" + query).GET(), LOOKING));
    }

    /**
     * Returns the newest lines of a lane's history as a JSON array, newest first; absent where there is no such lane.
     *
     * @param limit the most lines, from 1 to 1000
     */
    public Optional<String> history(SessionKey lane, int limit) {
        HttpResponse<String> response =
                send(request("/v1/lanes/history?key=" + encode(lane.value()) + "&limit=" + limit)
                        .GET());
        return response.statusCode() == 404 ? Optional.empty() : Optional.of(checked(response));
    }

    /** Begins a lane anew; returns false where there is no such lane. */
    public boolean reset(SessionKey lane) {
        return change("reset", "reset", lane);
    }

    /** Suspends a lane: its next message begins it anew. Returns false where there is no such lane. */
    public boolean suspend(SessionKey lane) {
        return change("suspend", "suspended", lane);
    }

    /** Asks a lane's running turn to end; its session goes on. Returns false where none is running. */
    public boolean interrupt(SessionKey lane) {
        return change("interrupt", "interrupted", lane);
    }

    /** Takes a lane's suspension back. Returns false where it is not suspended, or there is no such lane. */
    public boolean unsuspend(SessionKey lane) {
        return change("unsuspend", "unsuspended", lane);
    }

    /** Takes a lane's latest reset back. Returns false where that cannot be done any more, a turn runs, or there is no such lane. */
    public boolean unreset(SessionKey lane) {
        return change("unreset", "unreset", lane);
    }

    /**
     * Has a lane go back to a session. Returns false where there is no such lane or session, where the lane or another one is in it, or
     * where a turn runs.
     */
    public boolean resume(SessionKey lane, SessionId session) {
        return change("resume", "resumed", lane, "session", session.value());
    }

    /** Drops a message that waits in a lane's queue; returns false where it does not wait there. */
    public boolean drop(SessionKey lane, InboundId message) {
        return change("drop", "dropped", lane, "id", message.value());
    }

    /** Tries a message that was not delivered again now; returns false where it does not wait in this gateway. */
    public boolean deliverNow(OutgoingId message) {
        return delivery("retry", "tried", message);
    }

    /** Gives up a message that was not delivered; returns false where it does not wait in this gateway or is being sent. */
    public boolean giveUp(OutgoingId message) {
        return delivery("give-up", "given_up", message);
    }

    /**
     * Returns an address that lets its opener into the gateway's console, once and within a minute. The code in it stands behind the
     * {@code #}, which browsers do not send.
     *
     * @throws InvalidRequest where the gateway has no console
     */
    public URI consoleAddress() {
        HttpResponse<String> response = send(request("/console/code").POST(HttpRequest.BodyPublishers.noBody()));
        if (response.statusCode() == 404 || response.statusCode() == 403) {
            throw new InvalidRequest(
                    "The gateway has no console, or lets nobody act through it; set platforms.http.console to on.");
        }
        return address.resolve("/console/login#code=" + checked(response));
    }

    private boolean change(String verb, String done, SessionKey lane) {
        return posted("/v1/lanes/" + verb + "?key=" + encode(lane.value()), done);
    }

    private boolean change(String verb, String done, SessionKey lane, String name, String value) {
        return posted("/v1/lanes/" + verb + "?key=" + encode(lane.value()) + "&" + name + "=" + encode(value), done);
    }

    private boolean delivery(String verb, String done, OutgoingId message) {
        return posted("/v1/deliveries/" + verb + "?id=" + encode(message.value()), done);
    }

    private boolean posted(String path, String done) {
        HttpResponse<String> response = send(request(path).POST(HttpRequest.BodyPublishers.noBody()));
        return response.statusCode() != 404
                && object(checked(response)).path(done).asBoolean();
    }

    /**
     * {@inheritDoc}
     *
     * <p>A gateway that does not answer counts as {@link Receipt.Unavailable}; where the connection breaks later, the answer is
     * told to be {@linkplain AnswerListener#closed closed} although the gateway goes on with it.
     */
    @Override
    public synchronized CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        HttpRequest request = request("/v1/messages")
                .header("Accept", "text/event-stream")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body(message)))
                .build();
        previous = previous.thenCompose(before -> {
            exchange(request, receipt, answer);
            return receipt;
        });
        return receipt;
    }

    /** A client has nothing to tell of platforms. */
    @Override
    public void connected(Platform platform) {}

    /** A client has nothing to tell of platforms. */
    @Override
    public void disconnected(Platform platform) {}

    private void exchange(HttpRequest request, CompletableFuture<Receipt> receipt, AnswerListener answer) {
        var unused = client.sendAsync(request, HttpResponse.BodyHandlers.ofLines())
                .whenCompleteAsync((response, failure) -> take(response, failure, receipt, answer), executor)
                .whenComplete((response, failure) -> {
                    if (failure != null) {
                        receipt.complete(new Receipt.Unavailable(silent(failure.toString())));
                    }
                });
    }

    private void take(
            @Nullable HttpResponse<Stream<String>> response,
            @Nullable Throwable failure,
            CompletableFuture<Receipt> receipt,
            AnswerListener answer) {
        if (response == null) {
            receipt.complete(new Receipt.Unavailable(silent(String.valueOf(failure))));
            return;
        }
        try (Stream<String> lines = response.body()) {
            if (response.statusCode() == 200) {
                follow(lines.iterator(), receipt, answer);
            } else {
                String why = why(response.statusCode(), String.join("\n", lines.toList()));
                receipt.complete(refusal(response.statusCode(), why, response.headers()));
            }
        } catch (UncheckedIOException e) {
            String why = "The connection to the gateway at " + address + " broke.";
            if (!receipt.complete(new Receipt.Unavailable(why))) {
                answer.closed(why + " The message is kept and will be answered.");
            }
        }
    }

    private static Receipt refusal(int status, String why, HttpHeaders headers) {
        if (status == 429) {
            return new Receipt.TurnedAway(why, headers.firstValue("Retry-After").flatMap(GatewayClient::seconds));
        }
        return status >= 500 ? new Receipt.Unavailable(why) : new Receipt.Refused(why);
    }

    private static Optional<Duration> seconds(String text) {
        return text.matches("[0-9]{1,6}") ? Optional.of(Duration.ofSeconds(Long.parseLong(text))) : Optional.empty();
    }

    private void follow(Iterator<String> lines, CompletableFuture<Receipt> receipt, AnswerListener answer) {
        String event = "";
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith("event: ")) {
                event = line.substring("event: ".length());
            } else if (line.startsWith("data: ")
                    && on(event, object(line.substring("data: ".length())), receipt, answer)) {
                return;
            }
        }
        throw new UncheckedIOException(new IOException("The answer ended early"));
    }

    /** Returns whether this was the last event. */
    private static boolean on(String event, JsonNode data, CompletableFuture<Receipt> receipt, AnswerListener answer) {
        switch (event) {
            case "admitted" -> {
                InboundId id = new InboundId(data.path("id").asText());
                SessionKey lane = SessionKey.of(data.path("lane").asText());
                receipt.complete(
                        data.path("duplicate").asBoolean()
                                ? new Receipt.Duplicate(id, lane)
                                : new Receipt.Admitted(id, lane));
                return false;
            }
            case "delta" -> {
                answer.streamed(
                        new TurnId(data.path("turn").asText()),
                        data.path("text").asText());
                return false;
            }
            case "reply" -> {
                answer.replied(outgoing(data));
                return false;
            }
            case "asked" -> {
                answer.asked(outgoing(data));
                return false;
            }
            case "done" -> {
                if (data.path("turn").isTextual()) {
                    answer.finished(new TurnId(data.path("turn").asText()), said(data));
                } else {
                    answer.closed(data.path("why").asText());
                }
                return true;
            }
            case "error" -> {
                answer.closed(data.path("error").asText());
                return true;
            }
            default -> {
                return false;
            }
        }
    }

    /** Returns what a row says, with a line for each file that says where the gateway hands it out. */
    private static String said(JsonNode row) {
        StringJoiner said = new StringJoiner("\n");
        String text = row.path("text").asText();
        if (!text.isEmpty() || row.path("attachments").isEmpty()) {
            said.add(text);
        }
        row.path("attachments")
                .forEach(file -> said.add("[" + file.path("kind").asText()
                        + text(file, "name").map(name -> ": " + name).orElse("") + " at "
                        + file.path("url").asText() + "]"));
        return said.toString();
    }

    private static Outgoing outgoing(JsonNode row) {
        return new Outgoing(
                new OutgoingId(row.path("id").asText()),
                text(row, "lane").map(SessionKey::of),
                Platform.of(row.path("platform").asText()),
                row.path("chat_id").asText(),
                text(row, "thread_id"),
                said(row),
                Outgoing.Kind.valueOf(row.path("kind").asText().toUpperCase(Locale.ROOT)),
                Instant.parse(row.path("created_at").asText()),
                text(row, "turn").map(TurnId::new),
                Outgoing.State.DELIVERED,
                1);
    }

    private static Optional<String> text(JsonNode row, String name) {
        return Optional.of(row.path(name)).filter(JsonNode::isTextual).map(JsonNode::textValue);
    }

    private static String body(Received message) {
        ObjectNode body = JSON.createObjectNode();
        body.set("source", JSON.valueToTree(SourceDictionary.write(message.source())));
        body.put("text", message.text());
        message.messageId().ifPresent(id -> body.put("message_id", id));
        var attachments = body.putArray("attachments");
        message.attachments().forEach(each -> {
            ObjectNode row = attachments.addObject().put("kind", each.kind()).put("url", each.location());
            each.name().ifPresent(name -> row.put("name", name));
            each.mediaType().ifPresent(type -> row.put("media_type", type));
        });
        return body.toString();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve(path)).header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        return send(request, PATIENCE);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, Duration patience) {
        try {
            return client.send(request.timeout(patience).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new StorageUnavailable(silent(e.toString()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageUnavailable("Waiting for the gateway at " + address + " was interrupted.", e);
        }
    }

    private String silent(String why) {
        return "The gateway at " + address + " does not answer (" + why + "); is it still running?";
    }

    private String checked(HttpResponse<String> response) {
        int status = response.statusCode();
        if (status >= 500) {
            throw new StorageUnavailable(why(status, response.body()), null);
        }
        if (status >= 400 && status != 404) {
            throw new InvalidRequest(why(status, response.body()));
        }
        return response.body();
    }

    private String why(int status, String body) {
        String error = object(body).path("error").asText();
        return error.isEmpty() ? "The gateway at " + address + " answered " + status + "." : error;
    }

    private static JsonNode object(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException notJson) {
            return JSON.createObjectNode();
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
