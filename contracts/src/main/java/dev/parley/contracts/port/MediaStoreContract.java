package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Durable;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.contracts.level.Told;
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

        Told.refused(
                "Keeping a file that never ends",
                InvalidRequest.class,
                () -> store.keep(endless, named("small.txt", "text/plain")),
                "large");
    }

    @Core
    default void nothingIsNoFile() {
        MediaStore store = open();

        Told.refused(
                "Keeping an empty file",
                InvalidRequest.class,
                () -> keep(store, new byte[0], named("empty", "text/plain")));
    }

    @Core
    default void whatIsNotInTheStoreIsNotOpened() {
        MediaStore store = open();
        Attachment kept = keep(store, picture(), named("p.png", "image/png"));

        Told.refused("Reading a file outside the store", InvalidRequest.class, () -> read(store, at("/etc/passwd")));
        Told.refused(
                "Reading a file outside the store by a way up",
                InvalidRequest.class,
                () -> read(store, at(kept.location() + "/../../../../../../../../etc/passwd")));
        Told.refused(
                "Reading a file that was never kept",
                InvalidRequest.class,
                () -> read(store, at(kept.location() + "0")));
        Told.refused("Reading a file without a place", InvalidRequest.class, () -> read(store, at("")));
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
