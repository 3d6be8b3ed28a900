package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.TurnQuery;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the end of a turn does to the session and its transcript (O4.23 to O4.27). */
class EndingsTest {
    private static final SessionId NEXT = SessionId.of("20260310_100000_00c0ffee");
    private static final TokenUsage SPENT = new TokenUsage(100, 10, 0, 0, 0);

    private final Bench bench = new Bench();
    private final Turns turns = new Turns();

    @BeforeEach
    void theAgentIsOurs() {
        bench.factory = turns;
        bench.start();
    }

    private static AgentAnswer goesOnAs(String text, SessionId session) {
        return new AgentAnswer(
                Content.text(text),
                Reasoning.NONE,
                Optional.of("stop"),
                SPENT,
                70,
                1,
                Optional.empty(),
                Billing.NONE,
                Optional.of(session));
    }

    private static Consumer<AgentEvents> fails(AgentFailure.Kind kind) {
        return events -> events.failed(new AgentFailure(kind, "too large", SPENT, 1));
    }

    private static Consumer<AgentEvents> answers(String text) {
        return events -> events.answered(AgentAnswer.text(text));
    }

    private Session session(SessionId id) {
        return bench.memory.sessions().find(id).orElseThrow();
    }

    @Test
    @DisplayName(
            "O4.24: where the agent compressed the conversation itself, the lane goes on in the session it reports")
    void theLaneFollowsARotation() {
        turns.next.add(answers("one"));
        bench.say(ALICE, "first");
        SessionId before = bench.entry(ALICES).sessionId();
        turns.next.add(events -> events.answered(goesOnAs("two", NEXT)));
        bench.say(ALICE, "second");

        assertThat(bench.entry(ALICES).sessionId()).isEqualTo(NEXT);
        assertThat(session(before).ending().flatMap(Ending::reason)).contains(Ending.COMPRESSION);
        assertThat(session(NEXT).parent()).contains(before);
        assertThat(bench.transcript(NEXT)).containsExactly("assistant: two");
        assertThat(bench.transcript(before)).containsExactly("user: first", "assistant: one", "user: second");
        assertThat(bench.entry(ALICES).usage().lastPromptTokens()).as("O4.23").isEqualTo(70);

        turns.next.add(answers("three"));
        bench.say(ALICE, "third");
        assertThat(bench.decisions(ALICES)).last().asString().startsWith("reuse");
        assertThat(bench.transcript(NEXT)).containsExactly("assistant: two", "user: third", "assistant: three");
    }

    @Test
    @DisplayName("O4.24, O4.29: a rotation that comes after /new is nothing to the lane")
    void aLateRotationIsIgnored() {
        List<AgentEvents> kept = new ArrayList<>();
        turns.next.add(kept::add);
        bench.say(ALICE, "first");
        bench.say(ALICE, "/new");
        SessionId fresh = bench.entry(ALICES).sessionId();
        kept.get(0).answered(goesOnAs("late", NEXT));
        bench.settle();

        assertThat(bench.entry(ALICES).sessionId()).isEqualTo(fresh);
        assertThat(bench.memory.sessions().find(NEXT)).isEmpty();
        assertThat(bench.seen(ALICE)).noneMatch(text -> text.contains("late"));
    }

    @Test
    @DisplayName("O4.25: of a turn that is too large for the model nothing stays in the conversation")
    void aTooLargeTurnLeavesNothing() {
        turns.next.add(answers("one"));
        bench.say(ALICE, "first");
        turns.next.add(fails(AgentFailure.Kind.CONTEXT_TOO_LARGE));
        bench.say(ALICE, "a whole book");

        assertThat(bench.transcript(ALICES)).containsExactly("user: first", "assistant: one");
        assertThat(bench.seen(ALICE)).last().asString().contains("/compress", "/reset");
        assertThat(bench.entry(ALICES).usage().lastPromptTokens()).as("O4.23").isZero();
        turns.next.add(answers("two"));
        bench.say(ALICE, "second");
        assertThat(turns.last().history())
                .extracting(m -> m.content().plainText())
                .containsExactly("first", "one");
    }

    @Test
    @DisplayName("O4.26: where nothing can be compressed any further a new session begins, and the reply says so")
    void anExhaustedSessionIsReset() {
        turns.next.add(answers("one"));
        bench.say(ALICE, "first");
        SessionId before = bench.entry(ALICES).sessionId();
        turns.next.add(fails(AgentFailure.Kind.COMPRESSION_EXHAUSTED));
        bench.say(ALICE, "second");

        assertThat(bench.entry(ALICES).sessionId()).isNotEqualTo(before);
        assertThat(session(before).ending().flatMap(Ending::reason)).contains(Ending.SESSION_RESET);
        assertThat(bench.seen(ALICE)).last().asString().contains("reset automatically", "/resume");
        assertThat(bench.transitions(ALICES)).endsWith("renewed compression_exhausted");
        assertThat(turns.closed).as("its agent").isEqualTo(1);
        assertThat(bench.hooks.calls())
                .containsExactly("started " + before, "finalized " + before + " compression_exhausted");
        turns.next.add(answers("anew"));
        bench.say(ALICE, "third");
        assertThat(turns.last().history()).isEmpty();
    }

    @Test
    @DisplayName("O4.27: where the agent cannot even begin, what the user said is kept once")
    void anAgentThatCannotBegin() {
        turns.next.add(events -> {
            throw new IllegalStateException("no model");
        });
        bench.say(ALICE, "first");

        assertThat(bench.transcript(ALICES)).containsExactly("user: first");
        assertThat(bench.seen(ALICE)).hasSize(1);
        turns.next.add(answers("back"));
        bench.say(ALICE, "second");
        assertThat(bench.transcript(ALICES)).containsExactly("user: first", "user: second", "assistant: back");
    }

    /** Agents whose turns do what the test says, one after the other. */
    private static final class Turns implements AgentFactory, Agent {
        final List<Consumer<AgentEvents>> next = new ArrayList<>();
        private final List<AgentTurn> seen = new ArrayList<>();
        int closed;

        AgentTurn last() {
            return seen.get(seen.size() - 1);
        }

        @Override
        public String signature(AgentSpec spec) {
            return "";
        }

        @Override
        public Agent create(AgentSpec spec) {
            return this;
        }

        @Override
        public String model(AgentSpec spec) {
            return "ours";
        }

        @Override
        public long contextLength(AgentSpec spec) {
            return 1000;
        }

        @Override
        public AgentRun start(AgentTurn turn, AgentEvents events) {
            seen.add(turn);
            next.remove(0).accept(events);
            return new Run();
        }

        @Override
        public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
            done.failed("no summaries here");
            return new Run();
        }

        @Override
        public void release() {}

        @Override
        public void close() {
            closed++;
        }
    }

    private static final class Run implements AgentRun {
        @Override
        public void interrupt(String reason) {}

        @Override
        public boolean steer(String text) {
            return false;
        }

        @Override
        public Instant lastActivity() {
            return Bench.BEGIN;
        }

        @Override
        public Optional<String> activity() {
            return Optional.empty();
        }
    }

    private List<Turn> turns() {
        return bench.memory.queue().turns(TurnQuery.first(9)).rows();
    }

    @Test
    @DisplayName("A turn that failed says why, and what it used is in the slot of its time")
    void aTurnSaysWhyItEndedAndWhatItUsed() {
        turns.next.add(fails(AgentFailure.Kind.CONTEXT_TOO_LARGE));
        bench.say(ALICE, "a whole book");

        assertThat(turns()).singleElement().satisfies(turn -> {
            assertThat(turn.state()).isEqualTo(Turn.State.FAILED);
            assertThat(turn.reason()).hasValue(TurnReason.CONTEXT_TOO_LARGE);
            assertThat(turn.note()).hasValue("too large");
            assertThat(turn.usage().tokens()).isEqualTo(SPENT);
            assertThat(turn.usage().apiCalls()).isEqualTo(1);
        });
        assertThat(bench.memory.sessions().usage(Instant.EPOCH, Instant.parse("2200-01-01T00:00:00Z")))
                .singleElement()
                .satisfies(slot -> {
                    assertThat(slot.tokens()).isEqualTo(SPENT);
                    assertThat(slot.turns()).isEqualTo(1);
                    assertThat(slot.key().source()).isEqualTo(ALICE.platform().name());
                });
    }

    @Test
    @DisplayName("A turn that was answered has no reason; one that a command ended says so")
    void anAnsweredTurnHasNoReason() {
        turns.next.add(answers("one"));
        bench.say(ALICE, "first");
        turns.next.add(events -> {});
        bench.say(ALICE, "second");
        bench.say(ALICE, "/new");

        assertThat(turns())
                .extracting(Turn::state, Turn::reason)
                .containsExactlyInAnyOrder(
                        tuple(Turn.State.COMPLETED, Optional.empty()),
                        tuple(Turn.State.DROPPED, Optional.of(TurnReason.SUPERSEDED)));
    }
}
