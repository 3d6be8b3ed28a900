package dev.parley.application.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A batch comes back from its bytes as it was. */
class RecordCodecTest {
    private static final RecordCodec<Batch> BATCHES = RecordCodec.of(Batch.class);

    private static Batch batch(String text) {
        SessionId session = SessionId.of("s");
        return new Batch(
                new BatchId("writer", 7),
                List.of(
                        new Precondition.LaneEpoch(SessionKey.of("agent:main:local:dm:me"), 3),
                        new Precondition.TitleFree("A title", session)),
                List.of(
                        new Change.CreateSession(Session.builder(session, "cli", Instant.ofEpochSecond(5, 123_456_789))
                                .title("A title")
                                .build()),
                        new Change.AppendMessages(
                                session,
                                List.of(Message.builder(
                                                new MessageId("m"), Role.USER, Content.text(text), Instant.EPOCH)
                                        .tokenCount(3)
                                        .build())),
                        new Change.EditSession(session, new SessionEdit.Retitle(Optional.empty())),
                        new Change.PutCursor(new CursorName(Platform.TELEGRAM, "bot", "updates"), Optional.of("9")),
                        new Change.PutMeta("k", "")));
    }

    @Test
    void aBatchIsReadAsItWasWritten() throws IOException {
        Batch batch = batch("line one\nline two 🚀");

        assertThat(BATCHES.read(BATCHES.write(batch))).isEqualTo(batch);
        assertThat(RecordCodec.of(Batch.class).read(BATCHES.write(batch))).isEqualTo(batch);
        assertThat(BATCHES.write(BATCHES.read(BATCHES.write(batch)))).isEqualTo(BATCHES.write(batch));
    }

    @Test
    void halvesOfSurrogatePairsAreReplaced() throws IOException {
        assertThat(BATCHES.read(BATCHES.write(batch("a\uD83D b")))).isEqualTo(batch("a\uFFFD b"));
    }

    @Test
    void everyShorterOrLongerRunOfBytesIsRefused() {
        byte[] bytes = BATCHES.write(batch("hello"));

        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> BATCHES.read(cut))
                    .as("the first " + length + " bytes")
                    .isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> BATCHES.read(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(IOException.class)
                .hasMessage("1 bytes too many for a Batch");
    }

    @Test
    void whatIsNoMemberOfAFamilyIsNamed() {
        byte[] bytes = BATCHES.write(new Batch(new BatchId("w", 1), List.of(), List.of(new Change.PutMeta("k", "v"))));
        String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> BATCHES.read(
                        text.replace("PutMeta", "PutMoon").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("\"PutMoon\" is no Change");
    }

    @Test
    void aTypeThatIsMadeOfSomethingElseIsRefusedWhenItsCodecIsMade() {
        assertThatThrownBy(() -> RecordCodec.of(Object.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("No form is known for java.lang.Object.");
    }
}
