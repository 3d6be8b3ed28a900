package dev.parley.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.application.spi.WebStream;
import dev.parley.application.spi.WebSurface;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The way to a surface with a login, tried in each way of being wrong. */
class DoorTest {
    @TempDir
    private Path home;

    private final FakeGateway gateway = new FakeGateway();
    private final Desk desk = new Desk();
    private final HttpClient client =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build();
    private @Nullable ChatPlatform platform;

    @AfterEach
    void stop() {
        if (platform != null) {
            platform.stop();
        }
        gateway.close();
    }

    @Test
    void aStrangersBrowserIsSentToTheLoginAndBackToThePageItWanted() throws Exception {
        start(Map.of());

        HttpResponse<String> sent = send(get("/desk/lane?key=a%3Ab").header("Accept", "text/html"));
        assertThat(sent.statusCode()).isEqualTo(303);
        assertThat(sent.headers().firstValue("Content-Security-Policy")).isPresent();
        assertThat(sent.headers().firstValue("Location")).contains("/desk/login?next=%2Fdesk%2Flane%3Fkey%3Da%253Ab");
        assertThat(send(get("/desk/lane")).statusCode()).isEqualTo(401);

        HttpResponse<String> in = login("token=" + token() + "&next=" + encoded("/desk/lane?key=a%3Ab"));
        assertThat(in.statusCode()).isEqualTo(303);
        assertThat(in.headers().firstValue("Location")).contains("/desk/lane?key=a%3Ab");
    }

    @Test
    void theCookieIsForNobodysScriptsAndForNoOtherSite() throws Exception {
        start(Map.of());

        String cookie =
                login("token=" + token()).headers().firstValue("Set-Cookie").orElseThrow();

        assertThat(cookie)
                .startsWith("parley_desk_" + address().getPort() + "=")
                .contains("; Path=/desk;", "; HttpOnly", "; SameSite=Strict")
                .doesNotContain("Secure");
        assertThat(cookie).doesNotContain(token());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://elsewhere.example/", "//elsewhere.example/desk/", "/desk\\..", "/deskelse", "/desk/a b"
            })
    void afterTheLoginNobodyIsLedElsewhere(String next) throws Exception {
        start(Map.of());

        assertThat(login("token=" + token() + "&next=" + encoded(next))
                        .headers()
                        .firstValue("Location"))
                .contains("/desk/");
    }

    @Test
    void aFormThatCarriesItsProofActsAndNoOtherDoes() throws Exception {
        start(Map.of());
        String cookie = cookie(token());
        String csrf = send(get("/desk/csrf").header("Cookie", cookie)).body();
        String ours = "http://127.0.0.1:" + address().getPort();

        assertThat(act(cookie, ours, "csrf=" + csrf).statusCode()).isEqualTo(200);
        assertThat(desk.acts).hasSize(1);

        assertThat(act(cookie, ours, "").statusCode()).isEqualTo(403);
        assertThat(act(cookie, ours, "csrf=AAAA").statusCode()).isEqualTo(403);
        assertThat(act(
                                cookie,
                                ours,
                                "csrf="
                                        + send(get("/desk/csrf").header("Cookie", cookie(token())))
                                                .body())
                        .statusCode())
                .as("the proof of another session")
                .isEqualTo(403);
        assertThat(act(cookie, "http://127.0.0.1:1", "csrf=" + csrf).statusCode())
                .as("another port of this host")
                .isEqualTo(403);
        assertThat(act(cookie, "null", "csrf=" + csrf).statusCode()).isEqualTo(403);
        assertThat(send(post("/desk/act", "csrf=" + csrf).header("Cookie", cookie))
                        .statusCode())
                .as("without saying where it comes from")
                .isEqualTo(403);
        assertThat(send(post("/desk/act", "csrf=" + csrf)
                                .header("Cookie", cookie)
                                .header("Origin", ours)
                                .header("Sec-Fetch-Site", "same-site"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(desk.acts).hasSize(1);
    }

    @Test
    void eachPageCarriesAnotherProofOfTheSameSession() throws Exception {
        start(Map.of());
        String cookie = cookie(token());

        String first = send(get("/desk/csrf").header("Cookie", cookie)).body();
        String second = send(get("/desk/csrf").header("Cookie", cookie)).body();

        assertThat(first).isNotEqualTo(second);
        String ours = "http://127.0.0.1:" + address().getPort();
        assertThat(act(cookie, ours, "csrf=" + first).statusCode()).isEqualTo(200);
        assertThat(act(cookie, ours, "csrf=" + second).statusCode()).isEqualTo(200);
    }

    @Test
    void aReaderLooksAndDoesNotAct() throws Exception {
        start(Map.of());
        String cookie =
                cookie(Files.readString(GatewayClient.readerTokenFile(home)).strip());
        String csrf = send(get("/desk/csrf").header("Cookie", cookie)).body();

        assertThat(send(get("/desk/lane").header("Cookie", cookie)).body()).isEqualTo("READER");
        assertThat(act(cookie, "http://127.0.0.1:" + address().getPort(), "csrf=" + csrf)
                        .statusCode())
                .isEqualTo(403);
        assertThat(desk.acts).isEmpty();
        assertThat(gateway.told)
                .anyMatch(act -> act.outcome().equals("refused") && act.role().equals("reader"));
    }

    @Test
    void nobodyActsThroughASurfaceThatIsReadOnly() throws Exception {
        desk.path = "/console";
        start(Map.of("console", "read_only"));

        HttpResponse<String> page = send(get("/console/lane").header("Authorization", "Bearer " + token()));
        assertThat(page.body()).isEqualTo("READER");
        assertThat(send(post("/console/act", "").header("Authorization", "Bearer " + token()))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void aCodeLetsOneBrowserInOnce() throws Exception {
        start(Map.of());
        String code = send(post("/desk/code", "").header("Authorization", "Bearer " + token()))
                .body();

        assertThat(login("code=" + code).statusCode()).isEqualTo(303);
        assertThat(login("code=" + code).statusCode()).isEqualTo(403);
        assertThat(send(post("/desk/code", "")).statusCode()).isEqualTo(401);
    }

    @Test
    void afterFiveWrongTokensNoMoreAreLookedAtForAMinute() throws Exception {
        start(Map.of());
        for (int i = 0; i < 5; i++) {
            assertThat(login("token=wrong" + i).statusCode()).isEqualTo(403);
        }

        HttpResponse<String> sixth = login("token=" + token());

        assertThat(sixth.statusCode()).isEqualTo(429);
        assertThat(sixth.headers().firstValue("Retry-After")).isPresent();
        assertThat(sixth.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(send(get("/desk/lane").header("Authorization", "Bearer " + token()))
                        .statusCode())
                .as("programs with the right token are not slowed")
                .isEqualTo(200);
    }

    @Test
    void whoLogsOutIsOutWithTheOldCookieToo() throws Exception {
        start(Map.of());
        String cookie = cookie(token());
        String csrf = send(get("/desk/csrf").header("Cookie", cookie)).body();

        HttpResponse<String> out = send(post("/desk/logout", "csrf=" + csrf)
                .header("Cookie", cookie)
                .header("Origin", "http://127.0.0.1:" + address().getPort()));

        assertThat(out.statusCode()).isEqualTo(303);
        assertThat(out.headers().firstValue("Set-Cookie").orElse("")).contains("Max-Age=0");
        assertThat(send(get("/desk/lane").header("Cookie", cookie)).statusCode())
                .isEqualTo(401);
    }

    @Test
    void everyLoginIsAuditedAndNoTokenIsInIt() throws Exception {
        start(Map.of());
        login("token=wrong");
        login("token=" + token());

        assertThat(gateway.told)
                .extracting(act -> act.action() + " " + act.outcome())
                .contains("login refused", "login done");
        assertThat(gateway.told.toString()).doesNotContain(token(), "wrong");
    }

    @Test
    void aLoginThatOpensMoreStreamsThanABrowserNeedsLosesItsOldest() throws Exception {
        start(Map.of());
        String cookie = cookie(token());
        List<HttpResponse<InputStream>> streams = new ArrayList<>();
        for (int i = 0; i < 52; i++) {
            streams.add(client.send(
                    get("/desk/stream").header("Cookie", cookie).build(), HttpResponse.BodyHandlers.ofInputStream()));
        }

        for (HttpResponse<InputStream> oldest : streams.subList(0, 2)) {
            assertThat(new String(oldest.body().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("retry: 3000\n\n");
        }

        assertThat(desk.open).hasValue(50);
        for (HttpResponse<InputStream> stream : streams) {
            stream.body().close();
        }
    }

    private void start(Map<String, String> values) {
        platform = new HttpProvider().create(gateway.settings(home, values).showing(List.of(desk)));
        Objects.requireNonNull(platform).start(gateway);
    }

    private URI address() {
        return Objects.requireNonNull(platform).address().orElseThrow();
    }

    private String token() throws Exception {
        return Files.readString(GatewayClient.tokenFile(home)).strip();
    }

    private HttpRequest.Builder get(String path) {
        return HttpRequest.newBuilder(URI.create(address() + path));
    }

    private HttpRequest.Builder post(String path, String form) {
        return get(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form));
    }

    private HttpResponse<String> login(String form) throws Exception {
        return send(post("/desk/login", form)
                .header("Origin", "http://127.0.0.1:" + address().getPort()));
    }

    private String cookie(String token) throws Exception {
        return login("token=" + token)
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .split(";", 2)[0];
    }

    private HttpResponse<String> act(String cookie, String origin, String form) throws Exception {
        return send(post("/desk/act", form).header("Cookie", cookie).header("Origin", origin));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** A surface with a login that says who asks, and notes who acts. */
    private static final class Desk implements WebSurface {
        final List<String> acts = new ArrayList<>();
        final AtomicInteger open = new AtomicInteger();
        private String path = "/desk";

        @Override
        public String path() {
            return path;
        }

        @Override
        public boolean hasLogin() {
            return true;
        }

        @Override
        public WebRole needed(String method, String asked) {
            return method.equals("GET") ? WebRole.READER : WebRole.OPERATOR;
        }

        @Override
        public WebResponse answer(WebRequest request) {
            if (request.method().equals("POST")) {
                acts.add(request.caller().name());
            }
            if (request.path().endsWith("/stream")) {
                open.incrementAndGet();
                return new WebResponse.Stream(200, Map.of("Content-Type", "text/event-stream"), new Silence());
            }
            String text = request.path().endsWith("/csrf")
                    ? request.caller().csrf().orElse("")
                    : request.caller().role().name();
            return WebResponse.text(200, "text/plain", text);
        }

        /** A stream that says nothing. */
        private final class Silence implements WebStream {
            @Override
            public String next() {
                return "";
            }

            @Override
            public void whenMore(Runnable more) {}

            @Override
            public void close() {
                open.decrementAndGet();
            }
        }
    }
}
