package dev.parley.adapter.otlp;

import dev.parley.application.port.InvalidRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Names of lanes that say nothing about people to those who do not have the key: the first 16 hexadecimal digits of an HMAC. The same
 * lane has the same name as long as the key is kept. Used by one thread at a time.
 */
final class HiddenIds {
    /** The file of the key in the home. */
    static final String FILE = "otlp-key";

    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;

    private HiddenIds(byte[] key) {
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }

    /**
     * Reads the key of a home; makes one at the first call, readable by its owner only.
     *
     * @throws InvalidRequest where the key can be neither read nor made
     */
    static HiddenIds of(Path home) {
        Path file = home.resolve(FILE);
        try {
            if (!Files.exists(file)) {
                create(file);
            }
            String key = Files.readString(file).strip();
            if (key.length() < 32) {
                throw new InvalidRequest(
                        file
                                + " holds no key; delete it, a new one is made at the next start. Traces then name lanes anew.");
            }
            return new HiddenIds(key.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new InvalidRequest(file + " cannot be used as the key that hides ids in traces (" + e
                    + "); check the home's permissions.");
        }
    }

    String hidden(String id) {
        return HexFormat.of().formatHex(mac.doFinal(id.getBytes(StandardCharsets.UTF_8)), 0, 8);
    }

    private static void create(Path file) throws IOException {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        try (var out = Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes)) {
            out.write(StandardCharsets.UTF_8.encode(
                    Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n"));
        } catch (FileAlreadyExistsException madeMeanwhile) {
            // Another process of the same owner was faster; its key is the one.
        }
    }
}
