package dev.parley.contracts.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.agents.ConversationMemory;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.testing.TestGateway;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What libraries remember, in transcripts. */
class ConversationMemoryTest {
    private static final SessionId TALK = SessionId.of("talk");
    private static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");

    private final Storage storage = new MemoryStorage();
    private final ConversationMemory memory =
            new ConversationMemory(storage, new SeededIds(1), InstantSource.fixed(NOW), "library");

    private static Message said(Role role, String text) {
        return Message.builder(new MessageId("any"), role, Content.text(text), Instant.EPOCH)
                .build();
    }

    private static List<Message> talk(String... texts) {
        List<Message> messages = new ArrayList<>();
        for (String text : texts) {
            messages.add(said(messages.size() % 2 == 0 ? Role.USER : Role.ASSISTANT, text));
        }
        return messages;
    }

    private List<String> remembered() {
        return memory.load(TALK).stream()
                .map(each -> each.content().plainText())
                .toList();
    }

    private List<String> all() {
        return storage.transcripts().loadAll(TALK).stream()
                .map(each -> each.state() + " " + each.message().content().plainText())
                .toList();
    }

    @Test
    void aConversationThatIsNotStoredBecomesASessionOfItsOwn() {
        assertThat(memory.load(TALK)).isEmpty();
        memory.keep(TALK, talk("one", "two"));

        assertThat(remembered()).containsExactly("one", "two");
        assertThat(memory.conversations()).containsExactly(TALK);
        assertThat(storage.sessions().find(TALK)).hasValueSatisfying(session -> {
            assertThat(session.source()).isEqualTo("library");
            assertThat(session.startedAt()).isEqualTo(NOW);
            assertThat(session.messageCount()).isEqualTo(2);
        });
    }

    @Test
    void whatIsRememberedIsNotStoredTwiceAlsoWhereTextsAreAlike() {
        memory.keep(TALK, talk("yes", "yes"));
        memory.keep(TALK, talk("yes", "yes"));
        memory.keep(TALK, talk("yes", "yes", "yes"));

        assertThat(remembered()).containsExactly("yes", "yes", "yes");
    }

    @Test
    void whatAWindowLeavesOutLeavesTheConversationAndIsKeptForSearch() {
        memory.keep(TALK, talk("1", "2", "3", "4"));
        List<Message> window = Stream.concat(
                        talk("1", "2", "3", "4").subList(2, 4).stream(), Stream.of(said(Role.USER, "5")))
                .toList();
        memory.keep(TALK, window);

        assertThat(remembered()).containsExactly("3", "4", "5");
        assertThat(all()).containsExactly("COMPACTED 1", "COMPACTED 2", "ACTIVE 3", "ACTIVE 4", "ACTIVE 5");
    }

    @Test
    void aWindowThatKeepsSystemMessagesIsRecognised() {
        List<Message> begun = new ArrayList<>(List.of(said(Role.SYSTEM, "Be kind.")));
        begun.addAll(talk("1", "2", "3", "4"));
        memory.keep(TALK, begun);
        memory.keep(TALK, List.of(said(Role.SYSTEM, "Be kind."), said(Role.ASSISTANT, "4"), said(Role.USER, "5")));

        assertThat(remembered()).containsExactly("Be kind.", "4", "5");
    }

    @Test
    void anotherConversationTakesThePlaceOfTheOldOneWhichIsKeptForSearch() {
        memory.keep(TALK, talk("1", "2", "3"));
        memory.keep(TALK, talk("a summary"));

        assertThat(remembered()).containsExactly("a summary");
        assertThat(all()).containsExactly("COMPACTED 1", "COMPACTED 2", "COMPACTED 3", "ACTIVE a summary");
        assertThat(storage.transcripts().loadAll(TALK))
                .filteredOn(StoredMessage::isActive)
                .hasSize(1);
    }

    @Test
    void nothingToRememberMakesNoSessionAndEmptiesOne() {
        memory.keep(TALK, List.of());
        assertThat(memory.conversations()).isEmpty();
        memory.keep(TALK, talk("1"));
        memory.keep(TALK, List.of());
        assertThat(all()).containsExactly("COMPACTED 1");
    }

    @Test
    void aConversationOfItsOwnIsForgottenAsAWhole() {
        memory.keep(TALK, talk("1", "2"));
        memory.keep(TALK, talk("a summary"));
        memory.forget(TALK);
        memory.forget(TALK);

        assertThat(storage.sessions().find(TALK)).isEmpty();
        assertThat(all()).isEmpty();
    }

    @Test
    void aConversationOfALaneIsReadContinuedAndForgottenWhileItsSessionStays() {
        try (TestGateway gateway = TestGateway.builder()
                .storage(storage)
                .answering(text -> "You said " + text)
                .start()) {
            gateway.ask("hello");
            SessionId session = memory.conversations().get(0);
            assertThat(memory.load(session))
                    .extracting(each -> each.content().plainText())
                    .containsExactly("hello", "You said hello");
            List<Message> more = new ArrayList<>(memory.load(session).subList(1, 2));
            more.add(said(Role.USER, "from elsewhere"));
            memory.keep(session, more);
            assertThat(gateway.transcript())
                    .extracting(stored -> stored.message().content().plainText())
                    .containsExactly("hello", "You said hello", "from elsewhere");
            memory.forget(session);
            assertThat(memory.load(session)).isEmpty();
            assertThat(gateway.ask("still there?")).isEqualTo("You said still there?");
            assertThat(memory.conversations()).containsExactly(session);
        }
    }

    @Test
    void sessionsThatOthersHaveBegunKeepTheirSource() {
        storage.ledger()
                .commit(new Batch(
                        new BatchId("test", 1),
                        List.of(),
                        List.of(new Change.CreateSession(
                                Session.builder(TALK, "cli", NOW).build()))));
        memory.keep(TALK, talk("1"));

        assertThat(storage.sessions().find(TALK))
                .hasValueSatisfying(s -> assertThat(s.source()).isEqualTo("cli"));
        assertThat(remembered()).containsExactly("1");
    }
}
