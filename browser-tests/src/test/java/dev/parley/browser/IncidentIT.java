package dev.parley.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sees while something is wrong, in the pages that were open when it began and in all others. */
@InBrowser
class IncidentIT {
    private static final String LANE = "agent:main:webhook:dm:";

    /** Each of them would be untrue of the gateway of these tests. */
    private static final List<String> UNTRUE = List.of(
            "There are no lanes yet",
            "There are no sessions yet",
            "Nothing was found",
            "Nothing was used in these days",
            "Nothing has happened yet",
            "Nothing is recorded of it",
            "No session was begun on this lane",
            "No ended session was begun");

    @Test
    void theStorageFailsAndHealsWhileTheOperatorWatches(Stage stage) throws Exception {
        Browser browser = stage.browser();
        LiveGateway gateway = stage.gateway();
        gateway.say("incident", "before");
        List<String> pages = Addresses.pages(stage);
        stage.open("/storage");
        browser.untilText("Everything is stored where it belongs.");
        browser.script("window.stays = true");
        Path elsewhere = gateway.home().resolve("elsewhere");

        LiveGateway.moveDatabase(gateway.home(), elsewhere);
        try {
            gateway.say("incident", "meanwhile");
            browser.untilText("kept beside the storage, in the fallback, and merged back by themselves");
            assertThat(browser.one("#state").getText()).isEqualTo("degraded");
            assertThat(browser.one("#told").getText()).contains("The storage is degraded");
            assertThat(browser.one("#facts").getText()).contains("Since", "Because", "Batches to merge back");
            assertThat(browser.script("return window.stays")).isEqualTo(true);
            assertThat(gateway.get("/livez").statusCode()).isEqualTo(200);
            assertThat(gateway.get("/readyz").statusCode()).isEqualTo(200);
            everyPageIsHonest(stage, pages, "degraded");
            stage.open("/lane?key=" + LANE + "incident");
            browser.untilText("incident");
            browser.complaints();
            stage.open("/storage");
            browser.script("window.stays = true");
        } finally {
            LiveGateway.moveDatabase(elsewhere, gateway.home());
        }

        browser.untilText("Everything is stored where it belongs.");
        assertThat(browser.one("#state").getText()).isEqualTo("ok");
        assertThat(browser.one("#told").isDisplayed()).isFalse();
        assertThat(browser.script("return window.stays")).isEqualTo(true);
        stage.open("/lane?key=" + LANE + "incident");
        browser.one("dl.facts a").click();
        browser.untilText("meanwhile");
        assertThat(browser.text()).contains("before");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void aFullDiskIsSaidOnEveryPageAndIsOverWithoutARestart(Stage stage) throws Exception {
        Browser browser = stage.browser();
        LiveGateway gateway = stage.gateway();
        gateway.say("full", "before");
        List<String> pages = Addresses.pages(stage);
        stage.open("/lane/reset?key=" + LANE + "full");

        gateway.full(true);
        try {
            assertThat(gateway.leave("full", "meanwhile")).isEqualTo(503);
            assertThat(gateway.get("/livez").statusCode())
                    .as("a restart would not help")
                    .isEqualTo(200);
            assertThat(gateway.get("/readyz").statusCode()).isEqualTo(503);
            browser.press("Begin anew");
            browser.untilText("This could not be done now");
            assertThat(browser.one("#state").getText()).isEqualTo("refusing");
            everyPageIsHonest(stage, pages, "refusing");
            stage.open("/");
        } finally {
            gateway.full(false);
        }

        browser.until("it is over", () -> {
            browser.open(browser.address());
            return browser.one("#state").getText().equals("ok");
        });
        browser.until("messages are taken again", () -> {
            try {
                return gateway.leave("full", "afterwards") == 202;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        browser.complaints();
        stage.open("/lane?key=" + LANE + "full");
        browser.until("it is answered", () -> {
            browser.open(browser.address());
            return browser.text().contains("Nothing waits.") && !browser.text().contains("running");
        });
        browser.one("dl.facts a").click();
        browser.untilText("afterwards");
    }

    @Test
    void turnsThatAreHeldBackAreSaidToBe(Stage stage) throws Exception {
        Browser browser = stage.browser();
        LiveGateway gateway = stage.gateway();
        Path hold = gateway.home().resolve(".drain_request.json");
        List<String> pages = Addresses.pages(stage);
        Files.writeString(hold, "{}");
        try {
            stage.open("/");
            browser.until("the hold is seen", () -> {
                browser.open(browser.address());
                return browser.one("#state").getText().equals("held");
            });
            assertThat(browser.one("#told").getText()).contains("New turns wait until an operator releases them");
            assertThat(gateway.leave("held", "wait for it")).isEqualTo(202);
            stage.open("/lane?key=" + LANE + "held");
            browser.untilText("wait for it");
            everyPageIsHonest(stage, pages, "held");
        } finally {
            Files.delete(hold);
        }

        stage.open("/lane?key=" + LANE + "held");
        browser.until("it was answered", () -> {
            browser.open(browser.address());
            return browser.text().contains("Nothing waits.") && browser.text().contains("completed");
        });
    }

    @Test
    void aGatewayThatDrainsSaysSoUntilItsEnd(Stage stage, @TempDir Path home) throws Exception {
        Browser browser = stage.browser();
        LiveGateway gateway =
                LiveGateway.on(home, "agents:\n  echo:\n    delay: 3600\nagent:\n  restart_drain_timeout: 600\n");
        try {
            Stage draining = new Stage(browser, gateway);
            assertThat(gateway.leave("long", "something that takes an hour")).isEqualTo(202);
            draining.open("/lane?key=" + LANE + "long");
            browser.until("the turn runs", () -> {
                browser.open(browser.address());
                return !browser.all("#deeds a[href*=interrupt]").isEmpty();
            });

            gateway.terminate();

            browser.until("the page says so", () -> {
                browser.open(browser.address());
                return browser.one("#state").getText().equals("draining");
            });
            assertThat(browser.one("#told").getText()).contains("The gateway is stopping");
            assertThat(browser.text()).contains("Why it has this session");
            assertThat(gateway.get("/livez").statusCode())
                    .as("a drain is not to be killed")
                    .isEqualTo(200);
            assertThat(gateway.get("/readyz").statusCode()).isEqualTo(503);
            assertThat(gateway.leave("long", "one more")).isEqualTo(202);
            draining.open("/lanes");
            assertThat(browser.text()).contains("running");
        } finally {
            gateway.kill();
            gateway.close();
        }
    }

    private static void everyPageIsHonest(Stage stage, List<String> pages, String state) throws Exception {
        Browser browser = stage.browser();
        for (String page : pages) {
            browser.open(stage.gateway().address().resolve("/console" + page).toString());
            assertThat(browser.one("#state").getText()).as(page).isEqualTo(state);
            assertThat(browser.one("#told").isDisplayed()).as(page).isTrue();
            assertThat(browser.one("main").getText()).as(page).doesNotContain(UNTRUE);
        }
    }
}
