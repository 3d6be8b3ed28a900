package dev.parley.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.WebElement;

/** Two gateways on one database: what the console of one shows and offers of a lane that the other one works on. */
@InBrowser
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodesIT {
    private static final String LANE = "/lane?key=agent:main:webhook:dm:";

    @TempDir
    static Path directory;

    private EmbeddedPostgres database;
    private LiveGateway one;
    private LiveGateway two;

    /** A turn at the first node takes an hour, so that its lane is at work while it is looked at from the second. */
    @BeforeAll
    void twoNodesOnOneDatabase() throws Exception {
        database = EmbeddedPostgres.builder()
                .setDataDirectory(directory.resolve("data"))
                .start();
        one = LiveGateway.on(Files.createDirectory(directory.resolve("one")), node("one", "3600"));
        two = LiveGateway.on(Files.createDirectory(directory.resolve("two")), node("two", "0"));
    }

    @AfterAll
    void nothingRuns() throws Exception {
        one.kill();
        one.close();
        two.close();
        database.close();
    }

    private String node(String name, String delay) {
        return """
                zone: UTC
                storage:
                  url: "postgres://127.0.0.1:%s/postgres?user=postgres&schema=shared&sslmode=disable"
                cluster:
                  enabled: true
                  name: %s
                agents:
                  echo:
                    delay: %s
                display:
                  busy_input_mode: queue
                """.formatted(database.getPort(), name, delay);
    }

    private static void well(Browser browser, String page) {
        for (Form form : Form.values()) {
            browser.look(form);
            browser.assertWell(page, form);
        }
        browser.look(Form.LIGHT);
    }

    @Test
    void theOverviewLeadsFromNodeToNode(Stage shared) throws Exception {
        Browser browser = shared.browser();
        Stage atTwo = new Stage(browser, two);
        atTwo.open("/");
        browser.until("both nodes are listed", () -> {
            browser.open(browser.address());
            return browser.all("tr[id^=node-]").size() == 2;
        });
        assertThat(browser.text()).contains("two", "this one");
        well(browser, "the overview of a node");

        String there = browser.one("tr[id^=node-] a").getDomAttribute("href");

        assertThat(there).isEqualTo(one.address().resolve("/console/").toString());
    }

    @Test
    void aLaneThatIsHeldElsewhereOffersWhatCanBeDoneHereAndLeadsToItsNodeForTheRest(Stage shared) throws Exception {
        Browser browser = shared.browser();
        Stage atOne = new Stage(browser, one);
        Stage atTwo = new Stage(browser, two);
        assertThat(one.leave("held", "this takes an hour")).isEqualTo(202);
        assertThat(one.leave("held", "and this waits")).isEqualTo(202);
        atTwo.open(LANE + "held");
        browser.until("it is seen from the other node", () -> {
            browser.open(browser.address());
            return browser.text().contains("Worked on by") && browser.text().contains("and this waits");
        });

        assertThat(browser.one("#deeds").getText())
                .contains("Begin anew", "Suspend", "Interrupt the turn")
                .doesNotContain("drop");
        assertThat(browser.all("td a").stream().map(WebElement::getText)).doesNotContain("drop", "go back");
        assertThat(browser.one("#intro").getText()).contains("in the console of one");
        assertThat(browser.findings()).isEmpty();
        well(browser, "a lane held elsewhere");

        browser.one("[id='fact-Worked-on-by'] a").click();
        browser.logIn(one.token());
        browser.until(
                "its own node offers it",
                () -> browser.all("td a").stream()
                        .anyMatch(link -> link.getText().equals("drop")));
        assertThat(browser.address()).startsWith(one.address().toString());
        browser.click("drop");
        browser.untilText("and this waits");
        well(browser, "what is asked before a message is dropped");
        String question = browser.address()
                .replace(one.address().toString(), two.address().toString());

        atTwo.open("/");
        browser.open(question);
        browser.press("Drop the message");
        browser.untilText("The lane is worked on by one");
        assertThat(browser.complaints()).allMatch(line -> line.contains("409"));
        well(browser, "what only the other node can do");
        browser.click("Go to its console");
        browser.until(
                "it is its lane at its node",
                () -> browser.address()
                        .startsWith(one.address()
                                .resolve("/console" + LANE)
                                .toString()
                                .replace("agent:main:webhook:dm:", "")));
        assertThat(browser.text()).contains("and this waits");

        atTwo.open(LANE + "held");
        browser.click("Interrupt the turn");
        browser.press("Interrupt the turn");
        browser.untilText("Interrupt the turn: done.");
        browser.click("Begin anew");
        browser.press("Begin anew");
        browser.untilText("Begin anew: done.");
        browser.until("the other node has dropped what waited", () -> {
            browser.open(browser.address());
            return browser.text().contains("Nothing waits.");
        });
        assertThat(String.join("", two.audit()))
                .contains("\"lane drop\"", "held elsewhere", "\"interrupt\"", "\"reset\"");
        atOne.open(LANE + "held");
        assertThat(browser.text()).contains("Take the reset back");
    }
}
