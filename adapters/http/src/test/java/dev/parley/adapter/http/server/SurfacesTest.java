package dev.parley.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.application.spi.WebStream;
import dev.parley.application.spi.WebSurface;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the web server shows beside its own: who gets it, and what many readers cost. */
class SurfacesTest {
    @TempDir
    private Path home;

    private final FakeGateway gateway = new FakeGateway();
    private final Board board = new Board();
    private final HttpClient client = HttpClient.newHttpClient();
    private @Nullable ChatPlatform platform;

    private ChatPlatform running() {
        return Objects.requireNonNull(platform, "start it first");
    }

    @AfterEach
    void stop() {
        if (platform != null) {
            platform.stop();
        }
        gateway.close();
    }

    @Test
    void aSurfaceIsShownToThoseWithATokenOnly() throws Exception {
        start(Map.of());

        assertThat(get("/board", "").statusCode()).isEqualTo(401);
        assertThat(get("/board", "wrong").statusCode()).isEqualTo(401);
        assertThat(get("/board", token()).body()).isEqualTo("OPERATOR at /board");
        assertThat(get("/board/more?a=b%20c", readerToken()).body()).isEqualTo("READER at /board/more b c");
        assertThat(get("/boarding", token()).statusCode()).isEqualTo(404);
    }

    @Test
    void aReadersTokenLooksAndDoesNothing() throws Exception {
        start(Map.of());

        assertThat(get("/v1/sessions", readerToken()).statusCode()).isEqualTo(200);
        assertThat(get("/v1/messages?chat_id=c", readerToken()).statusCode()).isEqualTo(403);
        assertThat(post("/v1/lanes/reset?key=agent:main:webhook:dm:c", readerToken())
                        .statusCode())
                .isEqualTo(403);
        assertThat(get("/board/operator", readerToken()).statusCode()).isEqualTo(403);
        assertThat(get("/board/operator", token()).statusCode()).isEqualTo(200);
        assertThat(gateway.changes).isEmpty();
    }

    @Test
    void theReadersTokenIsItsOwnersOnlyAsTheOtherIs() throws Exception {
        start(Map.of());

        assertThat(readerToken()).isNotEqualTo(token()).hasSizeGreaterThan(40);
        assertThat(Files.getPosixFilePermissions(GatewayClient.readerTokenFile(home)))
                .hasToString(Files.getPosixFilePermissions(GatewayClient.tokenFile(home))
                        .toString());
    }

    @Test
    void everyAnswerOfASurfaceForbidsWhatPagesNeverNeedAndARefusalToo() throws Exception {
        start(Map.of("max_body_bytes", "1024"));
        List<HttpResponse<String>> answers = List.of(
                get("/board", token()),
                get("/board", ""),
                get("/board", "wrong"),
                get("/board/operator", readerToken()),
                get("/board/broken", token()),
                get("/board/away", token()),
                client.send(
                        request("/board", token())
                                .POST(HttpRequest.BodyPublishers.ofString("x".repeat(2_000)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString()));

        assertThat(answers.stream().map(HttpResponse::statusCode)).containsExactly(200, 401, 401, 403, 500, 503, 413);
        for (HttpResponse<String> answer : answers) {
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                    .as(answer.toString())
                    .contains("default-src 'none'")
                    .doesNotContain("unsafe");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(answer.headers().firstValue("Referrer-Policy")).contains("same-origin");
        }
    }

    @Test
    void whatASurfaceFailsAtIsSaidWithoutItsInsides() throws Exception {
        start(Map.of());

        assertThat(get("/board/away", token()).statusCode()).isEqualTo(503);
        HttpResponse<String> broken = get("/board/broken", token());
        assertThat(broken.statusCode()).isEqualTo(500);
        assertThat(broken.body()).doesNotContain("insides");
        assertThat(get("/board/outdated", token()).statusCode()).isEqualTo(500);
        assertThat(gateway.warnings)
                .as("type and place, and no words of foreign code but those that name code")
                .hasSize(2)
                .allMatch(line -> line.contains(getClass().getName()))
                .noneMatch(line -> line.contains("insides"));
        assertThat(gateway.warnings.get(0))
                .startsWith("HTTP GET /board/broken failed: java.lang.IllegalStateException");
        assertThat(gateway.warnings.get(1))
                .startsWith("HTTP GET /board/outdated failed: java.lang.NoClassDefFoundError");
    }

    @Test
    void aBrowserThatAsksForAnIconBesideAPageWithoutOneIsToldOfNoRefusal() throws Exception {
        start(Map.of());
        assertThat(get("/favicon.ico", "").statusCode()).isEqualTo(204);
        assertThat(get("/favicon.ico/", "").statusCode()).isEqualTo(401);
    }

    @Test
    void livezStaysGoodWhileTheGatewayDrainsOrIsDegradedAndReadyzDoesNot() throws Exception {
        start(Map.of());
        gateway.health = GatewayHealth.of(GatewayHealth.State.DRAINING);
        assertThat(get("/livez", "").statusCode()).isEqualTo(200);
        assertThat(get("/readyz", "").statusCode()).isEqualTo(503);

        gateway.health = GatewayHealth.of(GatewayHealth.State.DEGRADED);
        assertThat(get("/livez", "").statusCode()).isEqualTo(200);
        assertThat(get("/readyz", "").statusCode()).isEqualTo(200);

        gateway.health = GatewayHealth.builder(GatewayHealth.State.REFUSING)
                .refusing(Optional.of("the disk is full"))
                .build();
        assertThat(get("/livez", "").statusCode()).isEqualTo(200);
        assertThat(get("/readyz", "").body()).isEqualTo("{\"status\":\"failing\"}");
        assertThat(get("/readyz", token()).body()).contains("\"name\":\"storage\"", "the disk is full");
    }

    @Test
    void livezFailsWhereTheGatewaysDeskDoesNotAnswer() throws Exception {
        gateway.hangs = true;
        start(Map.of());
        var answer = client.sendAsync(request("/livez", "").build(), HttpResponse.BodyHandlers.ofString());
        while (gateway.timers() == 0) {
            Thread.onSpinWait();
        }
        gateway.advance(Duration.ofSeconds(5));

        assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(503);
    }

    @Test
    void aThousandStreamsHoldNoThreadAndHearEverything() throws Exception {
        start(Map.of("max_connections", "4000"));
        List<Socket> readers = new ArrayList<>();
        try {
            for (int i = 0; i < 1_000; i++) {
                readers.add(listen());
            }
            board.await(1_000);
            awaitNoThreadAtAStream();

            board.tell("data: one\n\n");

            for (Socket reader : readers) {
                assertThat(untilLine(reader.getInputStream(), "data: one")).isTrue();
            }
        } finally {
            for (Socket reader : readers) {
                reader.close();
            }
        }
        while (board.open.get() > 0) {
            board.tell("data: gone?\n\n");
        }
    }

    @Test
    void aReaderThatTakesNothingHoldsUpNobody() throws Exception {
        start(Map.of());
        try (Socket slow = listen();
                Socket quick = listen()) {
            board.await(2);
            String large = "data: " + "x".repeat(1 << 20) + "\n\n";
            for (int i = 0; i < 50; i++) {
                board.tell(large);
            }
            board.tell("data: last\n\n");

            assertThat(untilLine(quick.getInputStream(), "data: last")).isTrue();
            assertThat(slow.isConnected()).isTrue();
        }
    }

    @Test
    void moreStreamsThanThereMayBeAreSentAway() throws Exception {
        start(Map.of("max_connections", "10"));
        List<Socket> readers = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                readers.add(listen());
            }
            board.await(5);

            HttpResponse<String> sixth = get("/board/stream", token());
            while (sixth.statusCode() == 503) {
                // The requests that have opened the streams may not all be through yet.
                sixth = get("/board/stream", token());
            }
            assertThat(sixth.statusCode()).isEqualTo(429);
            assertThat(sixth.headers().firstValue("Retry-After")).isPresent();
        } finally {
            for (Socket reader : readers) {
                reader.close();
            }
        }
    }

    @Test
    void requestsThatTheGatewayCannotRunAreRefusedAndLeaveRoomForOthers() throws Exception {
        start(Map.of("max_connections", "10"));
        gateway.rejecting = true;
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> refused = get("/board", token());
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.body()).contains("stopping");
        }
        gateway.rejecting = false;

        assertThat(get("/board", token()).statusCode()).isEqualTo(200);
    }

    @Test
    void aStreamEndsWhereTheGatewayRunsNothingAnyMore() throws Exception {
        start(Map.of());
        try (Socket reader = listen()) {
            assertThat(untilLine(reader.getInputStream(), "retry: 3000")).isTrue();
            board.await(1);
            gateway.rejecting = true;
            while (board.open.get() > 0) {
                board.tell("");
            }

            readToTheEnd(reader);
        } finally {
            gateway.rejecting = false;
        }
    }

    @Test
    void aLongAnswerIsHandedOutPieceByPiece() throws Exception {
        start(Map.of());

        assertThat(get("/board/long", token()).body()).isEqualTo("piece ".repeat(2_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/board/breaks", "/board/outdated-long", "/board/outdated-stream"})
    void anAnswerThatCannotBeMadeToItsEndIsBrokenOffAndNotTakenForTheWhole(String path) throws Exception {
        start(Map.of());

        assertThatThrownBy(() -> get(path, token())).isInstanceOf(IOException.class);
        assertThat(gateway.warnings).anyMatch(line -> line.contains(path));
        assertThat(get("/board", token()).statusCode()).isEqualTo(200);
    }

    @Test
    void aLongAnswerThatCannotBeBegunIsAnsweredAsAShortOne() throws Exception {
        start(Map.of());

        HttpResponse<String> answer = get("/board/away-long", token());

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("The storage is away.");
    }

    @Test
    void longAnswersThatNobodyTakesLeaveRoomAgainWhenTheirReadersAreGone() throws Exception {
        start(Map.of());
        List<Socket> readers = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                readers.add(listen("/board/endless"));
            }
            board.begun.await();

            HttpResponse<String> ninth = get("/board/long", token());
            assertThat(ninth.statusCode()).isEqualTo(429);
            assertThat(ninth.headers().firstValue("Retry-After")).isPresent();
            assertThat(get("/board", token()).statusCode()).isEqualTo(200);
        } finally {
            for (Socket reader : readers) {
                reader.close();
            }
        }
        while (get("/board/long", token()).statusCode() == 429) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aStopBreaksLongAnswersOff() throws Exception {
        start(Map.of());
        try (Socket reader = listen("/board/endless")) {
            assertThat(reader.getInputStream().read())
                    .as("the answer has begun")
                    .isPositive();

            running().stop();

            readToTheEnd(reader);
        }
    }

    /** Returns once the server has closed the connection, in order or not. */
    private static void readToTheEnd(Socket reader) {
        try {
            long unread = reader.getInputStream().transferTo(OutputStream.nullOutputStream());
            assertThat(unread).isNotNegative();
        } catch (IOException reset) {
            assertThat(reset).isInstanceOf(SocketException.class);
        }
    }

    /** Returns once no thread runs or waits in a stream: what opened them leaves them soon, and one held by a stream never would. */
    private static void awaitNoThreadAtAStream() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        List<String> held = threadsAtStreams();
        while (!held.isEmpty() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            held = threadsAtStreams();
        }
        assertThat(held).as("threads in streams that nobody writes to").isEmpty();
    }

    private static List<String> threadsAtStreams() {
        String surfaces = Surfaces.class.getName();
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> Arrays.stream(thread.getValue())
                        .map(StackTraceElement::getClassName)
                        .anyMatch(name -> name.equals(surfaces)
                                || name.startsWith(surfaces + "$")
                                || name.startsWith(Board.class.getName())))
                .map(thread -> thread.getKey().getName())
                .toList();
    }

    private Socket listen() throws Exception {
        return listen("/board/stream");
    }

    private Socket listen(String path) throws Exception {
        URI address = running().address().orElseThrow();
        Socket socket = new Socket(address.getHost(), address.getPort());
        OutputStream out = socket.getOutputStream();
        out.write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token() + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return socket;
    }

    private static boolean untilLine(InputStream from, String wanted) throws Exception {
        InputStream in = new BufferedInputStream(from);
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                if (line.toString().strip().equals(wanted)) {
                    return true;
                }
                line.setLength(0);
            } else {
                line.append((char) c);
            }
        }
        return false;
    }

    private void start(Map<String, String> values) {
        platform = new HttpProvider()
                .create(gateway.settings(home, new HashMap<>(values)).showing(List.of(board)));
        running().start(gateway);
    }

    private String token() throws Exception {
        return Files.readString(GatewayClient.tokenFile(home)).strip();
    }

    private String readerToken() throws Exception {
        return Files.readString(GatewayClient.readerTokenFile(home)).strip();
    }

    private HttpRequest.Builder request(String path, String token) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(running().address().orElseThrow() + path));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> get(String path, String token) throws Exception {
        return client.send(request(path, token).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String token) throws Exception {
        return client.send(
                request(path, token).POST(HttpRequest.BodyPublishers.noBody()).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** A surface that says who asked, and tells what it is told to tell. */
    private static final class Board implements WebSurface {
        final AtomicInteger open = new AtomicInteger();
        private final Set<Reading> readings = ConcurrentHashMap.newKeySet();
        final CountDownLatch begun = new CountDownLatch(8);
        private volatile CountDownLatch opened = new CountDownLatch(0);

        void await(int readers) throws InterruptedException {
            CountDownLatch latch;
            synchronized (this) {
                latch = new CountDownLatch(Math.max(0, readers - open.get()));
                opened = latch;
            }
            assertThat(open.get() >= readers || latch.await(60, TimeUnit.SECONDS))
                    .as("%s streams are open", readers)
                    .isTrue();
        }

        void tell(String piece) {
            readings.forEach(reading -> reading.tell(piece));
        }

        @Override
        public String path() {
            return "/board";
        }

        @Override
        public WebRole needed(String method, String path) {
            return path.equals("/board/operator") ? WebRole.OPERATOR : WebRole.READER;
        }

        @Override
        public WebResponse answer(WebRequest request) {
            return switch (request.path()) {
                case "/board/away" -> throw new StorageUnavailable("The storage is away.", null);
                case "/board/broken" -> throw new IllegalStateException("insides");
                case "/board/outdated" -> throw new NoClassDefFoundError("org/acme/Gone");
                case "/board/stream" ->
                    new WebResponse.Stream(200, Map.of("Content-Type", "text/event-stream"), new Reading());
                case "/board/outdated-stream" ->
                    new WebResponse.Stream(200, Map.of("Content-Type", "text/event-stream"), new Outdated());
                case "/board/long" -> pieces(piece -> piece < 2_000 ? Optional.of("piece ") : Optional.empty());
                case "/board/breaks" ->
                    pieces(piece -> {
                        if (piece == 5) {
                            throw new IllegalStateException("insides");
                        }
                        return Optional.of("piece ".repeat(10_000));
                    });
                case "/board/outdated-long" ->
                    pieces(piece -> {
                        if (piece == 1) {
                            throw new NoClassDefFoundError("org/acme/Gone");
                        }
                        return Optional.of("piece ");
                    });
                case "/board/away-long" ->
                    pieces(piece -> {
                        throw new StorageUnavailable("The storage is away.", null);
                    });
                case "/board/endless" ->
                    pieces(piece -> {
                        if (piece == 0) {
                            begun.countDown();
                        }
                        return Optional.of("x".repeat(1 << 20));
                    });
                default ->
                    WebResponse.text(
                            200,
                            "text/plain",
                            request.caller().role() + " at " + request.path()
                                    + request.parameter("a").map(a -> " " + a).orElse(""));
            };
        }

        private static WebResponse pieces(IntFunction<Optional<String>> made) {
            AtomicInteger next = new AtomicInteger();
            return new WebResponse.Pieces(
                    200, Map.of("Content-Type", "text/plain"), () -> made.apply(next.getAndIncrement()));
        }

        /** A stream that was compiled against something that is gone. */
        private static final class Outdated implements WebStream {
            @Override
            public String next() {
                throw new NoClassDefFoundError("org/acme/Gone");
            }

            @Override
            public void whenMore(Runnable more) {}

            @Override
            public void close() {}
        }

        private final class Reading implements WebStream {
            private final StringBuilder waiting = new StringBuilder();
            private Runnable wake = () -> {};

            void tell(String piece) {
                Runnable now;
                synchronized (this) {
                    waiting.append(piece);
                    now = wake;
                }
                now.run();
            }

            @Override
            public synchronized String next() {
                String all = waiting.toString();
                waiting.setLength(0);
                return all;
            }

            @Override
            public void whenMore(Runnable more) {
                synchronized (this) {
                    wake = more;
                }
                readings.add(this);
                synchronized (Board.this) {
                    open.incrementAndGet();
                    opened.countDown();
                }
            }

            @Override
            public void close() {
                if (readings.remove(this)) {
                    open.decrementAndGet();
                }
            }
        }
    }
}
