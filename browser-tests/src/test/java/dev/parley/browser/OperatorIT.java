package dev.parley.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** What operators do in the console, from the login to an act that is taken back. */
@InBrowser
class OperatorIT {
    @Test
    void aLinkIntoTheConsoleAsksForTheTokenAndLeadsToItsPageBehindTheLogin(Stage stage) throws Exception {
        Browser browser = stage.browser();
        browser.open(stage.gateway()
                .address()
                .resolve("/console/usage?days=7&by=model")
                .toString());
        browser.logIn("not the token");
        browser.untilText("This is not the token.");

        browser.logIn(stage.gateway().token());

        browser.until("the page of the link is there", () -> browser.heading().equals("Usage"));
        assertThat(browser.address()).endsWith("/console/usage?days=7&by=model");
        assertThat(browser.script("return document.cookie")).isEqualTo("");
    }

    @Test
    void anAddressFromTheCommandLineLetsInOnce(Stage stage) throws Exception {
        Browser browser = stage.browser();
        String address = stage.gateway().run("console").strip();

        browser.open(address);
        browser.until("the overview is there", () -> browser.heading().equals("Overview"));
        assertThat(browser.address()).doesNotContain("code=");
        browser.forget();
        browser.open(address);

        browser.untilText("used already or is older than a minute");
    }

    @Test
    void anOperatorFindsWhyAConversationWasResetAndTakesItBack(Stage stage) throws Exception {
        Browser browser = stage.browser();
        stage.open("/");
        browser.one("header input[type=search]").sendKeys("invoices", Keys.ENTER);
        browser.untilText("Which");
        browser.one("tbody a").click();
        browser.untilText("Three of eleven are open");
        String session = browser.address().replaceAll(".*[?&]id=([^&#]+).*", "$1");

        browser.click(Demo.MISTAKEN);
        browser.untilText("Why it has this session");
        assertThat(browser.one("main").getText()).contains("daily boundary", "policy session_reset");
        browser.one("summary").click();
        browser.until("what it stood on is unfolded", () -> browser.text().contains("at hour"));

        browser.click("Take the reset back");
        browser.untilText("The session before the reset goes on.");
        browser.click("Cancel");
        browser.until("the lane is there again", () -> browser.text().contains("Why it has this session"));
        assertThat(browser.one("dl.facts").getText()).doesNotContain(session);
        browser.click("Take the reset back");
        browser.press("Take the reset back");

        browser.untilText("Take the reset back: done.");
        assertThat(browser.one("dl.facts").getText()).contains(session);
        assertThat(browser.all(".deeds").get(0).getText()).doesNotContain("Take the reset back");
        browser.click(session);
        browser.untilText("Did they answer?");
        assertThat(browser.text()).contains("Three of eleven are open", "Who do you mean");
        browser.until(
                "the audit has it",
                () -> stage.gateway().audit().stream()
                        .anyMatch(line -> line.contains("\"unreset\"")
                                && line.contains(Demo.MISTAKEN)
                                && line.contains("\"done\"")));
        assertThat(String.join("", stage.gateway().audit()))
                .doesNotContain(stage.gateway().token());
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void whoLooksAtALaneThatHasMovedActsOnNothing(Stage stage) throws Exception {
        Browser browser = stage.browser();
        stage.gateway().say("moving", "hello");
        stage.open("/lane/reset?key=agent:main:webhook:dm:moving");
        stage.gateway().say("moving", "/new");

        browser.press("Begin anew");

        browser.untilText("The lane has moved since you looked at it");
    }

    @Test
    void aLaneIsSuspendedAndTakesItBackAndGoesBackToASessionItHadBefore(Stage stage) throws Exception {
        Browser browser = stage.browser();
        String lane = "/lane?key=agent:main:webhook:dm:acting";
        stage.gateway().say("acting", "the first conversation");
        stage.open(lane);
        String first = browser.one("dl.facts a").getText();
        browser.click("Suspend");
        browser.press("Suspend");
        browser.untilText("Suspend: done.");
        browser.click("Take the suspension back");
        browser.press("Take the suspension back");
        browser.untilText("Take the suspension back: done.");
        assertThat(browser.one("dl.facts").getText()).contains("open");
        stage.gateway().say("acting", "/new");
        stage.open(lane);
        browser.click("go back");
        browser.untilText("goes on with the session " + first);
        assertThat(browser.findings()).isEmpty();
        browser.press("Go back to a session");

        browser.untilText("Go back to a session: done.");
        assertThat(browser.one("dl.facts a").getText()).isEqualTo(first);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void aSessionGetsATitleAndNewTurnsAreHeldAMessageDroppedAndTheStorageChecked(Stage stage) throws Exception {
        Browser browser = stage.browser();
        stage.gateway().say("managed", "hello");
        stage.open("/lane?key=agent:main:webhook:dm:managed");
        browser.one("dl.facts a").click();
        browser.click("Change the title");
        browser.one("input[name=title]").sendKeys("A managed one");
        browser.press("Change the title");
        browser.until("the title is there", () -> browser.heading().equals("A managed one"));

        stage.open("/");
        browser.click("Hold new turns");
        assertThat(browser.findings()).isEmpty();
        browser.press("Hold new turns");
        try {
            browser.until(
                    "turns are held", () -> browser.one("#state").getText().equals("held"));
            assertThat(stage.gateway().leave("managed", "never mind")).isEqualTo(202);
            stage.open("/lane?key=agent:main:webhook:dm:managed");
            browser.click("drop");
            browser.untilText("never mind");
            browser.press("Drop the message");
            browser.untilText("Drop the message: done.");
            assertThat(browser.text()).contains("Nothing waits.");
        } finally {
            stage.open("/");
            browser.click("Release new turns");
            browser.press("Release new turns");
            browser.until("turns begin", () -> browser.one("#state").getText().equals("ok"));
        }

        stage.open("/storage");
        browser.click("Check the storage");
        browser.press("Check the storage");
        browser.untilText("nothing wrong");
        browser.until(
                "the audit has it",
                () -> String.join("", stage.gateway().audit()).contains("storage check"));
        assertThat(String.join("", stage.gateway().audit()))
                .contains("gateway hold", "lane drop", "session title")
                .doesNotContain("never mind", "A managed one");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void oldSessionsAreDeletedByTheirNumberAndNotByAnother(Stage stage) throws Exception {
        Browser browser = stage.browser();
        stage.open("/sessions");
        browser.click("Delete old sessions");
        browser.untilText("No ended session was begun more than 90 days ago.");
        browser.click("older than 7 days");
        browser.untilText("Delete 6 ended sessions begun more than 7 days ago?");

        browser.one("input[name=counted]").sendKeys("4", Keys.ENTER);
        browser.untilText("Nothing was deleted: you typed 4, and there are 6.");
        browser.click("Count again");
        browser.click("older than 7 days");
        browser.one("input[name=counted]").sendKeys("6", Keys.ENTER);

        browser.untilText("6 sessions deleted.");
        stage.open("/audit");
        browser.until("the audit has it", () -> {
            browser.open(browser.address());
            return browser.text().contains("6 deleted");
        });
        assertThat(browser.text()).contains("0 deleted", "prune");
        assertThat(stage.gateway().run("sessions", "stats", "--by", "day", "--json"))
                .contains("\"turns\"");
    }

    @Test
    void aReaderLooksAtEverythingAndIsOfferedNothing(Stage stage) throws Exception {
        Browser browser = stage.browser();
        stage.open("/lane?key=" + Demo.FAILED, stage.gateway().readerToken());

        assertThat(browser.heading()).contains("release");
        assertThat(browser.all(".deeds")).isEmpty();
        browser.open(stage.gateway()
                .address()
                .resolve("/console/lane/reset?key=" + Demo.FAILED)
                .toString());
        assertThat(browser.all("form.ask, .ask form")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200})
    void whatHappensIsSeenWithoutReloadingAndNothingElseMoves(int scrolled, Stage stage) throws Exception {
        Browser browser = stage.browser();
        String chat = "live" + scrolled;
        stage.gateway().say(chat, "first");
        stage.open("/lane?key=agent:main:webhook:dm:" + chat);
        browser.look(Form.PHONE);
        browser.script("window.stays = true; window.scrollTo(0, " + scrolled + ")");
        long place = place(browser);

        stage.gateway().say(chat, "second");

        browser.until("more is offered", () -> !browser.all("#newer").isEmpty());
        assertThat(place(browser)).as("where the first row is on the screen").isEqualTo(place);
        assertThat(browser.script("return window.stays")).isEqualTo(true);
        browser.one("#newer").click();
        browser.untilText("second");
    }

    private static long place(Browser browser) {
        return ((Number) browser.script("return document.querySelector('tbody tr').getBoundingClientRect().top"))
                .longValue();
    }

    @Test
    void whatAnotherPolicyWouldHaveDoneIsAskedAndSaved(Stage stage) throws Exception {
        Browser browser = stage.browser();
        stage.open("/what-if");
        browser.script("document.querySelector('select[name=mode-all]').value = 'idle'");
        browser.script("document.querySelector('input[name=idle-all]').value = '1'");

        browser.press("Ask");

        browser.untilText("Replayed the last 30 days");
        assertThat(browser.text()).contains("Lanes that would differ");
        assertThat(String.valueOf(browser.script("return document.querySelector('details pre').textContent")))
                .contains("mode: idle", "idle_minutes: 1");
        for (Form form : Form.values()) {
            browser.look(form);
            browser.assertWell("what was found", form);
        }
        assertThat(browser.script("return fetch(document.querySelector('a[href$=\".csv\"]').href)"
                        + ".then(answer => answer.text())"))
                .asString()
                .startsWith("lane,policy,session,at,reason,last_activity,happened,would_have_happened");
        stage.open("/audit");
        browser.untilText("export what-if");
    }

    @Test
    void whatIsSavedIsWhatTheCommandLineWrites(Stage stage) throws Exception {
        Browser browser = stage.browser();
        stage.open("/search?q=%22row%20counts%22");
        browser.one("tbody a").click();
        browser.untilText("1,204,417");
        String session = browser.address().replaceAll(".*[?&]id=([^&#]+).*", "$1");

        Path saved = browser.save("Markdown", stage.gateway().home().resolve("downloads"));
        assertThat(saved).hasFileName("session-" + session + ".md").content().contains("1,204,417", "Called ` query `");
        assertThat(fetched(browser, "JSON").strip())
                .startsWith("{\"id\":\"" + session + "\"")
                .isIn(stage.gateway().run("sessions", "export", session).lines().toList());

        stage.open("/lane?key=" + Demo.RESET);
        assertThat(fetched(browser, "a scenario"))
                .isEqualTo(stage.gateway().data("lanes", "export-scenario", Demo.RESET))
                .doesNotContain("migration");
        assertThat(fetched(browser, "a scenario with its texts"))
                .isEqualTo(stage.gateway().data("lanes", "export-scenario", Demo.RESET, "--texts"))
                .contains("migration");

        stage.open("/sessions?q=" + session);
        assertThat(fetched(browser, "CSV"))
                .contains("session,title,source,lane")
                .contains(session + ",");
        stage.open("/usage?days=7&by=platform");
        assertThat(fetched(browser, "CSV"))
                .startsWith("platform,turns,input_tokens")
                .contains("telegram,");
        stage.open("/audit");
        assertThat(browser.text()).contains("export transcript", "export scenario with texts", "export sessions");
        assertThat(browser.complaints()).isEmpty();
    }

    private static String fetched(Browser browser, String label) {
        return String.valueOf(browser.script(
                "return fetch([...document.querySelectorAll('.saves a')].find(a => a.textContent === arguments[0]).href)"
                        + ".then(answer => answer.text())",
                label));
    }

    @Test
    void everythingCanBeReachedByKeysAlone(Stage stage) throws Exception {
        Browser browser = stage.browser();
        stage.open("/");

        browser.type("g", "l");
        browser.until("the lanes are there", () -> browser.heading().equals("Lanes"));
        browser.type("j");
        browser.type("j");
        assertThat(browser.focused().getDomAttribute("href")).startsWith("/console/lane?key=");
        browser.enter();
        browser.untilText("Why it has this session");
        browser.type(".");
        assertThat(browser.focused().getText()).isIn("Take the reset back", "Begin anew");
        browser.type("/");
        browser.type("orders");
        browser.enter();
        browser.until("the search is there", () -> browser.heading().equals("Search"));
        browser.type("?");
        browser.untilText("Keys are on");
        assertThat(browser.findings()).isEmpty();
        browser.one("dialog").findElement(By.tagName("input")).click();
        browser.type(Keys.ESCAPE);
        browser.type("g", "l");
        assertThat(browser.heading()).isEqualTo("Search");
        browser.script("localStorage.clear()");
    }
}
