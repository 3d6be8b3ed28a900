package dev.parley.bootstrap.wiring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayInspection;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.json.MalformedJson;
import dev.parley.home.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    /** So many bytes at the end of a file are looked at for its latest lines. */
    private static final int TAIL = 256 << 10;

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

    /** Returns the last lines, newest first: at most so many, of those that can be read, from the end of the newest files. */
    static List<GatewayInspection.AuditLine> latest(Path home, int limit) {
        List<GatewayInspection.AuditLine> lines = new ArrayList<>();
        for (String name : List.of(NAME, NAME + ".1")) {
            List<String> texts = tail(home.resolve(name));
            for (int i = texts.size() - 1; i >= 0 && lines.size() < limit; i--) {
                read(texts.get(i)).ifPresent(lines::add);
            }
        }
        return List.copyOf(lines);
    }

    private static List<String> tail(Path file) {
        try (SeekableByteChannel in = Files.newByteChannel(file)) {
            long from = Math.max(0, in.size() - TAIL);
            ByteBuffer bytes = ByteBuffer.allocate((int) (in.size() - from));
            in.position(from);
            while (bytes.hasRemaining() && in.read(bytes) >= 0) {}
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException absent) {
            return List.of();
        }
    }

    /** A line that is cut, as the first one of a tail may be, is none. */
    private static Optional<GatewayInspection.AuditLine> read(String line) {
        try {
            JsonNode row = Json.parse(line);
            return Optional.of(new GatewayInspection.AuditLine(
                    Instant.parse(row.path("at").asText()),
                    new GatewayEvent.OperatorActed(
                            row.path("by").asText(),
                            row.path("role").asText(),
                            row.path("remote").asText(),
                            row.path("action").asText(),
                            row.path("target").asText(),
                            row.path("outcome").asText())));
        } catch (MalformedJson | DateTimeException unreadable) {
            return Optional.empty();
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
            PrivateFiles.append(file, Json.line(line) + "\n");
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
}
