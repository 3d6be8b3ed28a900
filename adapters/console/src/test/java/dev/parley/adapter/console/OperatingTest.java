package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayOperations;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.application.spi.WebStream;
import dev.parley.domain.session.Session;
import dev.parley.testing.RecordingPlatform;
import dev.parley.testing.TestGateway;
import dev.parley.testing.memory.MemoryStorage;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.select.Elements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator does in the console to sessions, waiting messages, deliveries and the gateway. */
class OperatingTest {
    private final SwitchableStorage storage = new SwitchableStorage(new MemoryStorage());
    private final TestGateway gateway = TestGateway.builder()
            .storage(storage)
            .script(ScriptedTurn.echo())
            .settings(s -> s.operation(o -> o.withMaintenanceCheck(Duration.ofSeconds(1))))
            .start();
    private final Visit visit = new Visit(gateway);
    private final String lane = gateway.lane(TestGateway.ALICE).value();

    @AfterEach
    void close() {
        storage.become(SwitchableStorage.State.AVAILABLE);
        gateway.close();
    }

    // ------------------------------------------------------------------ how tests act

    /** Follows a link of a page to the question it leads to. */
    private Document asked(String page, String link) {
        String address = visit.page(page).select("a:containsOwn(" + link + ")").attr("href");
        assertThat(address).as("%s on %s", link, page).startsWith(Link.ROOT);
        return visit.page(address.substring(Link.ROOT.length()));
    }

    /** Answers a question with what its form carries. */
    private WebResponse.Whole answered(Document question, String... typed) {
        String form = question.select("section.ask form input").stream()
                .filter(field -> !field.attr("name").equals("csrf"))
                .map(field -> field.attr("name") + "=" + encoded(typed(field.attr("name"), field.attr("value"), typed)))
                .collect(Collectors.joining("&"));
        String place = question.select("section.ask form").attr("action").substring(Link.ROOT.length());
        return gateway.operate(any -> visit.post(place, form, WebRole.OPERATOR));
    }

    private static String typed(String name, String value, String... typed) {
        for (int i = 0; i < typed.length; i += 2) {
            if (typed[i].equals(name)) {
                return typed[i + 1];
            }
        }
        return value;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String note(WebResponse.Whole answer) {
        return Jsoup.parse(answer.body()).select(".note:not([hidden])").text();
    }

    private Session current() {
        return storage.sessions()
                .find(storage.lanes()
                        .find(gateway.lane(TestGateway.ALICE))
                        .orElseThrow()
                        .entry()
                        .sessionId())
                .orElseThrow();
    }

    // ------------------------------------------------------------------ who may

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/lane/reset",
                "/lane/unreset",
                "/lane/suspend",
                "/lane/unsuspend",
                "/lane/interrupt",
                Operating.RESUME,
                Operating.DROP,
                Operating.TRY,
                Operating.GIVE_UP,
                Operating.TITLE,
                Operating.END,
                Operating.REOPEN,
                Operating.DELETE,
                Operating.HOLD,
                Operating.RELEASE,
                Operating.CHECK
            })
    void onlyOperatorsAreAskedAndAct(String place) {
        assertThat(visit.needed("GET", place)).isEqualTo(WebRole.OPERATOR);
        assertThat(visit.needed("POST", place)).isEqualTo(WebRole.OPERATOR);
    }

    @Test
    void aReaderIsOfferedNothing() {
        gateway.ask("hello");
        gateway.ask("/new");
        gateway.markers().hold(true);
        gateway.pass(Duration.ofSeconds(2));
        gateway.say("wait");
        for (String page : List.of(
                "/",
                "/lane?key=" + lane,
                "/deliveries",
                "/storage",
                "/session?id=" + current().id())) {
            Document shown = Jsoup.parse(visit.get(page, WebRole.READER).body());
            assertThat(shown.select(".deeds a, td a:matchesOwn(^(drop|go back|try now|give up)$)"))
                    .as(page)
                    .isEmpty();
            assertThat(visit.page(page).select(".deeds a, td a:matchesOwn(^(drop|go back|try now|give up)$)"))
                    .as("operators are, on %s", page)
                    .hasSizeGreaterThanOrEqualTo(page.equals("/deliveries") ? 0 : 1);
        }
    }

    // ------------------------------------------------------------------ lanes

    @Test
    void whatCannotBeDoneForNowKeepsItsPlaceAndIsNotOffered() {
        try (TestGateway slow =
                TestGateway.scripted(ScriptedTurn.echo(), ScriptedTurn.echo().taking(Duration.ofHours(1)))) {
            Visit here = new Visit(slow);
            slow.ask("hello");
            slow.ask("/new");
            Elements idle = here.page("/lane?key=" + lane).select("#deeds .button");
            slow.say("takes an hour");
            Elements busy = here.page("/lane?key=" + lane).select("#deeds .button");

            assertThat(idle.eachText())
                    .containsExactly("Take the reset back", "Begin anew", "Suspend", "Interrupt the turn")
                    .isEqualTo(busy.eachText());
            assertThat(idle.not("a").eachText()).containsExactly("Interrupt the turn");
            assertThat(idle.not("a").attr("title")).isEqualTo("no turn runs");
            assertThat(busy.not("a").eachText()).containsExactly("Take the reset back");
            assertThat(busy.not("a").attr("title")).isEqualTo("a turn runs");
        }
    }

    @Test
    void aSuspensionIsTakenBack() {
        gateway.ask("hello");
        answered(asked("/lane?key=" + lane, "Suspend"));
        assertThat(visit.page("/lane?key=" + lane).select("#facts").text()).contains("suspended");

        WebResponse.Whole done = answered(asked("/lane?key=" + lane, "Take the suspension back"));

        assertThat(done.status()).isEqualTo(303);
        Document after = visit.page("/lane?key=" + lane + "&done=unsuspend");
        assertThat(after.select("#facts").text()).contains("open");
        assertThat(after.select("#intro").text()).isEqualTo("Take the suspension back: done.");
        assertThat(visit.acts()).contains("operator suspend done", "operator unsuspend done");
    }

    @Test
    void aLaneGoesBackToASessionWhereItStillStandsAsItDid() {
        gateway.ask("hello");
        String first = current().id().value();
        gateway.ask("/new");
        Document question = asked("/lane?key=" + lane, "go back");
        assertThat(question.select(".ask").text())
                .contains("goes on with the session " + first, "2 messages", "in the same way");
        gateway.ask("/new");

        WebResponse.Whole late = answered(question);
        assertThat(late.status()).isEqualTo(409);
        assertThat(note(late)).contains("The lane has moved since you looked at it");
        Document fresh = visit.page(Operating.RESUME + "?key=" + lane + "&id=" + first);
        assertThat(answered(fresh).status()).isEqualTo(303);

        assertThat(current().id().value()).isEqualTo(first);
        assertThat(visit.acts()).contains("operator lane resume nothing", "operator lane resume done");
    }

    @Test
    void aWaitingMessageIsShownAndDropped() {
        gateway.markers().hold(true);
        gateway.pass(Duration.ofSeconds(2));
        gateway.say("never mind");
        gateway.settle();
        Document question = asked("/lane?key=" + lane, "drop");
        assertThat(question.select(".ask").text()).contains("never mind", "cannot be taken back");

        assertThat(answered(question).status()).isEqualTo(303);
        WebResponse.Whole again = answered(question);

        assertThat(storage.queue().admitted()).isEmpty();
        assertThat(again.status()).isEqualTo(409);
        assertThat(note(again)).contains("does not wait any more");
    }

    // ------------------------------------------------------------------ deliveries

    @Test
    void aDeliveryIsTriedNowAndAnotherGivenUp() {
        gateway.platform().behave(RecordingPlatform.Behaviour.FAIL);
        gateway.say("one");
        gateway.say("two");
        gateway.settle();
        assertThat(storage.queue().undelivered()).hasSize(2);
        Document question = asked("/deliveries", "give up");
        assertThat(question.select(".ask").text()).contains("two", "never sent", "cannot be taken back");

        assertThat(answered(question).status()).isEqualTo(303);
        Document tries = asked("/deliveries", "try now");
        gateway.platform().behave(RecordingPlatform.Behaviour.DELIVER);
        assertThat(answered(tries).status()).isEqualTo(303);
        gateway.settle();

        assertThat(storage.queue().undelivered()).isEmpty();
        assertThat(gateway.seen()).hasSize(1);
        assertThat(answered(tries).status()).as("it is delivered").isEqualTo(409);
        assertThat(visit.acts()).contains("operator delivery give-up done", "operator delivery try done");
    }

    // ------------------------------------------------------------------ sessions

    @Test
    void aSessionIsTitledReopenedEndedAndDeleted() {
        gateway.ask("hello");
        String page = "/session?id=" + current().id();
        gateway.ask("/new");
        String id = page.substring(page.indexOf('=') + 1);

        answered(asked(page, "Change the title"), "title", "Plans");
        assertThat(visit.page(page).select("h1").text()).isEqualTo("Plans");
        answered(asked(page, "Reopen the session"));
        answered(asked(page, "End the session"), "reason", "done with it");
        assertThat(visit.page(page).select("#facts").text()).contains("done with it");
        Document question = asked(page, "Delete the session");
        assertThat(question.select(".ask").text()).contains("2 messages are deleted", "cannot be taken back");
        answered(asked(page, "Change the title"), "title", "Other plans");
        WebResponse.Whole late = answered(question);
        assertThat(note(late)).contains("has changed since you looked at it");
        WebResponse.Whole done = answered(asked(page, "Delete the session"));

        assertThat(done.headers().get("Location")).contains("/sessions?done=");
        assertThat(visit.get(page, WebRole.OPERATOR).status()).isEqualTo(404);
        assertThat(visit.acts())
                .containsSubsequence(
                        "operator session title done",
                        "operator session reopen done",
                        "operator session end done",
                        "operator session delete nothing",
                        "operator session delete done");
        assertThat(id).isNotEmpty();
    }

    @Test
    void aSessionThatALaneIsInIsNotDeletedAndATitleThatIsTakenIsNotGivenTwice() {
        gateway.ask("hello");
        String first = "/session?id=" + current().id();
        answered(asked(first, "Change the title"), "title", "Plans");
        gateway.ask("/new");
        String second = "/session?id=" + current().id();

        WebResponse.Whole deleted = answered(asked(second, "Delete the session"));
        WebResponse.Whole titled = answered(asked(second, "Change the title"), "title", "Plans");

        assertThat(deleted.status()).isEqualTo(409);
        assertThat(note(deleted)).contains("The lane " + lane + " is in this session");
        assertThat(note(titled)).contains("The title 'Plans' is in use by the session");
        assertThat(visit.get(second, WebRole.OPERATOR).status()).isEqualTo(200);
    }

    // ------------------------------------------------------------------ the gateway

    @Test
    void newTurnsAreHeldAndReleased() {
        answered(asked("/", "Hold new turns"));
        assertThat(visit.page("/").select("#state").text()).isEqualTo("held");
        gateway.say("wait for it");
        gateway.settle();
        Document question = asked("/", "Release new turns");
        assertThat(question.select(".ask").text()).contains("1 message now");

        answered(question);
        gateway.settle();

        assertThat(visit.page("/").select("#state").text()).isEqualTo("ok");
        assertThat(gateway.seen()).contains("wait for it");
        assertThat(visit.acts()).contains("operator gateway hold done", "operator gateway release done");
    }

    @Test
    void aHoldThatCannotBeNotedIsNotCalledDone() {
        gateway.markers().full(true);

        WebResponse.Whole answer = answered(asked("/", "Hold new turns"));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(note(answer)).contains("This could not be done now");
        assertThat(visit.acts()).contains("operator gateway hold unavailable");
        gateway.markers().full(false);
    }

    @Test
    void theStorageIsCheckedBesideTheGatewaysWorkAndThePageSaysWhatCameOfIt() {
        assertThat(answered(asked("/storage", "Check the storage")).status()).isEqualTo(303);
        assertThat(visit.page("/storage").select("[id='fact-Check']").text()).isEqualTo("Check begins");
        assertThat(visit.page("/storage").select("#deeds")).as("one at a time").isEmpty();

        visit.settle();

        assertThat(visit.page("/storage").select("[id='fact-Check']").text()).contains("nothing wrong");
    }

    @Test
    void aCheckThatBreaksIsToldByTypeAndPlaceAndNotByWhatItQuotes() {
        Visit broken = breaking(any -> {
            throw new IllegalStateException("my secret words");
        });
        broken.post(Operating.CHECK, "", WebRole.OPERATOR);
        broken.settle();

        assertThat(broken.page("/storage").select("[id='fact-Check']").text())
                .contains("Something went wrong in the gateway; its log tells more.");
        assertThat(broken.warnings())
                .singleElement()
                .asString()
                .startsWith("A check of the storage failed: java.lang.IllegalStateException at ")
                .contains(getClass().getName())
                .doesNotContain("my secret words");
    }

    @Test
    void aCheckThatBreaksOfAClassThatIsGoneIsOverAndAnotherMayBegin() {
        Visit broken = breaking(any -> {
            throw new NoClassDefFoundError("org/acme/Gone");
        });
        broken.post(Operating.CHECK, "", WebRole.OPERATOR);
        broken.settle();

        assertThat(broken.warnings()).singleElement().asString().contains("NoClassDefFoundError", "org/acme/Gone");
        assertThat(broken.page("/storage").select("#deeds").text()).contains("Check the storage");
    }

    private Visit breaking(Function<Object[], Object> check) {
        GatewayOperations real = gateway.gateway().operations().orElseThrow();
        GatewayOperations operations = Answering.but(GatewayOperations.class, real, Map.of("check", check));
        return new Visit(
                gateway,
                Answering.but(
                        GatewayInspection.class,
                        gateway.gateway(),
                        Map.of("operations", any -> Optional.of(operations))));
    }

    @Test
    void whatIsAskedWhileTheStorageIsAwayIsNotCalledDone() {
        gateway.ask("hello");
        Document question = asked("/session?id=" + current().id(), "Change the title");
        storage.become(SwitchableStorage.State.UNAVAILABLE);

        WebResponse.Whole answer = answered(question, "title", "Plans");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(note(answer)).contains("This could not be done now");
        assertThat(visit.acts()).contains("operator session title unavailable");
    }

    // ------------------------------------------------------------------ what changes meanwhile

    @ParameterizedTest
    @ValueSource(strings = {"/", "/lanes", "/sessions", "/events", "/failures", "/recovery", "/deliveries"})
    void aChangeBetweenAPageAndItsStreamIsNotMissed(String page) {
        Document shown = visit.page(page);
        String since = shown.body().attr("data-since");
        String topics = shown.body().attr("data-live");

        WebStream quiet = visit.stream(topics, since);
        assertThat(quiet.next()).as("nothing has changed").isEmpty();
        gateway.platform().behave(RecordingPlatform.Behaviour.FAIL);
        gateway.ask("hello");
        visit.tell(gateway.events().all());

        assertThat(visit.stream(topics, since).next()).contains("event: change");
        assertThat(visit.stream(topics, visit.page(page).body().attr("data-since"))
                        .next())
                .as("a page that shows it already")
                .isEmpty();
    }
}
