package dev.parley.persistence.sqlite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** The database files made by other versions, and the answers that go with them. */
public final class Fixtures {
    private static final JsonNode EXPECTED = read();

    private Fixtures() {}

    /** Returns a copy of a fixture that a test may open for writing. */
    public static Path copy(String name, Path folder) {
        try (InputStream in = open(name)) {
            Path target = folder.resolve(name);
            Files.copy(in, target);
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the answers for a fixture. */
    public static JsonNode expected(String name) {
        return EXPECTED.required(name);
    }

    /** Returns the fingerprint of a file's bytes. */
    public static String sha256(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode read() {
        try (InputStream in = open("expected.json")) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(String name) {
        return Objects.requireNonNull(Fixtures.class.getResourceAsStream("/fixtures/" + name), name);
    }
}
