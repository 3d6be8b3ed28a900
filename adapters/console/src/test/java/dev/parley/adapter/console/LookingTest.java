package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.testing.TestGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Elements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the pages show beyond lists: views, filters, what befell the gateway, and when a session ends by itself. */
class LookingTest {
    private final TestGateway gateway = TestGateway.answering(text -> "You said " + text);
    private final Visit visit = new Visit(gateway);

    @AfterEach
    void close() {
        gateway.close();
    }

    private String key() {
        return gateway.lane(TestGateway.ALICE).value();
    }

    private String session() {
        return gateway.storage()
                .lanes()
                .find(gateway.lane(TestGateway.ALICE))
                .orElseThrow()
                .entry()
                .sessionId()
                .value();
    }

    private static List<String> chosen(Document page) {
        return page.select(".choices a[aria-current]").eachText();
    }

    @Test
    void theTurnsOfASessionAreShownWithWhatWasAskedOfEach() {
        gateway.ask("the first");
        gateway.ask("the second");

        Document turns = visit.page("/session?id=" + session() + "&view=turns");

        assertThat(chosen(turns)).containsExactly("turns");
        assertThat(turns.select("tbody tr").eachText())
                .hasSize(2)
                .anySatisfy(row -> assertThat(row).contains("the first", "completed"))
                .anySatisfy(row -> assertThat(row).contains("the second", "completed"));
        assertThat(turns.select("article")).isEmpty();
        assertThat(chosen(visit.page("/session?id=" + session()))).containsExactly("messages");
    }

    @Test
    void aSessionWithoutATitleIsCalledByItsChat() {
        gateway.ask("hello");

        assertThat(visit.page("/session?id=" + session()).select("h1").text())
                .isEqualTo("Session of " + LaneList.name(gateway.lane(TestGateway.ALICE)));
    }

    @Test
    void aSearchIsNarrowedBySpeakerAndSourceAndKeepsThatForTheNext() {
        gateway.ask("bridge");

        assertThat(visit.page("/search?q=bridge").select("tbody tr")).hasSize(2);
        Document narrowed = visit.page("/search?q=bridge&role=user&source=telegram&sort=newest");
        assertThat(narrowed.select("tbody tr")).hasSize(1);
        assertThat(chosen(narrowed)).containsExactly("telegram", "user", "newest");
        assertThat(narrowed.select("form.filter input[type=hidden]").eachAttr("value"))
                .containsExactly("telegram", "user", "newest");
        assertThat(visit.page("/search?q=bridge&source=slack").select(".empty").text())
                .contains("Nothing was found with these filters");
    }

    @Test
    void searchSessionsAndEventsAreNarrowedToASpanOfTimeThatTheirLinksKeep() {
        gateway.ask("bridge");
        gateway.pass(Duration.ofDays(3));
        gateway.ask("bridge");
        String day =
                gateway.clock().instant().atZone(ZoneOffset.UTC).toLocalDate().toString();

        for (String page : List.of("/search?q=bridge", "/sessions?children=1", "/events?all=1&lane=" + key())) {
            Document narrowed = visit.page(page + "&from=" + day + "&to=" + day);

            assertThat(visit.page(page + "&to=2001-01-01").select("tbody tr"))
                    .as(page)
                    .isEmpty();
            assertThat(narrowed.select("tbody tr").size())
                    .as(page)
                    .isPositive()
                    .isLessThan(visit.page(page).select("tbody tr").size());
            assertThat(narrowed.select("form.filter input[type=date]").eachAttr("value"))
                    .as(page)
                    .containsExactly(day, day);
            assertThat(narrowed.select("p.choices a[href*=from]")).as(page).isNotEmpty();
        }
        Document refused = visit.page("/sessions?from=yesterday");
        assertThat(refused.select(".note").text())
                .contains("Since is 'yesterday'; say a day such as 2026-11-20")
                .endsWith("2026-11-20T14:30:00Z.");
        Document exact = visit.page("/events?from=" + day + "T00:00");
        assertThat(exact.select("form.filter input[type=text]").eachAttr("value"))
                .containsExactly(day + "T00:00");
    }

    @Test
    void theFilterByStateAndPlatformStaysWhenLanesAreSoughtByName() {
        gateway.ask("hello");

        assertThat(visit.page("/lanes?state=open&platform=telegram")
                        .select("form.filter input[type=hidden]")
                        .eachAttr("value"))
                .containsExactly("open", "telegram");
    }

    @Test
    void everyElementOfAPageHasAnIdOfItsOwnWithoutBlanks() {
        gateway.ask("hello");
        gateway.ask("/new");
        gateway.ask("hello again");

        for (String address : List.of(
                "/",
                "/lanes",
                "/lane?key=" + key(),
                "/sessions",
                "/events?all=1",
                "/storage",
                "/recovery",
                "/settings")) {
            List<String> ids = visit.page(address).select("[id]").eachAttr("id");

            assertThat(ids).as(address).doesNotHaveDuplicates().noneMatch(id -> id.contains(" "));
        }
        assertThat(Row.of("lane-a b%\u00a0").id()).isEqualTo("lane-a%20b%25\u00a0");
    }

    @Test
    void theSessionsAreNarrowedBySourceInTheListAndInItsLinks() {
        gateway.ask("hello");

        assertThat(visit.page("/sessions?source=telegram").select("tbody tr")).hasSize(1);
        Document none = visit.page("/sessions?source=slack&order=start");
        assertThat(none.select("tbody tr")).isEmpty();
        assertThat(chosen(none)).containsExactly("by start", "slack", "conversations");
        assertThat(none.select(".choices a").eachAttr("href"))
                .contains("/console/sessions?order=start", "/console/sessions?source=slack")
                .contains("/console/sessions?order=start&source=slack&children=1");
        assertThat(none.select(".saves a").attr("href")).contains("source=slack");
    }

    @Test
    void theOverviewPlotsTheTurnsOfTheLastDay() {
        assertThat(visit.page("/").select("svg.plot")).isEmpty();
        gateway.ask("one");
        gateway.ask("two");
        gateway.pass(Duration.ofHours(2));
        gateway.ask("three");

        Document page = visit.page("/");

        assertThat(page.select("svg.plot rect title").eachText()).hasSize(2).anyMatch(bar -> bar.endsWith(": 2 turns"));
        assertThat(page.select(".legend").text()).contains("3 turns", "at most 2");
        gateway.pass(Duration.ofDays(2));
        assertThat(visit.page("/").select("svg.plot")).isEmpty();
    }

    @Test
    void aLaneSaysWhenItsSessionEndsByItselfAndByWhichPolicy() {
        gateway.ask("hello");

        assertThat(visit.page("/lane?key=" + key())
                        .select("[id='fact-Ends-by-itself']")
                        .text())
                .contains("at 04:00, in ", "if idle for 1 d more", "(session_reset)");
        boolean suspended = gateway.operate(g -> g.suspendLane(gateway.lane(TestGateway.ALICE)));
        assertThat(suspended).isTrue();
        assertThat(visit.page("/lane?key=" + key())
                        .select("[id='fact-Ends-by-itself']")
                        .text())
                .contains("with the next message");
    }

    @Test
    void eventsNameALaneAsItsPeopleDo() {
        gateway.ask("hello");
        gateway.ask("/new");

        assertThat(visit.page("/events").select("tbody a").eachText())
                .contains(LaneList.name(gateway.storage()
                        .lanes()
                        .find(gateway.lane(TestGateway.ALICE))
                        .orElseThrow()));
    }

    @Test
    void theLastStartIsToldOnThePageOfRecovery() {
        assertThat(visit.page("/recovery").select("#facts")).isEmpty();

        visit.tell(List.of(new GatewayEvent.Started(Duration.ofMillis(740), 3, 2)));

        assertThat(visit.page("/recovery").select("#facts").text())
                .contains("It took 740 ms", "Turns cut off before it 3", "Lanes to be resumed 2");
    }

    @Test
    void thePageOfTheStorageTellsWhenItWasDegradedAndIsToldAnewWhileItIs() {
        assertThat(visit.page("/storage").select(".empty").text()).contains("whole all the time");
        var stream = visit.stream(Feed.HEALING, "0");

        visit.tell(List.of(new GatewayEvent.Degraded("the disk is away")));
        visit.pass(Duration.ofSeconds(2));
        assertThat(stream.next()).contains("event: change", Feed.HEALING);
        assertThat(visit.page("/storage").select("[id^=degraded-]").text())
                .contains("the disk is away", "it is degraded");

        gateway.pass(Duration.ofSeconds(90));
        visit.tell(List.of(new GatewayEvent.Healed(4, 7)));
        visit.pass(Duration.ofSeconds(2));
        assertThat(stream.next()).as("nothing more is told").isEmpty();
        assertThat(visit.page("/storage").select("[id^=degraded-]").text())
                .contains("1 min", "7 messages in 4 batches");
    }

    @Test
    void whatCanBeDoneAboutAFailureIsNotCutOffFromIt() {
        String why = "The database /a/long/way/down/" + "x".repeat(120) + "/state.db was deleted; put it back.";

        visit.tell(List.of(new GatewayEvent.Degraded(why)));

        assertThat(visit.page("/storage").select("[id^=degraded-]").text()).contains(why);
    }

    @Test
    void theOverviewSaysWhatWasUsedTodayAndSinceWhenItRuns() {
        gateway.ask("one");
        gateway.ask("two");
        assertThat(visit.page("/").select("[id=fact-Started]")).isEmpty();

        visit.tell(List.of(new GatewayEvent.Started(Duration.ofMillis(740), 0, 0)));
        gateway.pass(Duration.ofHours(3));

        Document page = visit.page("/");
        assertThat(page.select("[id=fact-Today]").text()).startsWith("Today 2 turns, ");
        assertThat(page.select("[id=fact-Today] a").attr("href")).isEqualTo("/console/usage?days=7");
        assertThat(page.select("[id=fact-Started]").text()).isEqualTo("Started 3 h ago");
        gateway.pass(Duration.ofDays(1));
        assertThat(visit.page("/").select("[id=fact-Today]").text()).startsWith("Today 0 turns, 0 tokens");
    }

    @Test
    void theTurnsAndDeliveriesOfALaneGoOnWithThoseOfTheSameLane() {
        for (int i = 0; i < 25; i++) {
            gateway.ask("question " + i);
        }
        gateway.say(TestGateway.BOB, "somebody else");
        gateway.settle();

        for (String caption : List.of("Turns", "Deliveries")) {
            Elements first = section(visit.page("/lane?key=" + key()), caption);
            String older = first.select("a[rel=next]").attr("href");
            assertThat(older).as(caption).startsWith("/console/lane?");
            Document page = visit.page(older.substring(Link.ROOT.length()));

            assertThat(page.select("h2").eachText()).containsExactly(caption);
            assertThat(page.select("tbody tr")).as(caption).hasSize(5);
            assertThat(page.select("tbody tr").eachAttr("id"))
                    .doesNotContainAnyElementsOf(first.select("tbody tr").eachAttr("id"));
            assertThat(page.select("a[rel=next]")).isEmpty();
        }
    }

    @Test
    void aLaneWithManyDecisionsShowsTheLatestAndLeadsToTheOthers() {
        for (int i = 0; i < 30; i++) {
            gateway.ask("/new");
        }

        Elements why = section(visit.page("/lane?key=" + key()), "Why it has this session");
        assertThat(why.select("tr:not(.more)")).hasSize(1 + 20);
        String older = why.select("a[rel=next]").attr("href");
        Document all = visit.page(older.substring(Link.ROOT.length()));

        assertThat(all.select("h2").eachText()).containsExactly("Why it has this session");
        assertThat(all.select("tbody tr:not(.more)")).hasSize(30);
        assertThat(all.select("details")).isNotEmpty();
    }

    private static Elements section(Document page, String caption) {
        return page.select("section:has(> h2:matchesOwn(^" + caption + "$))");
    }

    @Test
    void aResetThatIsTooLongAgoIsNotOfferedToBeTakenBack() {
        gateway.ask("hello");
        gateway.ask("/new");
        Visit known = new Visit(
                gateway,
                Answering.but(
                        GatewayInspection.class,
                        gateway.gateway(),
                        Map.of(
                                "settings",
                                any -> List.of(new GatewayInspection.ShownSetting(
                                        "gateway.unreset_window_minutes", "60", "default")))));
        String page = "/lane?key=" + key();
        assertThat(known.page(page).select("#deeds a").eachText()).contains("Take the reset back");

        gateway.pass(Duration.ofMinutes(61));

        assertThat(known.page(page).select("#deeds a").eachText()).doesNotContain("Take the reset back");
        assertThat(known.page(page).select(".cannot").text())
                .isEqualTo("Take the reset back: it is more than 1 h ago; go back to the session before it instead");
    }

    @Test
    void theListOfKeysNamesEveryPageThatHasOne() throws IOException {
        String script = Files.readString(
                Path.of("src", "main", "resources", "dev", "parley", "adapter", "console", "console.js"));

        for (Element place : visit.page("/").select("header nav a")) {
            assertThat(script)
                    .contains(place.attr("data-key") + " " + place.text().toLowerCase(Locale.ROOT));
        }
    }

    @Test
    void everyPageNamesTheZoneOfItsTimes() {
        gateway.ask("hello");

        for (String page : List.of(
                "/",
                "/lane?key=" + key(),
                "/session?id=" + session(),
                "/lane/reset?key=" + key(),
                "/what-if",
                "/sessions/prune")) {
            assertThat(visit.page(page).select("footer").text()).as(page).isEqualTo("Times are those of UTC.");
        }
    }

    @Test
    void aTurnThatRunsSaysForHowLong() {
        ScriptedTurn slow = ScriptedTurn.reply("later").taking(Duration.ofHours(1));
        try (TestGateway busy = TestGateway.builder().script(slow).start()) {
            busy.say("take your time");
            busy.pass(Duration.ofSeconds(150));
            Visit there = new Visit(busy);
            String key = busy.lane(TestGateway.ALICE).value();

            for (String page : List.of("/", "/lanes", "/lane?key=" + key)) {
                assertThat(there.page(page).select("main").text()).as(page).contains("running 2 min 30 s");
            }
        }
    }
}
