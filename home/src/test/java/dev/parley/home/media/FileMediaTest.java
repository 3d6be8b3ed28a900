package dev.parley.home.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.VirtualClock;
import dev.parley.contracts.port.MediaStoreContract;
import dev.parley.domain.turn.Attachment;
import dev.parley.home.HomeDirectory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of strangers are kept within limits, and nothing they say of themselves is believed over their bytes. */
class FileMediaTest implements MediaStoreContract {
    @TempDir
    Path home;

    private final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T09:00:00Z"));

    @Override
    public MediaStore open() {
        return new FileMedia(new HomeDirectory(home), new FileMedia.Limits(2000, 5000, Duration.ofDays(30)), clock);
    }

    private Attachment keep(String text, String name) {
        return keep(text.getBytes(StandardCharsets.ISO_8859_1), name, "application/x-unknown");
    }

    private Attachment keep(byte[] bytes, String name, String type) {
        return open().keep(
                        new ByteArrayInputStream(bytes),
                        new Attachment("document", "", Optional.of(name), Optional.of(type)));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(home)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'%PDF-1.7 x', a.txt, application/pdf, document",
        "'GIF89a x', a.pdf, image/gif, photo",
        "'OggS x', a.pdf, audio/ogg, audio",
        "'0000ftypisom', a.png, video/mp4, video",
        "'hello', a.md, text/plain, document",
        "'hello', a.png, text/plain, document"
    })
    void aFileIsWhatItsBytesSay(String bytes, String name, String type, String kind) {
        Attachment kept = keep(bytes, name);

        assertThat(kept.mediaType()).contains(type);
        assertThat(kept.kind()).isEqualTo(kind);
    }

    @Test
    void bytesThatSayNothingAreNoPictureWhateverTheirSenderSays() {
        assertThat(keep(new byte[] {0, 1, 2, 3}, "a.png", "image/png").mediaType())
                .contains("application/octet-stream");
    }

    @Test
    void onlyItsOwnerReadsAFile() throws IOException {
        keep("hello", "a.txt");

        assertThat(files())
                .singleElement()
                .satisfies(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------"));
    }

    @Test
    void ofARefusedFileNothingIsLeft() throws IOException {
        assertThatThrownBy(() -> keep("x".repeat(2001), "a.txt")).isInstanceOf(InvalidRequest.class);

        assertThat(files()).isEmpty();
    }

    @Test
    void aFullStoreTakesWhatItHasAndNothingNew() throws IOException {
        keep("a".repeat(2000), "a.txt");
        keep("b".repeat(2000), "b.txt");

        assertThatThrownBy(() -> keep("c".repeat(2000), "c.txt"))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("media.max_total_bytes");
        assertThat(keep("a".repeat(2000), "again.txt").bytes()).contains(2000L);
        assertThat(files()).hasSize(2);
    }

    @Test
    void aFileThatWasNotHandedInForLongMakesRoom() throws IOException {
        MediaStore store = open();
        Attachment old = keep("a".repeat(2000), "a.txt");
        keep("b".repeat(2000), "b.txt");
        clock.move(Duration.ofDays(20));
        keep("b".repeat(2000), "b.txt");
        clock.move(Duration.ofDays(11));

        keep("c".repeat(2000), "c.txt");
        assertThat(files()).hasSize(2);
        assertThatThrownBy(() -> store.open(old)).isInstanceOf(InvalidRequest.class);
    }
}
