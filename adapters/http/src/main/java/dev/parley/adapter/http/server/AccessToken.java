package dev.parley.adapter.http.server;

import dev.parley.application.port.InvalidRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import java.util.function.Consumer;

/** The secret that a caller must show. Compared in constant time. */
final class AccessToken {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final byte[] digest;

    AccessToken(String token) {
        this.digest = digest(token);
    }

    /**
     * Returns the token kept in a file; made at the first call, readable by its owner only. A file that others can read is
     * closed to them, with a warning.
     *
     * @throws InvalidRequest where the file cannot be made or read, or is empty
     */
    static AccessToken kept(Path file, Consumer<String> warnings) {
        try {
            create(file);
            close(file, warnings);
            String token = Files.readString(file).strip();
            if (token.isEmpty()) {
                throw new InvalidRequest(file + " is empty; delete it, a new token is made at the next start.");
            }
            return new AccessToken(token);
        } catch (IOException e) {
            throw new InvalidRequest(file + " cannot be used as the token of the HTTP interface (" + e
                    + "); check the home's permissions.");
        }
    }

    boolean is(String shown) {
        return MessageDigest.isEqual(digest, digest(shown));
    }

    private static void create(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        FileAttribute<?>[] attributes = isPosix(file)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
        try (var out = Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes)) {
            out.write(StandardCharsets.UTF_8.encode(token + "\n"));
        } catch (FileAlreadyExistsException madeMeanwhile) {
            // Another process of the same owner was faster; its token is the one.
        }
    }

    private static void close(Path file, Consumer<String> warnings) throws IOException {
        if (isPosix(file) && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
            warnings.accept(
                    file + " was open to others and is now its owner's only; delete it for a new token if others"
                            + " may have read it.");
        }
    }

    private static boolean isPosix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
