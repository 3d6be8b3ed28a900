package dev.parley.home;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.key.SessionKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The gateway's markers as files of the home directory: {@code .clean_shutdown}, {@code restart_counts.json} (also read as
 * {@code .restart_failure_counts}, C8), {@code .resume_boots.json} and {@code .drain_request.json}, which an operator makes and
 * removes. Independent of any database.
 */
public final class FileMarkers implements GatewayMarkers {
    private static final String CLEAN = ".clean_shutdown";
    private static final String COUNTS = "restart_counts.json";
    private static final String COUNTS_ELSEWHERE = ".restart_failure_counts";
    private static final String BOOTS = ".resume_boots.json";

    private static final String HOLD = ".drain_request.json";
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path home;
    private final Path bootId;

    /** Markers in this directory. */
    public FileMarkers(HomeDirectory home) {
        this(home, BOOT_ID);
    }

    /** Markers in this directory, on a machine that names its latest start in a file. */
    FileMarkers(HomeDirectory home, Path bootId) {
        this.home = home.path();
        this.bootId = bootId;
    }

    @Override
    public boolean takeCleanShutdown() {
        Path marker = home.resolve(CLEAN);
        boolean clean = Files.exists(marker);
        try {
            Files.deleteIfExists(marker);
        } catch (IOException e) {
            // Presence alone counts; a marker that cannot be deleted is no reason not to start (P7.2).
        }
        return clean;
    }

    @Override
    public void noteCleanShutdown() {
        write(CLEAN, "");
    }

    @Override
    public Map<SessionKey, Integer> restartCounts() {
        String name = Files.exists(home.resolve(COUNTS)) ? COUNTS : COUNTS_ELSEWHERE;
        Map<SessionKey, Integer> counts = new TreeMap<>();
        read(name)
                .filter(JsonNode::isObject)
                .ifPresent(node -> node.properties().forEach(entry -> {
                    if (entry.getValue().isInt() && entry.getValue().intValue() > 0) {
                        key(entry.getKey())
                                .ifPresent(
                                        key -> counts.put(key, entry.getValue().intValue()));
                    }
                }));
        return counts;
    }

    @Override
    public void putRestartCounts(Map<SessionKey, Integer> counts) {
        try {
            Files.deleteIfExists(home.resolve(COUNTS_ELSEWHERE));
            if (counts.isEmpty()) {
                Files.deleteIfExists(home.resolve(COUNTS));
                return;
            }
        } catch (IOException e) {
            throw failure(COUNTS, e);
        }
        Map<String, Integer> byName = new LinkedHashMap<>();
        new TreeMap<>(counts).forEach((key, count) -> byName.put(key.value(), count));
        write(COUNTS, HomeJson.line(byName));
    }

    @Override
    public List<Instant> resumeBoots() {
        List<Instant> boots = new ArrayList<>();
        read(BOOTS)
                .filter(JsonNode::isArray)
                .ifPresent(node -> node.forEach(item -> {
                    try {
                        boots.add(Instant.parse(item.asText()));
                    } catch (DateTimeException e) {
                        // A broken note never keeps lanes from being resumed (P7.25).
                    }
                }));
        boots.sort(null);
        return boots;
    }

    @Override
    public void putResumeBoots(List<Instant> boots) {
        write(BOOTS, HomeJson.line(boots.stream().map(Instant::toString).toList()));
    }

    /** A hold that names another start of the machine in {@code epoch} is over; one that names none, or is torn, holds. */
    @Override
    public boolean isHeld() {
        if (!Files.exists(home.resolve(HOLD))) {
            return false;
        }
        Optional<String> made = read(HOLD)
                .map(node -> node.path("epoch"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue);
        return made.isEmpty() || machineStart().isEmpty() || made.equals(machineStart());
    }

    /** A hold made here names no start of the machine, so that it holds until it is taken away. */
    @Override
    public boolean hold(boolean held) {
        if (held) {
            write(HOLD, HomeJson.line(Map.of("action", "hold")));
        } else {
            try {
                Files.deleteIfExists(home.resolve(HOLD));
            } catch (IOException e) {
                throw failure(HOLD, e);
            }
        }
        return true;
    }

    private Optional<String> machineStart() {
        try {
            return Optional.of(Files.readString(bootId).strip()).filter(id -> !id.isEmpty());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<SessionKey> key(String text) {
        try {
            return Optional.of(SessionKey.of(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Optional<JsonNode> read(String name) {
        try {
            return Optional.of(HomeJson.parse(Files.readString(home.resolve(name))));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void write(String name, String text) {
        try {
            Path temporary = Files.createTempFile(home, name, ".tmp");
            try {
                try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                    channel.force(true);
                }
                Files.move(
                        temporary,
                        home.resolve(name),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw failure(name, e);
        }
    }

    private StorageUnavailable failure(String name, IOException e) {
        return new StorageUnavailable(
                "The marker " + home.resolve(name) + " cannot be written (" + HomeDirectory.reason(e)
                        + "); check the permissions of the home and the disk's free space.",
                e);
    }
}
