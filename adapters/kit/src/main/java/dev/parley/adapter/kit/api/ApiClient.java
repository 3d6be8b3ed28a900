package dev.parley.adapter.kit.api;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.adapter.kit.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/**
 * Calls a platform's JSON API and tells what was not sent from what is not known. Follows no redirect, since a token would follow
 * it. Nothing it says or throws holds a secret of the account: calls are named by their method, not by their address. Safe for
 * concurrent use; a call blocks its thread until the answer is whole.
 */
public final class ApiClient {
    /**
     * So long a start waits for the first answer of a platform, on a machine that is busy with other work too: a token that is wrong is told
     * by it, and a platform that is away is connected to later.
     */
    public static final Duration FIRST_ANSWER = Duration.ofSeconds(12);

    /** How much later than the client's own time-out a whole answer is given up. */
    private static final long GRACE_MILLIS = 250;
    /** So long a file may say nothing at most. */
    private static final Duration SILENCE = Duration.ofSeconds(15);

    private final HttpClient client;
    private final Executor executor;
    private final Secrets secrets;
    private final int bodyLimit;

    /**
     * A client for one account.
     *
     * @param executor runs what the client does in the background
     * @param connectTimeout how long making a connection may take
     * @param secrets the account's secrets
     * @param bodyLimit the most bytes of an answer's JSON
     */
    public ApiClient(Executor executor, Duration connectTimeout, Secrets secrets, int bodyLimit) {
        this.client = HttpClient.newBuilder()
                .executor(executor)
                .connectTimeout(connectTimeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        this.executor = executor;
        this.secrets = secrets;
        this.bodyLimit = bodyLimit;
    }

    /** Returns the client below, for connections that are no calls, such as web sockets. */
    public HttpClient http() {
        return client;
    }

    /**
     * Makes a call and returns its answer, whatever its status.
     *
     * @throws ApiFailure.NotSent where the request did not leave this machine
     * @throws ApiFailure.Unknown where it may have arrived
     * @throws InterruptedException where the thread was interrupted; the call may have arrived
     */
    public ApiAnswer call(ApiCall call) throws ApiFailure, InterruptedException {
        HttpResponse<byte[]> response = send(call, request(call));
        return new ApiAnswer(response.statusCode(), response.headers(), json(response.body()));
    }

    /**
     * Begins to fetch a file; the caller closes the stream. Reading it fails where nothing comes for too long: the call's timeout, 15 seconds
     * at most.
     *
     * @throws ApiFailure where there is no answer
     * @throws InterruptedException where the thread was interrupted
     */
    public HttpResponse<InputStream> fetch(ApiCall call) throws ApiFailure, InterruptedException {
        try {
            Duration silence = call.timeout().compareTo(SILENCE) < 0 ? call.timeout() : SILENCE;
            return client.send(
                    request(call),
                    head -> BodySubscribers.mapping(
                            BodySubscribers.ofInputStream(), body -> new PatientBody(body, silence, executor)));
        } catch (IOException e) {
            throw failure(call, e);
        }
    }

    private HttpResponse<byte[]> send(ApiCall call, HttpRequest request) throws ApiFailure, InterruptedException {
        // The client's own time-out ends with the answer's head: a body that stops half-way would be waited for without
        // end.
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, head -> new LimitedBody(BodySubscribers.ofByteArray(), bodyLimit));
        try {
            return answer.get(call.timeout().toMillis() + GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failure(call, cause(e));
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw failure(call, new HttpTimeoutException("the answer stopped half-way"));
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
    }

    private static IOException cause(ExecutionException e) {
        return e.getCause() instanceof IOException known ? known : new IOException(String.valueOf(e.getCause()), e);
    }

    private HttpRequest request(ApiCall call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(call.address()).timeout(call.timeout());
        call.headers().forEach(request::header);
        if (call.form().isPresent()) {
            request.header("Content-Type", call.form().get().contentType());
            request.method(call.verb(), call.form().get().body());
        } else if (call.body().isPresent()) {
            request.header("Content-Type", "application/json; charset=utf-8");
            request.method(
                    call.verb(), BodyPublishers.ofByteArray(bytes(call.body().get())));
        } else {
            request.method(call.verb(), BodyPublishers.noBody());
        }
        return request.build();
    }

    private ApiFailure failure(ApiCall call, IOException e) {
        String where = call.name() + " at " + host(call.address());
        if (isNotSent(e)) {
            return new ApiFailure.NotSent(where + " could not be reached: " + secrets.scrub(reason(e)), e);
        }
        return new ApiFailure.Unknown(where + " gave no whole answer: " + secrets.scrub(reason(e)), e);
    }

    private static boolean isNotSent(Throwable e) {
        for (Throwable at = e; at != null; at = at.getCause()) {
            boolean before = at instanceof ConnectException
                    || at instanceof HttpConnectTimeoutException
                    || at instanceof UnknownHostException
                    || at instanceof UnresolvedAddressException
                    || at instanceof SSLHandshakeException;
            if (before) {
                return true;
            }
        }
        return false;
    }

    private static String reason(Throwable e) {
        return Optional.ofNullable(e.getMessage()).orElseGet(() -> e.getClass().getSimpleName());
    }

    /** Returns host and port: the path may hold a token. */
    private static String host(URI address) {
        return address.getHost() + (address.getPort() < 0 ? "" : ":" + address.getPort());
    }

    private static JsonNode json(byte[] body) {
        try {
            JsonNode read = Json.MAPPER.readTree(body);
            return read == null ? MissingNode.getInstance() : read;
        } catch (IOException notJson) {
            return MissingNode.getInstance();
        }
    }

    private static byte[] bytes(Object body) {
        try {
            return Json.MAPPER.writeValueAsBytes(body);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("The body of a call is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * A call.
     *
     * @param name the API's method, for messages; holds no secret
     * @param verb the HTTP method
     * @param address the whole address
     * @param headers further headers
     * @param body what is sent as JSON
     * @param form what is sent instead
     * @param timeout how long the answer may take
     */
    public record ApiCall(
            String name,
            String verb,
            URI address,
            Map<String, String> headers,
            Optional<Object> body,
            Optional<Form> form,
            Duration timeout) {
        public ApiCall {
            headers = Map.copyOf(headers);
        }

        /** Returns a call that asks. */
        public static ApiCall get(String name, URI address, Map<String, String> headers, Duration timeout) {
            return new ApiCall(name, "GET", address, headers, Optional.empty(), Optional.empty(), timeout);
        }

        /** Returns a call that hands in JSON: a tree, or maps, lists, texts and numbers. */
        public static ApiCall post(
                String name, URI address, Map<String, String> headers, Object body, Duration timeout) {
            return new ApiCall(name, "POST", address, headers, Optional.of(body), Optional.empty(), timeout);
        }

        @Override
        public String toString() {
            return verb + " " + name;
        }
    }
}
