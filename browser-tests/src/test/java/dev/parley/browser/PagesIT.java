package dev.parley.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.console.Route;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every page in light, dark and on a phone: nothing to stumble over, nothing beyond the edge, nothing the policy of pages forbids. */
@InBrowser
class PagesIT {
    /** Whether pictures of all pages are wanted, for somebody who looks at them. */
    private static final boolean LOOK = System.getenv("TEST_SCREENSHOTS") != null;

    /** Pages that the browser complains of, since they are answered as refused. */
    private static final Set<String> REFUSED = Set.of("/no-such-page", "/sessions?from=yesterday");

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    /** Returns all that the console shows behind the login. */
    private static Stream<Route> shown() {
        return Stream.of(Route.values()).filter(route -> route.isShown() && route != Route.LOGIN);
    }

    @ParameterizedTest
    @MethodSource("shown")
    void everyPageIsWellInEachForm(Route route, Stage stage) throws Exception {
        try {
            String page = Addresses.of(route, stage);
            stage.browser().complaints();
            stage.open(page);
            look(stage, page);
        } finally {
            Addresses.letGo(stage);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/lane?key=" + Demo.FAILED,
                "/lane?key=" + Demo.RESET + "&of=turns",
                "/lane?key=" + Demo.MISTAKEN + "&of=left-out",
                "/sessions?source=slack&order=start&children=1",
                "/sessions?from=2026-01-01&to=2099-12-31T23:59",
                "/sessions?from=yesterday",
                "/search?q=orders&role=user&sort=newest",
                "/search?q=nothing-has-this",
                "/deliveries?state=expired",
                "/events?lane=" + Demo.RESET + "&from=2026-01-01",
                "/no-such-page"
            })
    void everyPageIsWellHoweverItIsFiltered(String path, Stage stage) throws Exception {
        stage.open(path);
        look(stage, path);
    }

    @Test
    void aConversationIsWellInEachForm(Stage stage) throws Exception {
        stage.open("/search?q=%22row%20counts%22");
        stage.browser().one("tbody a").click();
        stage.browser().untilText("1,204,417");

        look(stage, "session");
        for (String view : List.of("turns", "raw")) {
            stage.browser().click(view);
            stage.browser().untilText(view.equals("raw") ? "\"role\"" : "completed");
            look(stage, "session-" + view);
        }
    }

    @Test
    void whatAnotherPolicyWouldHaveDoneIsWellInEachForm(Stage stage) throws Exception {
        stage.open("/what-if");
        Browser browser = stage.browser();
        browser.script("document.querySelector('select[name=mode-all]').value = 'idle'");
        browser.script("document.querySelector('input[name=idle-all]').value = '60'");
        browser.press("Ask");
        browser.untilText("Replayed the last 30 days");
        look(stage, "what-if-answered");
    }

    @Test
    void theListOfKeysIsWellInEachForm(Stage stage) throws Exception {
        stage.open("/lanes");
        stage.browser().type("?");
        stage.browser()
                .until(
                        "the keys are listed",
                        () -> !stage.browser().all("dialog[open]").isEmpty());
        look(stage, "keys");
    }

    @Test
    void theLoginIsWellInEachForm(Stage stage) throws Exception {
        stage.browser().open(stage.gateway().address().resolve("/console/").toString());
        look(stage, "login");
    }

    private static void look(Stage stage, String page) throws Exception {
        String name = page.equals("/")
                ? "overview"
                : page.replaceAll("[^a-zA-Z]+", "-").replaceAll("^-|-$", "");
        Browser browser = stage.browser();
        List<String> complaints = browser.complaints();
        if (!REFUSED.contains(page)) {
            assertThat(complaints).as("complaints of the browser on %s", page).isEmpty();
        }
        for (Form form : Form.values()) {
            browser.look(form);
            if (LOOK) {
                browser.picture(
                        SCREENSHOTS.resolve(name + "-" + form.name().toLowerCase(java.util.Locale.ROOT) + ".png"),
                        2400);
            }
            browser.assertWell(page, form);
        }
        assertThat(((Number) browser.script("return performance.getEntriesByType('resource').length")).intValue())
                .as("requests of %s besides itself: a style, a script and a stream", page)
                .isLessThanOrEqualTo(3);
        assertThat(Map.of("js", size(stage, "script[src]", "src"), "css", size(stage, "link[rel=stylesheet]", "href")))
                .as("bytes a page loads besides itself")
                .allSatisfy((kind, bytes) -> assertThat(bytes).isLessThan(12_288));
    }

    private static int size(Stage stage, String selector, String attribute) throws Exception {
        String address = String.valueOf(stage.browser().one(selector).getDomAttribute(attribute));
        return stage.gateway().get(address).body().length();
    }
}
