package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayHealth;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.testing.TestGateway;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What pages say while something is wrong: what was there is never shown as if it were not. */
class HonestPagesTest {
    private final SwitchableStorage storage = new SwitchableStorage(new MemoryStorage());
    private final TestGateway gateway = TestGateway.builder()
            .storage(storage)
            .answering(text -> "hello")
            .settings(settings -> settings.operation(o -> o.withMaintenanceCheck(Duration.ofSeconds(1))))
            .start();
    private final Visit visit = new Visit(gateway);

    @BeforeEach
    void somethingHappened() {
        gateway.ask("hello");
        gateway.ask("/new");
        gateway.pass(Duration.ofDays(2));
        gateway.ask("hello again");
    }

    @AfterEach
    void close() {
        storage.become(SwitchableStorage.State.AVAILABLE);
        gateway.close();
    }

    private List<String> pages() {
        String key = gateway.lane(TestGateway.ALICE).value();
        String session = storage.lanes()
                .find(gateway.lane(TestGateway.ALICE))
                .orElseThrow()
                .entry()
                .sessionId()
                .value();
        return List.of(
                "/",
                "/lanes",
                "/lane?key=" + key,
                "/lane/reset?key=" + key,
                "/sessions",
                "/sessions/prune?days=7",
                "/session?id=" + session,
                "/session?id=" + session + "&view=turns",
                "/search?q=hello",
                "/usage?days=30&by=day",
                "/deliveries?state=all",
                "/failures",
                "/events?all=1",
                "/storage",
                "/recovery",
                "/what-if",
                "/settings?all=1",
                "/audit");
    }

    @ParameterizedTest
    @EnumSource(
            value = SwitchableStorage.State.class,
            names = {"UNAVAILABLE", "CORRUPT", "FULL"})
    void noPageShowsWhatItCannotReadAsEmpty(SwitchableStorage.State state) {
        List<String> pages = pages();
        List<Set<String>> before = pages.stream().map(this::shown).toList();
        assertThat(before).anyMatch(shown -> shown.contains("messages")).anyMatch(shown -> shown.contains("Found"));
        storage.become(state);

        for (int i = 0; i < pages.size(); i++) {
            WebResponse.Whole answer = visit.get(pages.get(i), WebRole.OPERATOR);
            Document page = Jsoup.parse(answer.body());
            assertThat(answer.status()).as(pages.get(i)).isIn(200, 503);
            Set<String> said = shown(page);
            page.select("section:has(.note.bad)")
                    .forEach(failed -> said.add(failed.select("h2").text()));
            if (page.select(".note").text().contains("cannot be shown now") && said.isEmpty()) {
                continue;
            }
            assertThat(answer.status()).as(pages.get(i)).isEqualTo(200);
            page.select(".note.bad").stream()
                    .filter(note -> note.closest("section") == null)
                    .forEach(note -> said.add("messages"));
            assertThat(said)
                    .as("what %s shows or says it cannot show", pages.get(i))
                    .containsAll(before.get(i));
        }
    }

    private Set<String> shown(String page) {
        return shown(visit.page(page));
    }

    private static Set<String> shown(Document page) {
        Set<String> shown = new LinkedHashSet<>();
        for (Element section : page.select("section:has(tbody)")) {
            shown.add(section.select("h2").text());
        }
        if (!page.select(".talk article").isEmpty()) {
            shown.add("messages");
        }
        return shown;
    }

    @Test
    void aChatWhoseFirstMessageWaitsIsShownThoughItHasNoSessionYet() {
        gateway.markers().hold(true);
        gateway.pass(Duration.ofSeconds(5));
        gateway.say(TestGateway.BOB, "is anybody there");
        gateway.settle();
        String key = gateway.lane(TestGateway.BOB).value();

        assertThat(visit.page("/").select("[id='lane-" + key + "']").text()).contains("new", "1, ");
        Document lane = visit.page("/lane?key=" + key);
        assertThat(lane.select("#intro").text()).contains("Its first message waits");
        assertThat(lane.select("tbody").text()).contains("is anybody there");
    }

    @Test
    void whatCannotBeDoneIsNotCalledDone() {
        String key = gateway.lane(TestGateway.ALICE).value();
        String epoch =
                visit.page("/lane/reset?key=" + key).select("input[name=epoch]").attr("value");
        storage.become(SwitchableStorage.State.UNAVAILABLE);

        WebResponse.Whole answer = visit.post("/lane/interrupt", "key=" + key + "&epoch=" + epoch, WebRole.OPERATOR);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(Jsoup.parse(answer.body()).select(".note").text()).contains("This could not be done now");
        assertThat(visit.acts()).contains("operator interrupt unavailable");
    }

    @ParameterizedTest
    @CsvSource({
        "OK, held, held, warn, New turns wait until an operator releases them",
        "DRAINING, '', draining, warn, running turns end",
        "STARTING, '', starting, warn, The gateway is starting",
        "DEGRADED, '', degraded, warn, Messages are taken and kept beside it",
        "REFUSING, '', refusing, bad, the disk is full",
        "STARVED, '', starved, bad, Nothing gets on",
        "OK, '', ok, ok, ''"
    })
    void everyPageSaysHowTheGatewayIs(GatewayHealth.State state, String held, String word, String mood, String told) {
        GatewayHealth health = GatewayHealth.builder(state)
                .held(!held.isEmpty())
                .refusing(Optional.of("the disk is full").filter(why -> held.isEmpty()))
                .build();

        assertThat(Frames.word(health)).isEqualTo(word);
        assertThat(Frames.mood(health)).isEqualTo(mood);
        assertThat(Frames.told(health)).contains(told);
        assertThat(Frames.told(health).isEmpty()).isEqualTo(word.equals("ok"));
    }

    @ParameterizedTest
    @CsvSource({
        "bytes, 327680, 320 KB",
        "log_bytes, 1775752, 1.7 MB",
        "bytes, 3221225472, 3.0 GB",
        "free_bytes, 0, 0 bytes",
        "messages, 1204417, '1,204,417'",
        "schema_version, 11, 11",
        "sqlite, 3.54.1, 3.54.1",
        "file, /srv/state.db, /srv/state.db"
    })
    void figuresOfTheStorageAreReadable(String name, String value, String shown) {
        assertThat(Words.figure(name, value)).isEqualTo(shown);
    }

    @Test
    void aPageOfAGatewayThatIsWellSaysNothingOfIt() {
        assertThat(visit.page("/").select("#told[hidden]")).hasSize(1);
        assertThat(visit.page("/settings").select("body").attr("data-live")).isEqualTo("storage");
    }
}
