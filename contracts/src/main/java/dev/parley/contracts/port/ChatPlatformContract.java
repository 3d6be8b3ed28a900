package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.contracts.level.Told;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@link ChatPlatform}: acknowledge behind the admission, send by id, stop. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface ChatPlatformContract {
    /** Returns a platform that was not started, with the side of it that people see. */
    PlatformUnderTest platform();

    /** A platform and its people. */
    interface PlatformUnderTest extends AutoCloseable {
        /** Returns the platform. */
        ChatPlatform platform();

        /** Returns a chat in which messages can be shown. */
        String chat();

        /** Somebody writes in the chat. Returns how the platform's server is answered: true where it was told that the message is received, false where it was told to try again; not completed before either. */
        CompletionStage<Boolean> write(String text, String messageId);

        /** Returns what people see of what was sent to the chat, in order, once it has arrived. */
        List<String> shown();

        /**
         * Returns whether the platform can carry a line break. Where not, a text of several lines is shown as one message all the same, its
         * lines in order and with something between them.
         */
        default boolean carriesLineBreaks() {
            return true;
        }

        /** Returns the names of the files that people see in the chat, in order; nothing where the platform carries no files. */
        default List<String> files() {
            return List.of();
        }

        /** Breaks the connection so that nothing sent arrives; returns false where that cannot be done. */
        boolean disconnect();

        @Override
        void close();
    }

    /** Takes down what a platform hands in, and answers as it is told to. */
    final class Inbox implements InboundListener {
        private final List<Received> received = new CopyOnWriteArrayList<>();
        private final Function<Received, CompletionStage<Receipt>> answer;

        /** Answers each message so. */
        public Inbox(Function<Received, CompletionStage<Receipt>> answer) {
            this.answer = answer;
        }

        /** Admits every message. */
        public static Inbox admitting() {
            return new Inbox(message -> CompletableFuture.completedFuture(admitted()));
        }

        /** Returns an admission. */
        public static Receipt admitted() {
            return new Receipt.Admitted(new InboundId("in"), SessionKey.of("agent:main:contract"));
        }

        /** Returns what was handed in. */
        public List<Received> received() {
            return List.copyOf(received);
        }

        @Override
        public CompletionStage<Receipt> receive(Received message, AnswerListener listener) {
            received.add(message);
            return answer.apply(message);
        }

        @Override
        public void connected(Platform platform) {
            // Told when the platform can send; these tests send without being told.
        }

        @Override
        public void disconnected(Platform platform) {
            // As above.
        }
    }

    private static Outgoing message(PlatformUnderTest given, String id, String text) {
        return new Outgoing(
                new OutgoingId(id),
                Optional.empty(),
                given.platform().name(),
                given.chat(),
                Optional.empty(),
                text,
                Outgoing.Kind.REPLY,
                Instant.EPOCH,
                Optional.empty(),
                Outgoing.State.ATTEMPTED,
                1);
    }

    @Core
    default void whatPeopleWriteIsHandedInUnderThePlatformsName() {
        try (PlatformUnderTest given = platform()) {
            Inbox inbox = Inbox.admitting();
            given.platform().start(inbox);

            String text = given.carriesLineBreaks() ? "hello 🚀\nthere" : "hello 🚀 there";
            given.write(text, "m-1").toCompletableFuture().join();

            assertThat(inbox.received()).hasSize(1);
            Received received = inbox.received().get(0);
            assertThat(received.text()).isEqualTo(text);
            assertThat(received.source().platform()).isEqualTo(given.platform().name());
            assertThat(received.source().chatId()).isEqualTo(given.chat());
        }
    }

    @Core
    default void aMessageIsAcknowledgedOnlyOnceItIsAdmitted() {
        try (PlatformUnderTest given = platform()) {
            CompletableFuture<Receipt> admission = new CompletableFuture<>();
            given.platform().start(new Inbox(message -> admission));

            CompletionStage<Boolean> acknowledged = given.write("hello", "m-1");
            assertThat(acknowledged.toCompletableFuture()).isNotDone();

            admission.complete(Inbox.admitted());
            assertThat(acknowledged.toCompletableFuture().join()).isTrue();
        }
    }

    @Core
    default void aMessageThatCannotBeStoredIsNotAcknowledged() {
        try (PlatformUnderTest given = platform()) {
            given.platform()
                    .start(new Inbox(message ->
                            CompletableFuture.completedFuture(new Receipt.Unavailable("The disk is full."))));

            assertThat(given.write("hello", "m-1").toCompletableFuture().join()).isFalse();
        }
    }

    @Core
    default void aRedeliveredMessageIsAcknowledged() {
        try (PlatformUnderTest given = platform()) {
            given.platform()
                    .start(new Inbox(message -> CompletableFuture.completedFuture(
                            new Receipt.Duplicate(new InboundId("in"), SessionKey.of("agent:main:contract")))));

            assertThat(given.write("hello", "m-1").toCompletableFuture().join()).isTrue();
        }
    }

    @Core
    default void whatIsSentIsShownInOrder() {
        try (PlatformUnderTest given = platform()) {
            given.platform().start(Inbox.admitting());

            given.platform().send(message(given, "o-1", "one"));
            given.platform().send(message(given, "o-2", "two 🚀\nlines"));

            if (given.carriesLineBreaks()) {
                assertThat(given.shown()).containsExactly("one", "two 🚀\nlines");
            } else {
                assertThat(given.shown())
                        .as("two messages, the second of two lines, on a platform that carries no line break")
                        .hasSize(2)
                        .element(1)
                        .asString()
                        .matches("two 🚀[^\n]+lines");
            }
        }
    }

    @Core
    default void aFileIsShownBesideTheTextWhereThePlatformCarriesFiles(@TempDir Path directory) throws IOException {
        Path report = Files.writeString(directory.resolve("report.txt"), "all is well");
        try (PlatformUnderTest given = platform()) {
            given.platform().start(Inbox.admitting());

            given.platform().send(enclosing(given, message(given, "o-1", "the report"), report));

            boolean carries = given.platform().traits().carriesFiles();
            assertThat(given.files()).isEqualTo(carries ? List.of("report.txt") : List.of());
            assertThat(given.shown())
                    .as("what people see beside the file")
                    .anyMatch(text -> text.contains("the report"));
        }
    }

    @Core
    default void whereAFileIsGoneTheTextIsShownAllTheSame(@TempDir Path directory) {
        try (PlatformUnderTest given = platform()) {
            given.platform().start(Inbox.admitting());

            given.platform()
                    .send(enclosing(given, message(given, "o-1", "the report"), directory.resolve("report.txt")));

            assertThat(given.shown()).as("what people see").anyMatch(text -> text.contains("the report"));
        }
    }

    /** Returns a message as the gateway hands it in: with a file only where the platform carries files. */
    private static Outgoing enclosing(PlatformUnderTest given, Outgoing message, Path file) {
        Attachment report =
                new Attachment("document", file.toString(), Optional.of("report.txt"), Optional.of("text/plain"));
        return message.toBuilder()
                .attachments(given.platform().traits().carriesFiles() ? List.of(report) : List.of())
                .build();
    }

    @Core
    default void aRepeatedSendIsShownOnceWhereThePlatformRecognisesIt() {
        try (PlatformUnderTest given = platform()) {
            given.platform().start(Inbox.admitting());

            given.platform().send(message(given, "o-1", "one"));
            given.platform().send(message(given, "o-1", "one"));

            assertThat(given.shown())
                    .hasSize(given.platform().traits().recognisesRepeats() ? 1 : 2)
                    .containsOnly("one");
        }
    }

    @Core
    default void aSendThatDoesNotArriveIsToldAsOneThatMayBeTriedAgain() {
        try (PlatformUnderTest given = platform()) {
            given.platform().start(Inbox.admitting());
            assumeTrue(given.disconnect(), "This platform cannot be disconnected.");

            DeliveryFailed failure = Told.refused(
                    "Sending while the platform cannot be reached",
                    DeliveryFailed.class,
                    () -> given.platform().send(message(given, "o-1", "one")));
            assertThat(failure.isPermanent())
                    .as("whether trying again cannot help, of a message sent while the platform cannot be reached")
                    .isFalse();
        }
    }

    @Core
    default void aStoppedPlatformNeitherSendsNorReceives() {
        try (PlatformUnderTest given = platform()) {
            given.platform().start(Inbox.admitting());

            given.platform().stop();
            given.platform().stop();

            Told.refused(
                    "Sending once the platform was stopped",
                    DeliveryFailed.class,
                    () -> given.platform().send(message(given, "o-1", "one")));
        }
    }
}
