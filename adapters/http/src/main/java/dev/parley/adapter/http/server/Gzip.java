package dev.parley.adapter.http.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Presses answers. */
final class Gzip {
    /** Answers of fewer bytes are not pressed. */
    static final int LEAST = 1_024;

    private Gzip() {}

    static byte[] pressed(byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(plain.length / 4);
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
