package dev.parley.adapter.kit.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.MediaStore;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.turn.Attachment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FileFetchTest {
    private static final MediaStore STORE = new MediaStore() {
        @Override
        public Attachment keep(InputStream content, Attachment named) {
            try {
                return new Attachment(
                        "text",
                        new String(content.readAllBytes(), StandardCharsets.UTF_8),
                        named.name(),
                        named.mediaType());
            } catch (IOException e) {
                throw new StorageUnavailable("A file cannot be kept.", e);
            }
        }

        @Override
        public InputStream open(Attachment attachment) {
            throw new AssertionError("not asked for here");
        }

        @Override
        public long largest() {
            return 100;
        }
    };

    private final List<String> warnings = new ArrayList<>();
    private int tries;

    private List<Attachment> fetch(FileFetch.Download download, RemoteFile file) {
        return new FileFetch(download, 50, STORE, warnings::add).fetch(List.of(file));
    }

    private static RemoteFile file(long bytes) {
        return new RemoteFile("f", "photo", Optional.of("a.png"), Optional.empty(), Optional.of(bytes));
    }

    @Test
    void aFileThatComesTheThirdTimeIsKeptAsWhatItWasSentAs() {
        assertThat(fetch(
                        each -> {
                            if (++tries < 3) {
                                throw new IOException("broken");
                            }
                            return new ByteArrayInputStream(new byte[] {'x'});
                        },
                        file(1)))
                .singleElement()
                .satisfies(attachment -> {
                    assertThat(attachment.kind()).isEqualTo("photo");
                    assertThat(attachment.location()).isEqualTo("x");
                });
        assertThat(warnings).isEmpty();
    }

    @Test
    void aFileThatBreaksOffWhileItComesIsFetchedAgain() {
        assertThat(fetch(
                        each -> ++tries < 3
                                ? new SequenceInputStream(new ByteArrayInputStream(new byte[] {'x'}), new Broken())
                                : new ByteArrayInputStream(new byte[] {'x', 'y'}),
                        file(2)))
                .singleElement()
                .satisfies(attachment -> assertThat(attachment.location()).isEqualTo("xy"));
        assertThat(warnings).isEmpty();
    }

    private static final class Broken extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("reset");
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            throw new IOException("reset");
        }
    }

    @Test
    void aFileThatIsNotThereIsAskedForOnceAndDescribed() {
        assertThat(fetch(
                        each -> {
                            tries++;
                            throw new FileFetch.NotThere("it is gone");
                        },
                        file(1)))
                .singleElement()
                .satisfies(
                        attachment -> assertThat(attachment.description()).contains("The photo could not be fetched."));
        assertThat(tries).isEqualTo(1);
        assertThat(warnings).containsExactly("A photo was left out of its message: it is gone.");
    }

    @Test
    void aFileThatIsTooLargeIsNotAskedFor() {
        assertThat(fetch(
                        each -> {
                            throw new AssertionError("asked for");
                        },
                        file(51)))
                .singleElement()
                .satisfies(attachment -> assertThat(attachment.location()).isEmpty());
        assertThat(warnings).containsExactly("A photo was left out of its message: it is larger than may be fetched.");
    }
}
