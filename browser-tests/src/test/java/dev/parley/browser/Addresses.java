package dev.parley.browser;

import dev.parley.adapter.console.Route;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where each route of the console shows something, in the gateway of the demonstration. A route that is new does not compile without a place. */
final class Addresses {
    private static final String WAITING = "waiting";

    private Addresses() {}

    /** Returns where a route shows a page; for a message that waits turns are held back, until {@link #letGo}. */
    static String of(Route route, Stage stage) throws Exception {
        return route.place()
                + switch (route) {
                    case LANE, LANE_RESET, LANE_UNRESET, LANE_SUSPEND, LANE_UNSUSPEND, LANE_INTERRUPT ->
                        "?key=" + Demo.RESET;
                    case LANE_RESUME -> "?key=" + Demo.RESET + "&id=" + session(stage);
                    case LANE_DROP -> waiting(stage);
                    case SESSION, SESSION_TITLE, SESSION_END, SESSION_REOPEN, SESSION_DELETE -> "?id=" + session(stage);
                    case DELIVERY_TRY, DELIVERY_GIVE_UP -> linked(stage, "/deliveries", "try now");
                    case SEARCH -> "?q=orders";
                    case USAGE, USAGE_CSV -> "?days=30&by=day";
                    case PRUNE -> "?days=7";
                    case EVENTS, SETTINGS -> "?all=1";
                    case SESSION_MARKDOWN, SESSION_JSON -> "?id=" + session(stage);
                    case SCENARIO -> "?key=" + Demo.RESET;
                    case OVERVIEW,
                            LANES,
                            SESSIONS,
                            DELIVERIES,
                            FAILURES,
                            STORAGE,
                            RECOVERY,
                            AUDIT,
                            WHAT_IF,
                            WHAT_IF_CANCEL,
                            HOLD,
                            RELEASE,
                            CHECK,
                            SESSIONS_CSV,
                            WHAT_IF_CSV,
                            STREAM,
                            LOGIN -> "";
                };
    }

    /** Returns where all pages are that are looked at, behind the login. */
    static List<String> pages(Stage stage) throws Exception {
        List<String> pages = new ArrayList<>();
        for (Route route : Route.values()) {
            if (route.kind() == Route.Kind.PAGE || route == Route.WHAT_IF || route == Route.PRUNE) {
                pages.add(of(route, stage));
            }
        }
        return pages;
    }

    private static String session(Stage stage) throws Exception {
        stage.open("/lane?key=" + Demo.RESET);
        return stage.browser().one("dl.facts a").getText();
    }

    private static String waiting(Stage stage) throws Exception {
        Files.writeString(hold(stage), "{}");
        stage.open("/");
        Browser browser = stage.browser();
        browser.until("turns are held back", () -> {
            browser.open(browser.address());
            return browser.one("#state").getText().equals("held");
        });
        stage.gateway().leave(WAITING, "is anybody there?");
        return linked(stage, "/lane?key=agent:main:webhook:dm:" + WAITING, "drop");
    }

    /** Lets turns begin again, where they are held back for a page. */
    static void letGo(Stage stage) throws Exception {
        Browser browser = stage.browser();
        if (Files.deleteIfExists(hold(stage))) {
            stage.open("/");
            browser.until("turns begin", () -> {
                browser.open(browser.address());
                return browser.one("#state").getText().equals("ok");
            });
        }
    }

    private static Path hold(Stage stage) {
        return stage.gateway().home().resolve(".drain_request.json");
    }

    /** Returns the parameters of the first link of a table that says this. */
    private static String linked(Stage stage, String page, String text) throws Exception {
        stage.open(page);
        String href = stage.browser().all("td a").stream()
                .filter(link -> link.getText().equals(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no link " + text + " on " + page))
                .getDomAttribute("href");
        return String.valueOf(href).replaceFirst("^[^?]*", "");
    }
}
