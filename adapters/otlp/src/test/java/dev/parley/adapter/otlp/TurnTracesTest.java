package dev.parley.adapter.otlp;

import static dev.parley.adapter.otlp.Collector.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.spi.Observer;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.testing.RecordingPlatform;
import dev.parley.testing.TestGateway;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The traces of a real gateway, as a collector reads them. */
class TurnTracesTest {
    private static final SessionSource SOMEBODY = SessionSource.builder(TestGateway.PLATFORM, "chat4711")
            .userId("user0815")
            .userName("Ariadne")
            .build();
    private static final String SAID = "my secret question";
    private static final String ANSWER = "your secret answer";
    private static final ScriptedTurn WITH_TOOLS = ScriptedTurn.reply(ANSWER)
            .using(new ScriptedTurn.ToolUse("weather", "{\"of\":\"secret place\"}", "secretly sunny"))
            .taking(Duration.ofSeconds(4))
            .spending(new TokenUsage(100, 20, 30, 0, 0));

    @TempDir
    private Path home;

    private final Collector collector = new Collector();
    private Optional<TestGateway> running = Optional.empty();
    private Optional<Observer> observing = Optional.empty();
    private int told;

    @AfterEach
    void end() {
        observing.ifPresent(Observer::close);
        running.ifPresent(TestGateway::close);
        collector.close();
    }

    private Observed observed() {
        return new Observed(home).to(collector.url());
    }

    private TestGateway begin(Observed observed, ScriptedTurn... script) {
        TestGateway gateway = TestGateway.scripted(script);
        running = Optional.of(gateway);
        observed.clock = gateway.clock();
        observing = Optional.of(observed.started());
        return gateway;
    }

    /** Lets seconds pass one by one, each with what happens in it told. */
    private void pass(TestGateway gateway, int seconds) {
        tell(gateway);
        for (int i = 0; i < seconds; i++) {
            gateway.pass(Duration.ofSeconds(1));
            tell(gateway);
        }
    }

    private void tell(TestGateway gateway) {
        List<GatewayEvent> all = gateway.events().all();
        all.subList(told, all.size()).forEach(observing.orElseThrow()::on);
        told = all.size();
    }

    /** Ends what observes; everything has been sent then. */
    private List<Span> sent() {
        observing.ifPresent(Observed::end);
        observing = Optional.empty();
        return collector.spans();
    }

    private static long millis(Span span) {
        return (span.getEndTimeUnixNano() - span.getStartTimeUnixNano()) / 1_000_000;
    }

    private Span only(String name) {
        assertThat(collector.spans(name)).as(name).hasSize(1);
        return collector.spans(name).get(0);
    }

    @Test
    void aTurnWithAToolAndADeliveryThatIsRepeatedIsOneTree() {
        TestGateway gateway = begin(observed(), WITH_TOOLS);
        gateway.say(SOMEBODY, SAID);
        gateway.platform().behave(RecordingPlatform.Behaviour.FAIL);
        pass(gateway, 4);
        gateway.platform().behave(RecordingPlatform.Behaviour.DELIVER);
        pass(gateway, 10);

        List<Span> spans = sent();

        Span root = only("process telegram");
        Span agent = only("invoke_agent");
        assertThat(spans).extracting(Span::getTraceId).containsOnly(root.getTraceId());
        assertThat(spans.stream()
                        .filter(span -> span.getParentSpanId().equals(root.getSpanId()))
                        .map(Span::getName))
                .containsExactlyInAnyOrder("queue", "invoke_agent", "send telegram", "send telegram");
        assertThat(only("execute_tool weather").getParentSpanId()).isEqualTo(agent.getSpanId());
        assertThat(root.getParentSpanId().isEmpty()).isTrue();
        assertThat(root.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CONSUMER);
        assertThat(millis(agent)).isEqualTo(4000);
        assertThat(millis(only("execute_tool weather"))).isBetween(0L, 4000L);
        assertThat(root.getEndTimeUnixNano())
                .isEqualTo(
                        spans.stream().mapToLong(Span::getEndTimeUnixNano).max().orElseThrow());
        assertThat(collector.spans("send telegram"))
                .extracting(
                        span -> attribute(span, "parley.delivery.attempt").orElse(""),
                        span -> attribute(span, "error.type").orElse("none"),
                        span -> span.getStatus().getCode())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("1", "away", Status.StatusCode.STATUS_CODE_ERROR),
                        org.assertj.core.groups.Tuple.tuple("2", "none", Status.StatusCode.STATUS_CODE_UNSET));
        assertThat(attribute(agent, "gen_ai.usage.input_tokens")).hasValue("100");
        assertThat(attribute(agent, "gen_ai.request.model")).hasValue("scripted");
        assertThat(attribute(root, "parley.turn.state")).hasValue("completed");
        assertThat(attribute(root, "parley.delivery.state")).hasValue("delivered");
        assertThat(attribute(collector.resource().getAttributesList(), "service.name"))
                .hasValue("parley");
    }

    @Test
    void aTurnThatFailedSaysWhyInAWord() {
        TestGateway gateway = begin(observed(), ScriptedTurn.ending(ScriptedTurn.Outcome.FAIL));
        gateway.say(SOMEBODY, SAID);
        pass(gateway, 1);

        sent();

        Span root = only("process telegram");
        assertThat(root.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
        assertThat(attribute(root, "error.type")).isPresent().isEqualTo(attribute(root, "parley.turn.reason"));
        assertThat(root.getStatus().getMessage()).isEmpty();
    }

    @Test
    void aTurnThatACrashCutOffAndTheOneThatResumesItAreTwoTracesOfOneConversation() {
        TestGateway gateway = begin(observed(), WITH_TOOLS.taking(Duration.ofSeconds(60)));
        gateway.say(SOMEBODY, SAID);
        pass(gateway, 2);

        gateway.crash();
        pass(gateway, 60);
        sent();

        List<Span> roots = collector.spans("process telegram").stream()
                .sorted(Comparator.comparingLong(Span::getStartTimeUnixNano))
                .toList();
        assertThat(roots)
                .extracting(root -> attribute(root, "parley.turn.state").orElse(""))
                .containsExactly("interrupted", "completed");
        assertThat(roots)
                .extracting(root -> attribute(root, "parley.turn.resumed").orElse(""))
                .containsExactly("false", "true");
        assertThat(roots).extracting(Span::getTraceId).doesNotHaveDuplicates();
        assertThat(roots.stream().map(root -> attribute(root, "gen_ai.conversation.id")))
                .doesNotContain(Optional.empty())
                .containsOnly(attribute(roots.get(0), "gen_ai.conversation.id"));
    }

    @Test
    void aDeliveryThatComesLongAfterItsTurnJoinsItsTrace() {
        Observed observed = observed();
        TestGateway gateway = begin(observed, ScriptedTurn.reply(ANSWER));
        gateway.platform().behave(RecordingPlatform.Behaviour.FAIL);
        gateway.say(SOMEBODY, SAID);
        pass(gateway, 1);
        observed.timePasses();
        gateway.platform().behave(RecordingPlatform.Behaviour.DELIVER);
        pass(gateway, 600);

        List<Span> spans = sent();

        Span root = only("process telegram");
        assertThat(attribute(root, "parley.delivery.state")).hasValue("pending");
        assertThat(collector.spans("send telegram"))
                .hasSizeGreaterThan(1)
                .extracting(Span::getParentSpanId)
                .containsOnly(root.getSpanId());
        assertThat(spans).extracting(Span::getTraceId).containsOnly(root.getTraceId());
    }

    @Test
    void noTextAndNoIdOfAPersonLeavesTheMachine() {
        TestGateway gateway = begin(observed(), WITH_TOOLS, ScriptedTurn.ending(ScriptedTurn.Outcome.FAIL));
        gateway.platform().behave(RecordingPlatform.Behaviour.REFUSE);
        gateway.say(SOMEBODY, SAID);
        pass(gateway, 5);
        gateway.say(SOMEBODY, SAID);
        pass(gateway, 40);

        sent();

        assertThat(collector.spans()).hasSizeGreaterThan(4);
        assertThat(collector.everything())
                .doesNotContainIgnoringCase("secret", "4711", "0815", "ariadne", SOMEBODY.chatId())
                .contains("parley.lane.hash");
    }

    @Test
    void textsAndIdsAreSentWhereTheyAreAskedFor() {
        TestGateway gateway =
                begin(observed().with("content", "true").with("ids", "plain"), ScriptedTurn.reply(ANSWER));
        gateway.say(SOMEBODY, SAID);
        pass(gateway, 1);

        sent();

        assertThat(attribute(only("invoke_agent"), "gen_ai.input.messages").orElse(""))
                .contains("\"role\":\"user\"", SAID);
        assertThat(attribute(only("invoke_agent"), "gen_ai.output.messages").orElse(""))
                .contains("\"role\":\"assistant\"", ANSWER);
        assertThat(attribute(only("process telegram"), "parley.lane"))
                .hasValue(gateway.lane(SOMEBODY).value());
        assertThat(attribute(only("send telegram"), "messaging.destination.name"))
                .hasValue("chat4711");
    }

    @Test
    void aLaneHasOneHiddenNameOverAllStartsOfItsHomeAndAnotherElsewhere() throws IOException {
        String first = HiddenIds.of(home).hidden("agent:main:telegram:dm:4711");

        assertThat(HiddenIds.of(home).hidden("agent:main:telegram:dm:4711"))
                .isEqualTo(first)
                .matches("[0-9a-f]{16}");
        assertThat(HiddenIds.of(home).hidden("agent:main:telegram:dm:4712")).isNotEqualTo(first);
        Path elsewhere = Files.createDirectory(home.resolve("elsewhere"));
        assertThat(HiddenIds.of(elsewhere).hidden("agent:main:telegram:dm:4711"))
                .isNotEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(HiddenIds.FILE))))
                .isEqualTo("rw-------");
    }

    @Test
    void theTraceOfATurnFollowsFromItsId() {
        TestGateway gateway = begin(observed(), ScriptedTurn.reply(ANSWER));
        gateway.say(SOMEBODY, SAID);
        pass(gateway, 1);

        sent();

        Turn turn = gateway.events().of(GatewayEvent.TurnEnded.class).get(0).turn();
        Span root = only("process telegram");
        assertThat(java.util.HexFormat.of().formatHex(root.getTraceId().toByteArray()))
                .isEqualTo(PlannedIds.of(turn.id().value()).getTraceId());
        assertThat(PlannedIds.of("turn-1").getTraceId())
                .as("the console links to it by the same rule")
                .isEqualTo("974cad2dd603827b06e9e6affa3de03d");
    }

    @Test
    void aShareOfTheTurnsIsTracedWholeAndTheOthersNotAtAll() {
        TestGateway gateway = begin(observed().with("ratio", "0.5"));
        for (int i = 0; i < 60; i++) {
            gateway.say(SOMEBODY, "again");
            pass(gateway, 1);
        }

        List<Span> spans = sent();

        List<Span> roots = collector.spans("process telegram");
        assertThat(roots).hasSizeBetween(5, 55);
        Set<?> traced = roots.stream().map(Span::getTraceId).collect(Collectors.toSet());
        assertThat(spans)
                .hasSize(4 * roots.size())
                .allSatisfy(span -> assertThat(traced)
                        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.collection(Object.class))
                        .contains(span.getTraceId()));
    }
}
