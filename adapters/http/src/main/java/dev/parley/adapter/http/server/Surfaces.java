package dev.parley.adapter.http.server;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebSurface;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.MultiMap;
import org.eclipse.jetty.util.UrlEncoded;

/**
 * Answers what is asked of the surfaces, on the gateway's threads, and hands everything else on. So many requests and streams at a
 * time are answered and no more, so that a page left open everywhere costs the gateway nothing it would miss.
 */
final class Surfaces extends Handler.Wrapper {
    /** The attribute of a request that holds its {@link WebRequest.Caller}; absent for a request to no surface. */
    static final String ASKING = "dev.parley.asking";

    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /** So many streams of one login are open at a time. A browser has a few, and it is noticed late that it has left one. */
    private static final int MOST_STREAMS_OF_A_LOGIN = 50;

    /** So many long answers are handed out at a time: each reads from the storage for as long as its reader takes it. */
    private static final int MOST_HAND_OUTS = 8;

    /** Who asks, and nothing a surface needs. */
    private static final Set<String> KEPT_BACK = Set.of("authorization", "cookie");

    private final List<WebSurface> surfaces;
    private final ProviderSettings settings;
    private final Door door;
    /** How many requests are answered, and how many streams are open, at a time. */
    private final int most;

    private final AtomicInteger requests = new AtomicInteger();
    private final Set<OpenStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicLong opened = new AtomicLong();
    private final Set<HandOut> handOuts = ConcurrentHashMap.newKeySet();
    /** Whether no more of a long answer is handed out. */
    private volatile boolean ending;

    Surfaces(List<WebSurface> surfaces, ProviderSettings settings, Door door, int most) {
        this.surfaces = List.copyOf(surfaces);
        this.settings = settings;
        this.door = door;
        this.most = most;
    }

    /** Returns the surface that answers a path. */
    Optional<WebSurface> of(String path) {
        return of(surfaces, path);
    }

    static Optional<WebSurface> of(List<WebSurface> surfaces, String path) {
        return surfaces.stream()
                .filter(each -> path.equals(each.path()) || path.startsWith(each.path() + "/"))
                .findFirst();
    }

    /** Ends the streams, whose readers ask again once the gateway is back, and breaks long answers off. */
    void endStreams() {
        streams.forEach(OpenStream::end);
        ending = true;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = Request.getPathInContext(request);
        Optional<WebSurface> surface = of(path);
        if (surface.isEmpty()) {
            return super.handle(request, response, callback);
        }
        if (requests.incrementAndGet() > most) {
            requests.decrementAndGet();
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
            write(
                    response,
                    callback,
                    WebResponse.text(503, "text/plain", "Too many requests at once; try again."),
                    false);
            return true;
        }
        try {
            settings.executor().execute(() -> {
                try {
                    answer(surface.get(), path, request, response, callback);
                } finally {
                    requests.decrementAndGet();
                }
            });
        } catch (RejectedExecutionException e) {
            requests.decrementAndGet();
            response.getHeaders().put(HttpHeader.RETRY_AFTER, Responses.RETRY_SECONDS);
            write(response, callback, WebResponse.text(503, "text/plain", Responses.STOPPING), false);
        }
        return true;
    }

    private void answer(WebSurface surface, String path, Request request, Response response, Callback callback) {
        try {
            WebRequest asked = read(path, request);
            WebResponse answer = door.answer(surface, asked, door.sessionId(surface, request))
                    .orElseGet(() -> answer(surface, asked));
            if (answer instanceof WebResponse.Stream stream) {
                open(stream, asked, response, callback);
            } else if (answer instanceof WebResponse.Pieces pieces) {
                handOut(pieces, asked, response, callback);
            } else if (answer instanceof WebResponse.Whole whole) {
                write(response, callback, whole, takesGzip(request));
            }
        } catch (RuntimeException | Error e) {
            callback.failed(e);
        }
    }

    private WebResponse answer(WebSurface surface, WebRequest asked) {
        return guarded(asked, () -> surface.answer(asked));
    }

    private WebResponse guarded(WebRequest asked, Supplier<WebResponse> answer) {
        try {
            return answer.get();
        } catch (Rejected e) {
            return WebResponse.text(e.status(), "text/plain", e.message());
        } catch (StorageUnavailable e) {
            return WebResponse.text(503, "text/plain", String.valueOf(e.getMessage()));
        } catch (StorageCorrupt e) {
            return WebResponse.text(500, "text/plain", String.valueOf(e.getMessage()));
        } catch (Throwable e) {
            warn(asked, e);
            return WebResponse.text(500, "text/plain", "Something went wrong in the gateway; its log tells more.");
        }
    }

    /** Tells the operator what a surface failed at; a page may be a plug-in's. */
    private void warn(WebRequest asked, Throwable failure) {
        settings.warnings()
                .accept("HTTP " + asked.method() + " " + asked.path() + " failed: " + StrippedFailure.line(failure));
    }

    private static WebRequest read(String path, Request request) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (HttpField field : request.getHeaders()) {
            String name = field.getLowerCaseName();
            if (!KEPT_BACK.contains(name)) {
                headers.putIfAbsent(name, field.getValue());
            }
        }
        Map<String, List<String>> query = new LinkedHashMap<>();
        Request.extractQueryParameters(request).forEach(field -> query.put(field.getName(), field.getValues()));
        WebRequest.Caller caller = (WebRequest.Caller) request.getAttribute(ASKING);
        return new WebRequest(
                request.getMethod().toUpperCase(Locale.ROOT),
                path,
                query,
                form(request),
                headers,
                caller == null ? WebRequest.Caller.nobody(Request.getRemoteAddr(request)) : caller);
    }

    private static Map<String, List<String>> form(Request request) {
        Object body = request.getAttribute(Gate.BODY);
        String type = String.valueOf(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
        if (!(body instanceof byte[] bytes) || !type.startsWith("application/x-www-form-urlencoded")) {
            return Map.of();
        }
        MultiMap<String> fields = new MultiMap<>();
        UrlEncoded.decodeTo(new String(bytes, StandardCharsets.UTF_8), fields::add, StandardCharsets.UTF_8);
        return Map.copyOf(fields);
    }

    private static boolean takesGzip(Request request) {
        return String.valueOf(request.getHeaders().get(HttpHeader.ACCEPT_ENCODING))
                .contains("gzip");
    }

    private static void head(Response response, WebResponse answer) {
        response.setStatus(answer.status());
        answer.headers().forEach((name, value) -> response.getHeaders().put(name, value));
        Door.HEADERS.forEach((name, value) -> {
            if (!response.getHeaders().contains(name)) {
                response.getHeaders().put(name, value);
            }
        });
    }

    private static void write(Response response, Callback callback, WebResponse.Whole answer, boolean gzip) {
        head(response, answer);
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        if (gzip && body.length > Gzip.LEAST) {
            body = Gzip.pressed(body);
            response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
            response.getHeaders().put(HttpHeader.VARY, "Accept-Encoding");
        }
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    private void open(WebResponse.Stream answer, WebRequest asked, Response response, Callback callback) {
        OpenStream stream = new OpenStream(answer, asked, response, callback);
        streams.add(stream);
        if (streams.size() > most) {
            stream.refuse();
        } else {
            stream.begin();
            makeRoom(asked.caller());
        }
    }

    /** Ends the oldest streams of a login that has too many, so that it leaves room for others. */
    private void makeRoom(WebRequest.Caller caller) {
        if (caller.csrf().isEmpty()) {
            return;
        }
        List<OpenStream> own = streams.stream()
                .filter(each -> each.asked.caller().csrf().isPresent()
                        && each.asked.caller().name().equals(caller.name()))
                .sorted(Comparator.comparingLong(each -> each.number))
                .toList();
        own.subList(0, Math.max(0, own.size() - MOST_STREAMS_OF_A_LOGIN)).forEach(OpenStream::end);
    }

    private void handOut(WebResponse.Pieces answer, WebRequest asked, Response response, Callback callback) {
        HandOut handOut = new HandOut(answer, asked, response, callback);
        handOuts.add(handOut);
        if (handOuts.size() > MOST_HAND_OUTS) {
            handOuts.remove(handOut);
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "10");
            write(
                    response,
                    callback,
                    WebResponse.text(429, "text/plain", "Too many files are being saved; try again in a moment."),
                    false);
            return;
        }
        handOut.begin();
    }

    /** A piece, absent behind the last one, or what is to be said instead of it. */
    private record Made(Optional<String> piece, Optional<WebResponse.Whole> failure) {}

    /** A long answer to one reader. One piece is made or written at a time. */
    private final class HandOut implements Callback {
        private final WebResponse.Pieces answer;
        private final WebRequest asked;
        private final Response response;
        private final Callback callback;

        HandOut(WebResponse.Pieces answer, WebRequest asked, Response response, Callback callback) {
            this.answer = answer;
            this.asked = asked;
            this.response = response;
            this.callback = callback;
        }

        /** Makes the first piece before anything is said, so that what cannot be read at all is answered as it is elsewhere. */
        void begin() {
            Made first = make();
            if (first.failure().isPresent()) {
                handOuts.remove(this);
                Surfaces.write(response, callback, first.failure().get(), false);
            } else {
                head(response, answer);
                write(first.piece());
            }
        }

        private Made make() {
            List<String> piece = new ArrayList<>();
            WebResponse said = guarded(asked, () -> {
                answer.source().next().ifPresent(piece::add);
                return answer;
            });
            return new Made(
                    piece.stream().findFirst(),
                    said instanceof WebResponse.Whole failure ? Optional.of(failure) : Optional.empty());
        }

        private void write(Optional<String> piece) {
            if (piece.isPresent()) {
                response.write(false, StandardCharsets.UTF_8.encode(piece.get()), this);
            } else if (handOuts.remove(this)) {
                response.write(true, ByteBuffer.allocate(0), callback);
            }
        }

        private void goOn() {
            if (ending || !door.stillAdmits(asked.caller())) {
                failed(new EOFException("nobody may read on"));
                return;
            }
            Made next = make();
            if (next.failure().isPresent()) {
                failed(new EOFException("the rest cannot be read"));
            } else {
                write(next.piece());
            }
        }

        @Override
        public void succeeded() {
            try {
                settings.executor().execute(this::goOn);
            } catch (RejectedExecutionException e) {
                failed(e);
            }
        }

        @Override
        public void failed(Throwable why) {
            if (handOuts.remove(this)) {
                callback.failed(why);
            }
        }
    }

    /** A stream to one reader. At most one write is under way; what comes meanwhile waits in its source. */
    private final class OpenStream implements Callback {
        private final long number = opened.incrementAndGet();
        private final WebResponse.Stream answer;
        private final WebRequest asked;
        private final Response response;
        private final Callback callback;
        private boolean writing = true;
        private boolean again;
        private boolean beat;
        private boolean ending;

        OpenStream(WebResponse.Stream answer, WebRequest asked, Response response, Callback callback) {
            this.answer = answer;
            this.asked = asked;
            this.response = response;
            this.callback = callback;
        }

        void refuse() {
            if (leave()) {
                response.getHeaders().put(HttpHeader.RETRY_AFTER, "30");
                write(response, callback, WebResponse.text(429, "text/plain", "Too many streams are open."), false);
            }
        }

        void begin() {
            head(response, answer);
            answer.source().whenMore(this::more);
            response.write(false, StandardCharsets.UTF_8.encode("retry: 3000\n\n"), this);
            beatLater();
        }

        private void beatLater() {
            Timers.Timer unused = settings.timers().after(HEARTBEAT, () -> {
                if (!streams.contains(this)) {
                    return;
                }
                if (door.stillAdmits(asked.caller())) {
                    synchronized (this) {
                        beat = true;
                    }
                    more();
                    beatLater();
                } else {
                    end();
                }
            });
        }

        private void more() {
            synchronized (this) {
                again = true;
                if (writing) {
                    return;
                }
                writing = true;
            }
            writeLater();
        }

        /** Ends the stream where the gateway runs nothing any more: nothing would be written, and its reader would wait for ever. */
        private void writeLater() {
            try {
                settings.executor().execute(this::writeOn);
            } catch (RejectedExecutionException e) {
                failed(e);
            }
        }

        private void writeOn() {
            try {
                for (Optional<String> piece = piece(); piece.isPresent(); piece = piece()) {
                    if (!piece.get().isEmpty()) {
                        response.write(false, StandardCharsets.UTF_8.encode(piece.get()), this);
                        return;
                    }
                }
            } catch (Throwable e) {
                if (streams.contains(this)) {
                    warn(asked, e);
                }
                failed(e);
            }
        }

        /** Returns what to write now, possibly nothing yet; absent where writing pauses or is over. */
        private Optional<String> piece() {
            boolean last;
            synchronized (this) {
                again = false;
                last = ending;
            }
            if (last) {
                if (leave()) {
                    callback.succeeded();
                }
                return Optional.empty();
            }
            String text = answer.source().next();
            synchronized (this) {
                boolean beats = beat;
                beat = false;
                if (!text.isEmpty()) {
                    return Optional.of(text);
                }
                if (beats) {
                    return Optional.of(": here\n\n");
                }
                writing = again || ending;
                return writing ? Optional.of("") : Optional.empty();
            }
        }

        @Override
        public void succeeded() {
            writeLater();
        }

        @Override
        public void failed(Throwable why) {
            if (leave()) {
                callback.failed(why);
            }
        }

        /** Ends behind the write that is under way. */
        void end() {
            synchronized (this) {
                ending = true;
            }
            more();
        }

        /** Returns whether this was still there. */
        private boolean leave() {
            if (!streams.remove(this)) {
                return false;
            }
            answer.source().close();
            return true;
        }
    }
}
