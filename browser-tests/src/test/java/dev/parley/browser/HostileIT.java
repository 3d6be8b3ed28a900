package dev.parley.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.console.Route;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** People who write markup, pages of other origins, and forms that no page of this gateway made. */
@InBrowser
class HostileIT {
    private static final List<String> TEXTS = List.of(
            "<script>window.pwned = 1</script>",
            "<img src=x onerror=\"window.pwned = 1\">",
            "\"><svg onload=window.pwned=1>",
            "javascript:window.pwned=1",
            "</title></textarea></pre><iframe srcdoc='<script>parent.pwned=1</script>'>",
            "[click](javascript:window.pwned=1)",
            "\u202Edangerous\u202C {{frame.csrf}} {{{x}}}");

    @Test
    void whatPeopleWriteStaysTextOnEveryPage(Stage stage) throws Exception {
        Browser browser = stage.browser();
        String chat = "<b onclick=window.pwned=1>'\"&";
        for (String text : TEXTS) {
            stage.gateway().say(chat, text);
        }
        String key = "agent:main:webhook:dm:"
                + URLEncoder.encode(chat, StandardCharsets.UTF_8).replace("*", "%2A");
        stage.open("/lanes?q=" + URLEncoder.encode("<b", StandardCharsets.UTF_8));
        browser.until(
                "the chat is listed", () -> !browser.all("tbody a[href*=lane]").isEmpty());
        browser.one("tbody a[href*=lane]").click();
        browser.untilText("Why it has this session");
        assertThat(browser.text()).contains("<script>window.pwned = 1</script>");
        String lane = browser.address();
        browser.one("dl.facts a").click();
        browser.untilText("<img src=x onerror=");

        for (String page : List.of(
                browser.address(),
                lane,
                lane.replace("/lane?", "/lane/reset?"),
                "/console/",
                "/console/lanes",
                "/console/sessions",
                "/console/search?q=pwned",
                "/console/search?q=" + URLEncoder.encode(TEXTS.get(2), StandardCharsets.UTF_8),
                "/console/lanes?q=" + URLEncoder.encode(TEXTS.get(2), StandardCharsets.UTF_8),
                "/console/sessions?q=" + URLEncoder.encode(TEXTS.get(1), StandardCharsets.UTF_8),
                "/console/deliveries?state=all",
                "/console/events?all=1",
                "/console/usage?by=" + URLEncoder.encode(TEXTS.get(0), StandardCharsets.UTF_8),
                "/console/login?next=" + URLEncoder.encode("javascript:window.pwned=1", StandardCharsets.UTF_8),
                "/console/lane?key=" + URLEncoder.encode(key + TEXTS.get(1), StandardCharsets.UTF_8))) {
            browser.open(stage.gateway().address().resolve(page).toString());
            assertThat(browser.script("return String(window.pwned)")).as(page).isEqualTo("undefined");
            assertThat(browser.all("main script, main img, main iframe, main svg:not(.plot), main b"))
                    .as("elements that a text made on %s", page)
                    .isEmpty();
            assertThat(browser.all("a[href^='javascript']")).as(page).isEmpty();
            assertThat(browser.complaints())
                    .as("complaints on %s", page)
                    .noneMatch(line -> line.contains("Content Security Policy"));
        }
    }

    @Test
    void aFormOfAnotherOriginDoesNothingThoughItsVisitorIsLoggedIn(Stage stage) throws Exception {
        Browser browser = stage.browser();
        stage.gateway().say("victim", "hello");
        stage.open("/lane?key=agent:main:webhook:dm:victim");
        String session = browser.one("dl.facts a").getText();
        String action = stage.gateway().address().resolve("/console/lane/reset").toString();
        try (HostilePage page = new HostilePage("<form id=f method=post action='" + action
                + "'><input name=key value='agent:main:webhook:dm:victim'><input name=epoch value=1>"
                + "<input name=csrf value=x></form><script>document.getElementById('f').submit()</script>")) {
            browser.open(page.address());
            browser.until("the form was sent", () -> browser.address().equals(action));
        }

        browser.complaints();
        stage.open("/lane?key=agent:main:webhook:dm:victim");
        assertThat(browser.one("dl.facts a").getText()).isEqualTo(session);
        assertThat(browser.text()).doesNotContain("Take the reset back");
    }

    @Test
    void aPageOfAnotherOriginCanNeitherReadNorFrameTheConsole(Stage stage) throws Exception {
        Browser browser = stage.browser();
        stage.open("/");
        String address = stage.gateway().address().resolve("/console/").toString();
        try (HostilePage page =
                new HostilePage("<iframe id=f src='" + address + "'></iframe><p id=p></p><script>fetch('"
                        + address + "', {credentials: 'include'}).then(a => a.text()).then("
                        + "t => document.getElementById('p').textContent = 'read ' + t.length,"
                        + " () => document.getElementById('p').textContent = 'refused')</script>")) {
            browser.open(page.address());
            browser.untilText("refused");
            assertThat(browser.complaints()).anyMatch(line -> line.contains("frame-ancestors"));
        }
    }

    @Test
    void everyRouteRefusesWhoIsNotLoggedInOrNotMeant(Stage stage) throws Exception {
        LiveGateway gateway = stage.gateway();
        for (Route route : Route.values()) {
            URI address = gateway.address().resolve("/console" + route.place() + "?key=" + Demo.FAILED + "&id=x");
            if (route != Route.LOGIN) {
                assertThat(gateway.send(HttpRequest.newBuilder(address)).statusCode())
                        .as("without a cookie: %s", route)
                        .isIn(303, 401);
            }
            if (route.isForOperatorsOnly()) {
                assertThat(gateway.send(HttpRequest.newBuilder(address)
                                        .header("Authorization", "Bearer " + gateway.readerToken()))
                                .statusCode())
                        .as("as a reader: %s", route)
                        .isEqualTo(403);
            }
        }
        List<String> acts = new ArrayList<>(List.of("/logout", "/code"));
        Stream.of(Route.values()).filter(Route::isActedAt).map(Route::place).forEach(acts::add);
        for (String act : acts) {
            URI address = gateway.address().resolve("/console" + act);
            HttpRequest.BodyPublisher form = HttpRequest.BodyPublishers.ofString("key=" + Demo.FAILED + "&epoch=1");
            String type = "application/x-www-form-urlencoded";
            assertThat(gateway.send(HttpRequest.newBuilder(address)
                                    .header("Content-Type", type)
                                    .POST(form))
                            .statusCode())
                    .as("without a cookie: %s", act)
                    .isIn(303, 401, 403);
            assertThat(gateway.send(HttpRequest.newBuilder(address)
                                    .header("Content-Type", type)
                                    .header("Origin", "http://127.0.0.1:1")
                                    .header("Sec-Fetch-Site", "same-site")
                                    .POST(form))
                            .statusCode())
                    .as("from a neighbour port: %s", act)
                    .isIn(303, 401, 403);
            // Everybody may leave, and ask what would have been.
            if (act.equals("/logout") || act.startsWith("/what-if")) {
                continue;
            }
            assertThat(gateway.send(HttpRequest.newBuilder(address)
                                    .header("Content-Type", type)
                                    .header("Authorization", "Bearer " + gateway.readerToken())
                                    .POST(form))
                            .statusCode())
                    .as("as a reader: %s", act)
                    .isIn(401, 403);
        }
        assertThat(gateway.run("lanes", "why", Demo.FAILED)).doesNotContain("operator");
        assertThat(gateway.get("/healthz").body()).doesNotContain("held");
    }
}
