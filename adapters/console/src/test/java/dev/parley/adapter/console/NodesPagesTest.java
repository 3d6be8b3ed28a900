package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayOperations;
import dev.parley.application.port.HeldElsewhere;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.Node;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.LifeId;
import dev.parley.testing.TestGateway;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A gateway that shares its store with others: the pages name them, lead to their consoles, and say what is to be asked there. */
class NodesPagesTest {
    private static final LifeId MINE = new LifeId("life-1");
    private static final LifeId THEIRS = new LifeId("life-2");

    private final TestGateway gateway = TestGateway.builder()
            .answering(said -> "heard")
            .settings(s -> s.operation(o -> o.withMaintenanceCheck(Duration.ofSeconds(1))))
            .start();
    private final String lane = gateway.lane(TestGateway.ALICE).value();

    @AfterEach
    void close() {
        gateway.close();
    }

    private static Node node(LifeId life, String name, String address) {
        return new Node(
                life,
                new Newcomer(name, "1.0", "rack 7", Newcomer.Kind.NODE, new TreeMap<>()),
                Node.State.UP,
                Node.Wish.NOTHING,
                Optional.of(address),
                TestGateway.BEGIN,
                TestGateway.BEGIN.plus(Duration.ofDays(1)),
                1,
                3);
    }

    private Visit amongTwo(String address) {
        Lanes lanes = Answering.but(
                Lanes.class, gateway.gateway().laneReads(), Map.of("hold", key -> new Hold(Optional.of(THEIRS), 4)));
        GatewayHealth health = GatewayHealth.builder(GatewayHealth.State.OK)
                .part(Optional.of(new GatewayHealth.Part(Optional.of(MINE), true)))
                .build();
        GatewayOperations operations = Answering.but(
                GatewayOperations.class, gateway.gateway().operations().orElseThrow(), Map.of("resume", any -> {
                    throw new HeldElsewhere(Optional.of(THEIRS));
                }));
        return new Visit(
                gateway,
                Answering.but(
                        GatewayInspection.class,
                        gateway.gateway(),
                        Map.of(
                                "nodes",
                                any -> List.of(node(MINE, "one", "http://10.0.0.1:8787"), node(THEIRS, "two", address)),
                                "laneReads",
                                any -> lanes,
                                "health",
                                any -> health,
                                "operations",
                                any -> Optional.of(operations))));
    }

    @Test
    void theOverviewNamesTheNodesAndLeadsToTheConsolesOfTheOthers() {
        Document page = amongTwo("http://10.0.0.2:8787/").page("/");

        assertThat(page.select("[id=node-life-1]").text()).contains("one (rack 7), this one", "up", "3");
        assertThat(page.select("[id=node-life-1] a")).isEmpty();
        assertThat(page.select("[id=node-life-2] a").attr("href")).isEqualTo("http://10.0.0.2:8787/console/");
    }

    @Test
    void aGatewayAloneNamesNoNodes() {
        assertThat(new Visit(gateway).page("/").select("h2").eachText()).doesNotContain("Nodes");
    }

    @Test
    void aLaneSaysWhichNodeWorksOnItAndWhatOnlyThatNodeCanDoIsAskedThere() {
        gateway.ask("hello");
        String session = gateway.storage()
                .lanes()
                .find(gateway.lane(TestGateway.ALICE))
                .orElseThrow()
                .entry()
                .sessionId()
                .value();
        Visit visit = amongTwo("http://10.0.0.2:8787");

        assertThat(visit.page("/lane?key=" + lane)
                        .select("[id='fact-Worked-on-by'] a")
                        .attr("href"))
                .isEqualTo("http://10.0.0.2:8787" + Link.lane(lane));
        WebResponse.Whole answer =
                visit.post(Operating.RESUME, "key=" + lane + "&id=" + session + "&epoch=1", WebRole.OPERATOR);

        assertThat(answer.status()).isEqualTo(409);
        Document page = Jsoup.parse(answer.body());
        assertThat(page.select("main").text()).contains("The lane is worked on by two (rack 7)");
        assertThat(page.select("main a.button").attr("href")).isEqualTo("http://10.0.0.2:8787" + Link.lane(lane));
        assertThat(visit.acts()).contains("operator lane resume held elsewhere");
    }

    @Test
    void whatOnlyTheNodeOfALaneCanDoIsNotOfferedElsewhere() {
        gateway.ask("hello");
        gateway.ask("/new");
        gateway.markers().hold(true);
        gateway.pass(Duration.ofSeconds(2));
        gateway.say("wait");
        gateway.settle();
        Document here = new Visit(gateway).page("/lane?key=" + lane);
        assertThat(here.select("td a").eachText()).contains("drop", "go back");

        Document there = amongTwo("http://10.0.0.2:8787").page("/lane?key=" + lane);

        assertThat(there.select("td a").eachText()).doesNotContain("drop", "go back");
        assertThat(there.select("#intro").text()).contains("in the console of two (rack 7)");
        assertThat(there.select("#deeds a").eachText()).contains("Begin anew", "Suspend");
    }

    @Test
    void anAddressThatABrowserMustNotFollowIsNoLink() {
        Document page = amongTwo("javascript:alert(1)").page("/");

        assertThat(page.select("[id=node-life-2]").text()).contains("two");
        assertThat(page.select("[id=node-life-2] a")).isEmpty();
    }

    @Test
    @SuppressWarnings("unchecked")
    void aSearchThatWasStoppedBecauseItCostTooMuchSaysSo() {
        TranscriptSearch stopped =
                Answering.but(TranscriptSearch.class, gateway.gateway().search(), Map.of("search", arguments -> {
                    ((Consumer<String>) arguments[1])
                            .accept("The search was stopped; it looked at the latest messages only.");
                    return List.of();
                }));
        Visit visit = new Visit(
                gateway, Answering.but(GatewayInspection.class, gateway.gateway(), Map.of("search", any -> stopped)));

        assertThat(visit.page("/search?q=hello").select("#intro").text())
                .isEqualTo("The search was stopped; it looked at the latest messages only.");
    }
}
