package dev.parley.adapter.discord;

import dev.parley.application.port.MediaStore;
import dev.parley.domain.turn.Attachment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Keeps what files hold as their location, for tests to look at. */
final class KeptInMemory implements MediaStore {
    @Override
    public Attachment keep(InputStream content, Attachment named) {
        try {
            String text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
            return new Attachment(named.kind(), text, named.name(), named.mediaType());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public InputStream open(Attachment attachment) {
        throw new AssertionError("not asked for here");
    }

    @Override
    public long largest() {
        return 1_000_000;
    }
}
