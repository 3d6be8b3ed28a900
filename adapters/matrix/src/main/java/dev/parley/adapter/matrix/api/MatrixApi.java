package dev.parley.adapter.matrix.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiAnswer;
import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiClient.ApiCall;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.Secrets;
import dev.parley.adapter.kit.api.WholeFile;
import dev.parley.adapter.kit.json.Nulls;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * Calls the client-server API of a homeserver for one account. The token goes in a header and is shown nowhere. Safe for concurrent
 * use; a call blocks its thread until it is answered.
 */
public final class MatrixApi {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int LONGEST_ANSWER = 64 << 20;
    private static final int LONGEST_WORDS = 200;
    private static final long LONGEST_PAUSE_MILLIS = Duration.ofDays(1).toMillis();

    private final ApiClient client;
    private final URI base;
    private final Duration patience;
    private final Map<String, String> headers;
    private final Secrets secrets;

    /**
     * The API for one account.
     *
     * @param executor runs what the client does in the background
     * @param base the homeserver's address, without a slash at its end
     * @param token the account's access token
     * @param patience how long an answer may take, but for those that wait for something to happen
     */
    public MatrixApi(Executor executor, URI base, String token, Duration patience) {
        this.secrets = new Secrets(token);
        this.client = new ApiClient(executor, CONNECT, secrets, LONGEST_ANSWER);
        this.base = base;
        this.patience = patience;
        this.headers = Map.of("Authorization", "Bearer " + token);
    }

    /**
     * Returns a path below {@code /_matrix/}, each {@code {}} replaced by the next value, encoded.
     *
     * @param pattern such as {@code client/v3/rooms/{}/join}
     */
    public static String path(String pattern, String... values) {
        StringBuilder path = new StringBuilder("/_matrix/");
        int value = 0;
        int from = 0;
        for (int at = pattern.indexOf("{}"); at >= 0; at = pattern.indexOf("{}", from)) {
            path.append(pattern, from, at).append(encoded(values[value++]));
            from = at + 2;
        }
        return path.append(pattern, from, pattern.length()).toString();
    }

    /** Returns who the token belongs to. */
    public Account whoami(Duration timeout) throws MatrixError, ApiFailure, InterruptedException {
        String user = call("GET", "whoami", path("client/v3/account/whoami"), Map.of(), Optional.empty(), timeout)
                .path("user_id")
                .asText();
        if (user.isBlank()) {
            throw new MatrixError("whoami", 200, "", "no account", Optional.empty());
        }
        return new Account(user);
    }

    /** Asks for something; what it throws is that of {@link #call}. */
    public JsonNode get(String name, String path, Map<String, String> query)
            throws MatrixError, ApiFailure, InterruptedException {
        return call("GET", name, path, query, Optional.empty(), patience);
    }

    /** Sets something; what it throws is that of {@link #call}. */
    public JsonNode put(String name, String path, Object body) throws MatrixError, ApiFailure, InterruptedException {
        return call("PUT", name, path, Map.of(), Optional.of(body), patience);
    }

    /** Has something done; what it throws is that of {@link #call}. */
    public JsonNode post(String name, String path, Map<String, String> query, Object body)
            throws MatrixError, ApiFailure, InterruptedException {
        return call("POST", name, path, query, Optional.of(body), patience);
    }

    /**
     * Makes a call and returns its answer.
     *
     * @param name what it is called in messages; holds no secret
     * @throws MatrixError where the homeserver says that it did not do it
     * @throws ApiFailure where there is no answer
     * @throws InterruptedException where the thread was interrupted; the call may have been carried out
     */
    public JsonNode call(
            String verb, String name, String path, Map<String, String> query, Optional<Object> body, Duration timeout)
            throws MatrixError, ApiFailure, InterruptedException {
        return result(
                name,
                client.call(new ApiCall(name, verb, address(path, query), headers, body, Optional.empty(), timeout)));
    }

    /** Hands in a file and returns its address, which begins with {@code mxc://}; what it throws is that of {@link #call}. */
    public String upload(WholeFile file, String fileName, Duration timeout)
            throws MatrixError, ApiFailure, InterruptedException {
        URI address = address(path("media/v3/upload"), Map.of("filename", fileName));
        return result(
                        "upload",
                        client.call(new ApiCall(
                                "upload", "POST", address, headers, Optional.empty(), Optional.of(file), timeout)))
                .path("content_uri")
                .asText();
    }

    /** Begins to fetch a file; the caller closes the stream. */
    public HttpResponse<InputStream> download(String path, Duration timeout) throws ApiFailure, InterruptedException {
        return client.fetch(ApiCall.get("download", address(path, Map.of()), headers, timeout));
    }

    /** Returns a text without the token. */
    public String scrub(String text) {
        return secrets.scrub(text);
    }

    private URI address(String path, Map<String, String> query) {
        String asked = query.entrySet().stream()
                .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                .sorted()
                .collect(Collectors.joining("&"));
        return URI.create(base + path + (asked.isEmpty() ? "" : "?" + asked));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private JsonNode result(String name, ApiAnswer answer) throws MatrixError {
        JsonNode body = Nulls.dropped(answer.body());
        if (answer.isSuccess() && body.isObject()) {
            return body;
        }
        String code = body.path("errcode").asText();
        throw new MatrixError(
                name, answer.status(), line(code), line(body.path("error").asText()), pause(answer, body));
    }

    private static Optional<Duration> pause(ApiAnswer answer, JsonNode body) {
        JsonNode millis = body.path("retry_after_ms");
        Optional<Duration> said = millis.isNumber() && millis.asLong() >= 0
                ? Optional.of(Duration.ofMillis(Math.min(millis.asLong(), LONGEST_PAUSE_MILLIS)))
                : Optional.empty();
        Optional<Duration> header = answer.retryAfter();
        if (said.isPresent() && header.isPresent()) {
            return said.get().compareTo(header.get()) >= 0 ? said : header;
        }
        return said.or(() -> header);
    }

    private String line(String words) {
        String line = secrets.scrub(words).replaceAll("\\s+", " ");
        return line.length() > LONGEST_WORDS ? line.substring(0, LONGEST_WORDS) : line;
    }
}
