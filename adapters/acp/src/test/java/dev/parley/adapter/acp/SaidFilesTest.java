package dev.parley.adapter.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.turn.Attachment;
import dev.parley.testing.TestGateway;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a program says: kept, sent along with its answer, and told of where they cannot be. */
class SaidFilesTest {
    private final List<String> contents = new ArrayList<>();
    private Optional<RuntimeException> trouble = Optional.empty();
    private final MediaStore media = new MediaStore() {
        @Override
        public Attachment keep(InputStream content, Attachment named) {
            trouble.ifPresent(e -> {
                throw e;
            });
            try {
                contents.add(new String(content.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new Attachment("kept", "/kept/" + contents.size(), named.name(), named.mediaType());
        }

        @Override
        public InputStream open(Attachment attachment) {
            throw new AssertionError("not asked for here");
        }

        @Override
        public long largest() {
            return 1_000;
        }
    };
    private final SaidFiles files = new SaidFiles(media);

    private static ObjectNode block(String type) {
        return Json.object().put("type", type);
    }

    private static ObjectNode resource(String field, String value) {
        ObjectNode block = block("resource");
        block.putObject("resource").put("uri", "file:///work/notes.md").put(field, value);
        return block;
    }

    @Test
    void picturesSoundsAndResourcesAreKeptInOrder() {
        assertThat(files.keep(block("image").put("data", "b25l").put("mimeType", "image/png")))
                .isEmpty();
        assertThat(files.keep(block("audio").put("data", "dHdv"))).isEmpty();
        assertThat(files.keep(resource("text", "three"))).isEmpty();
        assertThat(files.keep(resource("blob", "Zm91cg=="))).isEmpty();

        assertThat(contents).containsExactly("one", "two", "three", "four");
        assertThat(files.kept())
                .extracting(Attachment::name, Attachment::mediaType)
                .startsWith(tuple(Optional.empty(), Optional.of("image/png")))
                .endsWith(tuple(Optional.of("notes.md"), Optional.empty()));
    }

    @Test
    void whatHoldsNoFileIsLeftAlone() {
        assertThat(files.keep(block("text").put("text", "hello"))).isEmpty();
        assertThat(files.keep(block("resource_link").put("uri", "file:///etc/passwd")))
                .isEmpty();
        assertThat(files.keep(block("resource"))).isEmpty();
        assertThat(files.keep(block("image").put("data", "="))).isEmpty();

        assertThat(files.kept()).isEmpty();
    }

    @Test
    void whatCannotBeKeptIsToldWithoutTheOperatorsDirectories() {
        trouble = Optional.of(new InvalidRequest("The file is too large."));
        assertThat(files.keep(resource("text", "x")))
                .hasValue("[notes.md: this file cannot be sent. The file is too large.]");
        trouble = Optional.of(new StorageUnavailable("There is no room in /home/of/somebody.", null));
        assertThat(files.keep(block("image").put("data", "b25l")))
                .hasValue("[a file: this file cannot be kept now, so it is not sent.]");
    }

    @Test
    void aPictureComesWithTheAnswer(@TempDir Path home) {
        ScriptedPrograms programs = new ScriptedPrograms(home).doing("chart");
        programs.media = media;
        try (TestGateway gateway = TestGateway.with(programs.factory(Map.of()))) {
            gateway.ask("draw it");
            gateway.await(
                    "the answer",
                    () -> gateway.seen().stream()
                            .anyMatch(text -> text.equals("Done.\n\n[kept: chart.png]\nFiles cannot be shown here.")));
        } finally {
            programs.close();
        }
        assertThat(contents).containsExactly("hello");
    }
}
