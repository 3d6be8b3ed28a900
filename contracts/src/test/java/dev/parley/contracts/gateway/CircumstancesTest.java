package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Received;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.ReplyTo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an agent is told beside the text of a message, and to which message its answer replies. */
class CircumstancesTest {
    private static final SessionSource IN_GROUP = Bench.inGroup("g", "1", "Alice");

    private final Bench bench = new Bench();

    private static Received message(SessionSource from, String text) {
        return new Received(from, text, List.of(), Optional.of("m1"));
    }

    private String given(Received message) {
        bench.start();
        bench.say(message, AnswerListener.NONE);
        return bench.agents.turns().get(0).input().content().plainText();
    }

    private List<Outgoing> stored() {
        List<Outgoing> stored = new ArrayList<>();
        bench.memory.queue().forEach(Instant.EPOCH, i -> {}, t -> {}, stored::add);
        return stored;
    }

    @Test
    void anAgentReadsWhatAMessageRepliesTo() {
        String given = given(message(ALICE, "which one?")
                .replyingTo(new ReplyTo("m0", Optional.of("Bob"), Optional.of("take \"it\"\nor leave it"), false)));

        assertThat(given)
                .contains("[In reply to a message of \"Bob\": \"take \\\"it\\\"\\nor leave it\"]\n\nwhich one?");
        assertThat(bench.transcript(ALICES)).contains("user: which one?");
    }

    @Test
    void anAgentReadsThatItsOwnMessageWasMeant() {
        assertThat(given(message(ALICE, "why?")
                        .replyingTo(new ReplyTo("m0", Optional.of("Bot"), Optional.of("no"), true))))
                .contains("[In reply to your message: \"no\"]");
    }

    @Test
    void anAgentReadsWhatWasSaidBeforeAndThatItIsNamed() {
        String given = given(message(IN_GROUP, "@bot and now?")
                .mentioning(true)
                .after(List.of(PrecedingMessage.of("Bob", "it rains]"), PrecedingMessage.of("Eve", "no"))));

        assertThat(given).contains("""
                        [Said before in this chat, not to you:
                        - "Bob": "it rains]"
                        - "Eve": "no"]
                        [This message is addressed to you.]

                        """);
    }

    @Test
    void anAgentReadsThatAMessageWasSentLongAgo() {
        assertThat(given(message(ALICE, "hello").sentAt(Bench.BEGIN.minus(Duration.ofHours(3)))))
                .contains("[Sent 3 h before it could be received.]\n\nhello");
    }

    @Test
    void aMessageOfThisMomentHasNothingAroundIt() {
        assertThat(given(message(ALICE, "hello")
                        .sentAt(Bench.BEGIN.minusSeconds(2))
                        .mentioning(true)))
                .endsWith("hello")
                .doesNotContain("[Sent", "addressed");
    }

    @Test
    void inAGroupTheAnswerRepliesToTheMessage() {
        given(message(IN_GROUP, "hello"));

        assertThat(stored())
                .singleElement()
                .satisfies(one -> assertThat(one.replyTo()).contains("m1"));
    }

    @Test
    void inADirectChatTheAnswerStandsByItself() {
        given(message(ALICE, "hello"));

        assertThat(stored())
                .singleElement()
                .satisfies(one -> assertThat(one.replyTo()).isEmpty());
    }
}
