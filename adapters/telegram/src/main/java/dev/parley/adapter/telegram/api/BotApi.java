package dev.parley.adapter.telegram.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiAnswer;
import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiClient.ApiCall;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.Multipart;
import dev.parley.adapter.kit.api.Secrets;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.json.Nulls;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * Calls the Bot API of one bot. The token stands in every address, so no address is shown or thrown. Safe for concurrent use; a call
 * blocks its thread until it is answered.
 */
public final class BotApi {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int LONGEST_ANSWER = 32 << 20;
    private static final int LONGEST_DESCRIPTION = 200;

    private final ApiClient client;
    private final URI base;
    private final String token;
    private final Secrets secrets;

    /**
     * The API of one bot.
     *
     * @param executor runs what the client does in the background
     * @param base the server's address, without a slash at its end
     * @param token the bot's token
     */
    public BotApi(Executor executor, URI base, String token) {
        this.secrets = new Secrets(token);
        this.client = new ApiClient(executor, CONNECT, secrets, LONGEST_ANSWER);
        this.base = base;
        this.token = token;
    }

    /** Returns who the token belongs to. */
    public Bot me(Duration timeout) throws BotApiError, ApiFailure, InterruptedException {
        JsonNode me = call("getMe", Map.of(), timeout);
        return new Bot(me.path("id").asText(), me.path("username").asText());
    }

    /**
     * Calls a method and returns its result.
     *
     * @throws BotApiError where Telegram says that it did not do it
     * @throws ApiFailure where there is no answer, or one that is none of the Bot API
     * @throws InterruptedException where the thread was interrupted; the call may have been carried out
     */
    public JsonNode call(String method, Map<String, ?> parameters, Duration timeout)
            throws BotApiError, ApiFailure, InterruptedException {
        return result(method, client.call(ApiCall.post(method, address(method), Map.of(), parameters, timeout)));
    }

    /** Calls a method with a file; otherwise as {@link #call}. */
    public JsonNode upload(String method, Multipart form, Duration timeout)
            throws BotApiError, ApiFailure, InterruptedException {
        return result(
                method,
                client.call(new ApiCall(
                        method, "POST", address(method), Map.of(), Optional.empty(), Optional.of(form), timeout)));
    }

    /** Begins to fetch a file by the path that {@code getFile} gave; the caller closes the stream. */
    public HttpResponse<InputStream> file(String path, Duration timeout) throws ApiFailure, InterruptedException {
        String encoded = Arrays.stream(path.split("/", -1))
                .map(segment ->
                        URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
        return client.fetch(
                ApiCall.get("file", URI.create(base + "/file/bot" + token + "/" + encoded), Map.of(), timeout));
    }

    /** Returns a parameter as a form carries it: a text as it is, anything else as Json.MAPPER. */
    public String json(Object parameter) {
        try {
            return parameter instanceof String text ? text : Json.MAPPER.writeValueAsString(parameter);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("A parameter is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Returns a text without the token. */
    public String scrub(String text) {
        return secrets.scrub(text);
    }

    private URI address(String method) {
        return URI.create(base + "/bot" + token + "/" + method);
    }

    private JsonNode result(String method, ApiAnswer answer) throws BotApiError {
        JsonNode body = Nulls.dropped(answer.body());
        if (answer.isSuccess() && body.path("ok").asBoolean(false)) {
            return body.path("result");
        }
        int code = body.path("error_code").asInt(answer.status());
        JsonNode parameters = body.path("parameters");
        Optional<Duration> retryAfter = parameters.has("retry_after")
                ? ApiAnswer.seconds(parameters.path("retry_after").asText())
                : answer.retryAfter();
        Optional<String> movedTo =
                Optional.of(parameters.path("migrate_to_chat_id").asText()).filter(id -> !id.isEmpty());
        throw new BotApiError(method, code, body.has("ok"), description(body), retryAfter, movedTo);
    }

    private String description(JsonNode body) {
        String text = secrets.scrub(body.path("description").asText("no answer of the Bot API"));
        String line = text.replaceAll("\\s+", " ");
        return line.length() > LONGEST_DESCRIPTION ? line.substring(0, LONGEST_DESCRIPTION) : line;
    }
}
