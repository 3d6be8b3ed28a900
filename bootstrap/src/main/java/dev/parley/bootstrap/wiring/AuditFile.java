package dev.parley.bootstrap.wiring;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.bootstrap.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Writes what operators do through a surface to {@code audit.jsonl} in the home, a line each, on disk before the call returns, for
 * its owner only. It stands beside the storage, so it is written while that is degraded. No token and no text of people is in it.
 * Five files of ten megabytes are kept. Safe for concurrent use.
 */
final class AuditFile implements GatewayEvents {
    private static final String NAME = "audit.jsonl";
    private static final long LARGEST = 10L << 20;
    private static final int KEPT = 5;

    private final Path home;
    private final InstantSource clock;
    private final Consumer<String> warnings;

    AuditFile(Path home, InstantSource clock, Consumer<String> warnings) {
        this.home = home;
        this.clock = clock;
        this.warnings = warnings;
    }

    @Override
    public boolean neverBlocks() {
        return true;
    }

    @Override
    public void on(GatewayEvent event) {
        if (event instanceof GatewayEvent.OperatorActed act) {
            write(act);
        }
    }

    private synchronized void write(GatewayEvent.OperatorActed act) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("at", clock.instant().toString());
        line.put("by", act.by());
        line.put("role", act.role());
        line.put("remote", act.remote());
        line.put("action", act.action());
        line.put("target", act.target());
        line.put("outcome", act.outcome());
        Path file = home.resolve(NAME);
        try {
            rotate(file);
            try (FileChannel out = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                    owner())) {
                out.write(ByteBuffer.wrap((Json.line(line) + "\n").getBytes(StandardCharsets.UTF_8)));
                out.force(true);
            }
        } catch (IOException e) {
            warnings.accept("What an operator did could not be written to " + file + " (" + e + "); check the disk.");
        }
    }

    private void rotate(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) < LARGEST) {
            return;
        }
        for (int i = KEPT - 1; i > 1; i--) {
            Path older = home.resolve(NAME + "." + (i - 1));
            if (Files.exists(older)) {
                Files.move(older, home.resolve(NAME + "." + i), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(file, home.resolve(NAME + ".1"), StandardCopyOption.REPLACE_EXISTING);
    }

    private FileAttribute<?>[] owner() {
        return home.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
