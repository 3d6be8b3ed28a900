package dev.parley.adapter.http.server;

import dev.parley.application.spi.WebSurface;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The only way in: every request passes here before anything else sees it. Checks the name and the token, refuses WebSockets, and
 * reads the body without holding a thread, within a size, a time and a budget that all bodies share. A caller that is refused
 * keeps no connection. Safe for concurrent use.
 */
final class Gate extends Handler.Wrapper {
    /** The attribute of a request that holds its {@link Guard.Caller}; absent for a stranger. */
    static final String CALLER = "dev.parley.caller";
    /** The attribute of a request that holds its body as bytes; absent where it has none. */
    static final String BODY = "dev.parley.body";

    private static final long LEAST_BUDGET = 64L << 20;
    private static final String WEBSOCKET = "websocket";

    private final Guard guard;
    private final Door door;
    private final List<WebSurface> surfaces;
    private final int bodyLimit;
    private final Duration bodyTime;
    private final long budget;
    private final AtomicLong held = new AtomicLong();
    private final Set<Body> bodies = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    Gate(HttpSettings http, Guard guard, Door door, List<WebSurface> surfaces) {
        this.guard = guard;
        this.door = door;
        this.surfaces = List.copyOf(surfaces);
        this.bodyLimit = http.bodyLimit();
        this.bodyTime = http.bodyTime();
        this.budget = Math.max(LEAST_BUDGET, 2L * bodyLimit);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!surfaces.isEmpty()) {
            Request.addCompletionListener(request, failure -> tell(request, response.getStatus()));
        }
        try {
            Optional<Door.Elsewhere> elsewhere = admit(request);
            if (elsewhere.isPresent()) {
                response.setStatus(303);
                response.getHeaders().put(HttpHeader.LOCATION, elsewhere.get().address());
                Door.HEADERS.forEach(response.getHeaders()::put);
                callback.succeeded();
                return true;
            }
            if (!hasBody(request)) {
                return super.handle(request, response, callback);
            }
            checkLength(request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH));
        } catch (Rejected e) {
            refuse(response, callback, e);
            return true;
        }
        new Body(request, response, callback).begin();
        return true;
    }

    private void tell(Request request, int status) {
        WebSurface.Served served = new WebSurface.Served(
                request.getMethod().toUpperCase(Locale.ROOT),
                route(Request.getPathInContext(request)),
                status,
                Duration.ofNanos(NanoTime.since(request.getBeginNanoTime())));
        surfaces.forEach(surface -> surface.served(served));
    }

    /** Names what a path leads to, so that no caller can make names up. */
    private String route(String path) {
        return Surfaces.of(surfaces, path)
                .map(surface -> path.equals(surface.path()) ? path : surface.path() + "/{page}")
                .orElseGet(() -> Endpoints.route(path));
    }

    /** Refuses bodies that are still coming in; requests that are whole go on. */
    void stopReading() {
        stopping = true;
        bodies.forEach(Body::stop);
    }

    private Optional<Door.Elsewhere> admit(Request request) {
        HttpFields headers = request.getHeaders();
        guard.checkHost(headers.get(HttpHeader.HOST));
        String path = String.valueOf(request.getHttpURI().getPath());
        Optional<WebSurface> surface = Surfaces.of(surfaces, Request.getPathInContext(request));
        if (surface.isPresent()) {
            checkNoWebSocket(headers);
            return door.admit(surface.get(), request);
        }
        guard.admit(request.getMethod().toUpperCase(Locale.ROOT), path, headers.get(HttpHeader.AUTHORIZATION))
                .ifPresent(caller -> request.setAttribute(CALLER, caller));
        checkNoWebSocket(headers);
        return Optional.empty();
    }

    private static void checkNoWebSocket(HttpFields headers) {
        if (headers.contains(HttpHeader.SEC_WEBSOCKET_KEY) || headers.contains(HttpHeader.UPGRADE, WEBSOCKET)) {
            throw new Rejected(
                    400, "There are no WebSockets here; ask POST /v1/messages with 'Accept: text/event-stream'.");
        }
    }

    private static boolean hasBody(Request request) {
        HttpFields headers = request.getHeaders();
        HttpField length = headers.getField(HttpHeader.CONTENT_LENGTH);
        return headers.contains(HttpHeader.TRANSFER_ENCODING) || (length != null && length.getLongValue() > 0);
    }

    private void checkLength(long length) {
        if (length > bodyLimit) {
            throw new Rejected(
                    413, "The body is larger than the " + bodyLimit + " bytes that 'max_body_bytes' allows.");
        }
    }

    private static void refuse(Response response, Callback callback, Rejected why) {
        HttpFields.Mutable headers = response.getHeaders();
        Door.HEADERS.forEach(headers::put);
        headers.put(HttpHeader.CONNECTION, "close");
        headers.put(HttpHeader.CONTENT_TYPE, "application/json");
        if (why.status() == 401) {
            headers.put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        } else if (why.status() == 503) {
            headers.put(HttpHeader.RETRY_AFTER, Responses.RETRY_SECONDS);
        }
        response.setStatus(why.status());
        response.write(true, ByteBuffer.wrap(Json.bytes(Json.error(why.message()))), callback);
    }

    /** A body that is coming in. Whoever takes it out of {@code bodies} says what becomes of the request. */
    private final class Body implements Runnable {
        private final Request request;
        private final Response response;
        private final Callback callback;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Scheduler.@Nullable Task late;

        Body(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = callback;
        }

        synchronized void begin() {
            bodies.add(this);
            late = request.getComponents()
                    .getScheduler()
                    .schedule(this::tooLate, bodyTime.toMillis(), TimeUnit.MILLISECONDS);
            if (stopping) {
                stop();
            } else {
                run();
            }
        }

        /** Takes what has arrived, and is called again when more has. */
        @Override
        public void run() {
            try {
                if (takeAll()) {
                    goOn();
                }
            } catch (Rejected e) {
                end(() -> refuse(response, callback, e));
            } catch (RuntimeException | Error e) {
                end(() -> callback.failed(e));
            }
        }

        /** Returns whether the body is whole. */
        private synchronized boolean takeAll() {
            while (bodies.contains(this)) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    request.demand(this);
                    return false;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    end(() -> callback.failed(chunk.getFailure()));
                    return false;
                }
                take(chunk);
                if (chunk.isLast()) {
                    return true;
                }
            }
            return false;
        }

        private void take(Content.Chunk chunk) {
            try {
                int more = chunk.remaining();
                checkLength((long) bytes.size() + more);
                if (held.addAndGet(more) > budget) {
                    held.addAndGet(-more);
                    throw new Rejected(503, "Too many requests are coming in at once; send this one again.");
                }
                byte[] copy = new byte[more];
                chunk.get(copy, 0, more);
                bytes.writeBytes(copy);
            } finally {
                chunk.release();
            }
        }

        private void goOn() {
            end(() -> {
                request.setAttribute(BODY, bytes.toByteArray());
                try {
                    if (!Gate.super.handle(request, response, callback)) {
                        Response.writeError(request, response, callback, 404);
                    }
                } catch (Exception e) {
                    Response.writeError(request, response, callback, e);
                }
            });
        }

        private void tooLate() {
            end(() -> refuse(
                    response,
                    callback,
                    new Rejected(408, "The body did not come within " + bodyTime.toSeconds() + " seconds.")));
        }

        void stop() {
            end(() -> refuse(response, callback, new Rejected(503, Responses.STOPPING)));
        }

        private void end(Runnable how) {
            if (!bodies.remove(this)) {
                return;
            }
            synchronized (this) {
                held.addAndGet(-bytes.size());
                if (late != null) {
                    late.cancel();
                }
            }
            how.run();
        }
    }
}
