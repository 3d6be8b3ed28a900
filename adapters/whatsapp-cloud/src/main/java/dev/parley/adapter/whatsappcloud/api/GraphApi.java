package dev.parley.adapter.whatsappcloud.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiAnswer;
import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiClient.ApiCall;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.Form;
import dev.parley.adapter.kit.api.Secrets;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.json.Nulls;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.stream.StreamSupport;

/** Calls the Graph API for one phone number. Safe for concurrent use; a call blocks its thread until it is answered. */
public final class GraphApi {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int LONGEST_ANSWER = 4 << 20;
    private static final int LONGEST_DESCRIPTION = 200;
    /** Says in minutes when a business may call again. */
    private static final String USAGE = "X-Business-Use-Case-Usage";

    private final ApiClient client;
    private final URI base;
    private final String number;
    private final Map<String, String> authorized;
    private final Secrets secrets;

    /**
     * The API for one number.
     *
     * @param executor runs what the client does in the background
     * @param base the API's address with its version, without a slash at its end
     * @param number the number's id at Meta
     * @param token the access token
     */
    public GraphApi(Executor executor, URI base, String number, String token) {
        this.secrets = new Secrets(token);
        this.client = new ApiClient(executor, CONNECT, secrets, LONGEST_ANSWER);
        this.base = base;
        this.number = number;
        this.authorized = Map.of("Authorization", "Bearer " + token);
    }

    /** Asks for the number, which tells whether token and number fit. */
    public JsonNode number(Duration timeout) throws GraphError, ApiFailure, InterruptedException {
        return call(ApiCall.get("phone_number", URI.create(base + "/" + number + "?fields=id"), authorized, timeout));
    }

    /**
     * Hands in a message, or tells what was read.
     *
     * @throws GraphError where Meta says that it did not do it
     * @throws ApiFailure where there is no answer
     * @throws InterruptedException where the thread was interrupted; the call may have been carried out
     */
    public JsonNode messages(Map<String, ?> body, Duration timeout)
            throws GraphError, ApiFailure, InterruptedException {
        return call(ApiCall.post("messages", URI.create(base + "/" + number + "/messages"), authorized, body, timeout));
    }

    /** Hands in a file; otherwise as {@link #messages}. */
    public JsonNode upload(Form form, Duration timeout) throws GraphError, ApiFailure, InterruptedException {
        return call(new ApiCall(
                "media",
                "POST",
                URI.create(base + "/" + number + "/media"),
                authorized,
                Optional.empty(),
                Optional.of(form),
                timeout));
    }

    /** Asks where a file that somebody sent lies; {@code id} holds letters, digits and dashes. */
    public JsonNode media(String id, Duration timeout) throws GraphError, ApiFailure, InterruptedException {
        return call(ApiCall.get("media", URI.create(base + "/" + id), authorized, timeout));
    }

    /** Begins to fetch a file from where it lies; the caller closes the stream. */
    public HttpResponse<InputStream> file(URI address, Duration timeout) throws ApiFailure, InterruptedException {
        return client.fetch(ApiCall.get("file", address, authorized, timeout));
    }

    /** Returns whether files may be fetched from an address: the token does not leave the ways that the API itself uses. */
    public boolean mayFetch(URI address) {
        return address.getHost() != null
                && ("https".equalsIgnoreCase(address.getScheme())
                        || String.valueOf(base.getScheme()).equalsIgnoreCase(address.getScheme()));
    }

    /** Returns a text without the token. */
    public String scrub(String text) {
        return secrets.scrub(text);
    }

    private JsonNode call(ApiCall call) throws GraphError, ApiFailure, InterruptedException {
        ApiAnswer answer = client.call(call);
        JsonNode body = Nulls.dropped(answer.body());
        JsonNode error = body.path("error");
        if (answer.isSuccess() && !error.isObject()) {
            return body;
        }
        throw new GraphError(
                call.name(),
                answer.status(),
                error.path("code").asInt(),
                error.path("error_subcode").asInt(),
                error.isObject() && error.has("code"),
                description(error),
                answer.retryAfter().or(() -> usage(answer)));
    }

    private String description(JsonNode error) {
        String details = error.path("error_data").path("details").asText();
        String text = error.path("message").asText("no answer of the Graph API");
        String line =
                secrets.scrub(details.isEmpty() ? text : text + ": " + details).replaceAll("\\s+", " ");
        return line.length() > LONGEST_DESCRIPTION ? line.substring(0, LONGEST_DESCRIPTION) : line;
    }

    /** Returns the longest time after which some part of the business may call again. */
    private static Optional<Duration> usage(ApiAnswer answer) {
        String text = answer.headers().firstValue(USAGE).orElse("{}");
        try {
            OptionalLong minutes = StreamSupport.stream(
                            Json.MAPPER.readTree(text).spliterator(), false)
                    .flatMap(uses -> StreamSupport.stream(uses.spliterator(), false))
                    .mapToLong(
                            use -> use.path("estimated_time_to_regain_access").asLong())
                    .filter(each -> each > 0 && each <= Duration.ofDays(1).toMinutes())
                    .max();
            return minutes.isPresent() ? Optional.of(Duration.ofMinutes(minutes.getAsLong())) : Optional.empty();
        } catch (JsonProcessingException notOurs) {
            return Optional.empty();
        }
    }
}
