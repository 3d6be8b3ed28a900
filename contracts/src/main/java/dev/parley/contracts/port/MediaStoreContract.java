package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Durable;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.domain.turn.Attachment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link MediaStore}. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface MediaStoreContract {
    /** Returns the store of one home; called again for the next gateway of that home. It takes files of at least a kilobyte. */
    MediaStore open();

    @Core
    default void whatIsKeptIsReadBack() {
        MediaStore store = open();
        Attachment kept = keep(store, bytes("a note"), named("note.txt", "text/plain"));

        assertThat(read(store, kept)).isEqualTo(bytes("a note"));
        assertThat(kept.name()).contains("note.txt");
        assertThat(kept.bytes()).contains(6L);
    }

    @Durable
    default void theNextGatewayReadsWhatWasKept() {
        Attachment kept = keep(open(), picture(), named("p.png", "image/png"));

        assertThat(read(open(), kept)).isEqualTo(picture());
    }

    @Core
    default void aTypeIsToldByTheFirstBytesAndNotByTheSender() {
        Attachment kept = keep(open(), picture(), named("invoice.pdf", "application/pdf"));

        assertThat(kept.mediaType()).contains("image/png");
        assertThat(kept.kind()).isEqualTo(Attachment.PHOTO);
        assertThat(kept.name()).contains("invoice.pdf");
    }

    @Core
    default void equalBytesAreKeptOnce() {
        MediaStore store = open();

        assertThat(keep(store, picture(), named("a.png", "image/png")).location())
                .isEqualTo(keep(store, picture(), named("b.png", "image/png")).location());
    }

    @Core
    default void aNameIsNeverAWayOutOfTheStore() {
        MediaStore store = open();
        Attachment kept = keep(store, bytes("x"), named("../../../../etc/cron.d/x", "text/plain"));

        assertThat(kept.location()).doesNotContain("..").doesNotContain("cron.d");
        assertThat(read(store, kept)).isEqualTo(bytes("x"));
    }

    @Core
    default void aFileThatIsTooLargeIsRefusedWhateverItSaysOfItself() {
        MediaStore store = open();
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }

            @Override
            public int read(byte[] into, int from, int length) {
                Arrays.fill(into, from, from + length, (byte) 'x');
                return length;
            }
        };

        assertThatThrownBy(() -> store.keep(endless, named("small.txt", "text/plain")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("large");
    }

    @Core
    default void nothingIsNoFile() {
        MediaStore store = open();

        assertThatThrownBy(() -> keep(store, new byte[0], named("empty", "text/plain")))
                .isInstanceOf(InvalidRequest.class);
    }

    @Core
    default void whatIsNotInTheStoreIsNotOpened() {
        MediaStore store = open();
        Attachment kept = keep(store, picture(), named("p.png", "image/png"));

        assertThatThrownBy(() -> read(store, at("/etc/passwd"))).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> read(store, at(kept.location() + "/../../../../../../../../etc/passwd")))
                .isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> read(store, at(kept.location() + "0"))).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> read(store, at(""))).isInstanceOf(InvalidRequest.class);
    }

    private static Attachment keep(MediaStore store, byte[] content, Attachment named) {
        return store.keep(new ByteArrayInputStream(content), named);
    }

    private static byte[] read(MediaStore store, Attachment attachment) {
        try (InputStream content = store.open(attachment)) {
            return content.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Attachment named(String name, String type) {
        return new Attachment("document", "", Optional.of(name), Optional.of(type));
    }

    private static Attachment at(String location) {
        return new Attachment("document", location, Optional.empty(), Optional.empty());
    }

    private static byte[] picture() {
        return new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 1, 2, 3
        };
    }
}
