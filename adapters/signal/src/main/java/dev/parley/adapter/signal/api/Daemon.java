package dev.parley.adapter.signal.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.adapter.kit.api.ApiAnswer;
import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiClient.ApiCall;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.Secrets;
import dev.parley.adapter.kit.json.Nulls;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** Calls a signal-cli daemon for one account. Safe for concurrent use; a call blocks its thread until it is answered. */
public final class Daemon {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int LONGEST_ANSWER = 32 << 20;
    private static final int LONGEST_MESSAGE = 200;

    private final ApiClient client;
    private final URI base;
    private final String account;
    private final Duration timeout;
    private final AtomicLong next = new AtomicLong();

    /**
     * A daemon.
     *
     * @param executor runs what the client does in the background
     * @param base its address, without a slash at its end
     * @param account the account's number
     * @param timeout how long an answer may take
     */
    public Daemon(Executor executor, URI base, String account, Duration timeout) {
        this.client = new ApiClient(executor, CONNECT, new Secrets(), LONGEST_ANSWER);
        this.base = base;
        this.account = account;
        this.timeout = timeout;
    }

    /** Whether the daemon has the account. */
    public enum Having {
        /** It has. */
        YES,
        /** It has others, or none. */
        NO,
        /** It was started for one account, and does not say for which. */
        NOT_SAID
    }

    /** Asks whether the daemon has the account, and waits no longer than is usual. */
    public Having hasAccount(Duration atMost) throws RpcError, ApiFailure, InterruptedException {
        try {
            JsonNode accounts = call("listAccounts", Map.of(), atMost.compareTo(timeout) < 0 ? atMost : timeout);
            if (!accounts.isArray()) {
                return Having.NOT_SAID;
            }
            for (JsonNode each : accounts) {
                if (each.path("number").asText().equals(account)) {
                    return Having.YES;
                }
            }
            return Having.NO;
        } catch (RpcError e) {
            if (e.code() == RpcError.NO_METHOD) {
                return Having.NOT_SAID;
            }
            throw e;
        }
    }

    /** Calls a method for the account, and waits as long as is usual. */
    public JsonNode call(String method, Map<String, ?> parameters) throws RpcError, ApiFailure, InterruptedException {
        return call(method, forAccount(parameters), timeout);
    }

    /**
     * Calls a method and returns its result.
     *
     * @throws RpcError where the daemon says that it did not do it, or answers with something else than JSON-RPC
     * @throws ApiFailure where there is no answer
     * @throws InterruptedException where the thread was interrupted; the call may have been carried out
     */
    private JsonNode call(String method, Map<String, ?> parameters, Duration atMost)
            throws RpcError, ApiFailure, InterruptedException {
        long id = next.incrementAndGet();
        return result(method, client.call(request(id, method, parameters, atMost)), id);
    }

    /**
     * Calls a method for the account and returns its whole answer as it comes; the caller closes it.
     *
     * @param atMost how long it may take until the answer begins
     */
    public HttpResponse<InputStream> open(String method, Map<String, ?> parameters, Duration atMost)
            throws ApiFailure, InterruptedException {
        return client.fetch(request(next.incrementAndGet(), method, forAccount(parameters), atMost));
    }

    /**
     * Begins to receive; completes once the stream is over, with the status of the answer, or exceptionally. The daemon may begin its
     * answer no sooner than with the first line.
     *
     * @param atMost how long it may take until the answer begins
     * @param stream reads the answer
     */
    public CompletableFuture<Integer> events(Duration atMost, EventStream stream) {
        URI address = URI.create(base + "/api/v1/events?account=" + URLEncoder.encode(account, StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(atMost)
                .header("Accept", "text/event-stream")
                .build();
        CompletableFuture<HttpResponse<Void>> answer = client.http()
                .sendAsync(
                        request,
                        head -> head.statusCode() == 200
                                ? BodySubscribers.fromSubscriber(stream)
                                : BodySubscribers.discarding());
        stream.over().thenRun(() -> answer.cancel(true));
        return answer.thenApply(HttpResponse::statusCode);
    }

    private Map<String, Object> forAccount(Map<String, ?> parameters) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("account", account);
        all.putAll(parameters);
        return all;
    }

    private ApiCall request(long id, String method, Map<String, ?> parameters, Duration atMost) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("jsonrpc", "2.0");
        request.put("method", method);
        request.put("params", parameters);
        request.put("id", id);
        return ApiCall.post(method, URI.create(base + "/api/v1/rpc"), Map.of(), request, atMost);
    }

    private static JsonNode result(String method, ApiAnswer answer, long id) throws RpcError {
        JsonNode own = own(answer.body(), id);
        // A result that is null is one, too.
        boolean done = answer.isSuccess() && own.has("result") && !own.hasNonNull("error");
        JsonNode body = Nulls.dropped(own);
        if (done) {
            return body.path("result");
        }
        JsonNode error = body.path("error");
        throw new RpcError(
                method,
                answer.status(),
                error.path("code").asInt(0),
                oneLine(error.path("message").asText()),
                error.path("data").path("response").path("results"),
                answer.retryAfter());
    }

    /** Returns what answers a call; missing where all that came answers others. A text as an id is one as well as a number. */
    private static JsonNode own(JsonNode answer, long id) {
        Iterable<JsonNode> answers = answer.isArray() ? answer : List.of(answer);
        for (JsonNode each : answers) {
            boolean names = each.hasNonNull("id");
            boolean says = each.has("result") || each.has("error");
            if (says && (!names || each.path("id").asText().equals(String.valueOf(id)))) {
                return each;
            }
        }
        return MissingNode.getInstance();
    }

    /** Numbers of people are left out. */
    private static String oneLine(String message) {
        String line = message.replaceAll("\\s+", " ").replaceAll("\\+[0-9]{4,}", "+…");
        return line.length() > LONGEST_MESSAGE ? line.substring(0, LONGEST_MESSAGE) : line;
    }
}
