package dev.parley.adapter.metrics;

import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is read of the gateway for a scrape: at most once a second, and the number of lanes once a minute, however many scrape.
 * What cannot be read keeps its last value and is counted. Safe for concurrent use.
 */
final class Readings {
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final Duration COUNT_FRESH = Duration.ofSeconds(60);
    /** What storages say of their size, by the names of the parts that are shown. */
    static final Map<String, String> PARTS =
            Map.of("bytes", "file", "size", "file", "log bytes", "log", "free bytes", "free");

    private static final Pattern BYTES = Pattern.compile("([0-9]{1,18})(?: bytes)?");

    private final GatewayInspection inspection;
    private final Path home;
    private final InstantSource clock;
    private final Runnable error;
    private final Set<String> platforms = new TreeSet<>();
    private Instant read = Instant.MIN;
    private Instant counted = Instant.MIN;
    private Instant sized = Instant.MIN;
    private Reading last = Reading.NOTHING;

    /**
     * What a scrape shows.
     *
     * @param health the gateway's health
     * @param queued how many messages wait
     * @param queuedLanes on how many lanes
     * @param oldest for how many seconds the oldest has waited
     * @param lanes how many lanes there are
     * @param pending how many messages to chats wait, by platform
     * @param pendingOldest for how many seconds the oldest of them has waited, by platform
     * @param free how many bytes are free where the home is
     * @param bytes how large the parts of the storage are, by name; without those it does not tell of
     * @param connected whether a platform is connected, by name, for each there is and each that ever was
     */
    record Reading(
            GatewayHealth health,
            long queued,
            long queuedLanes,
            double oldest,
            long lanes,
            Map<String, Long> pending,
            Map<String, Double> pendingOldest,
            long free,
            Map<String, Long> bytes,
            Map<String, Boolean> connected) {
        /** What is shown before anything was read. */
        static final Reading NOTHING = new Reading(
                GatewayHealth.of(GatewayHealth.State.STARTING), 0, 0, 0, 0, Map.of(), Map.of(), 0, Map.of(), Map.of());

        /** Returns how many batches wait to be merged back; 0 where none does, or that cannot be told now. */
        double spilledBatches() {
            return health.degraded().map(how -> how.waiting().orElse(0)).orElse(0L);
        }
    }

    Readings(GatewayInspection inspection, Path home, InstantSource clock, Runnable error) {
        this.inspection = inspection;
        this.home = home;
        this.clock = clock;
        this.error = error;
    }

    /** Returns the last reading, made anew where it is more than a second old. */
    synchronized Reading now() {
        Instant now = clock.instant();
        if (read.equals(Instant.MIN) || !now.isBefore(read.plus(FRESH)) || now.isBefore(read)) {
            last = make(now);
            read = now;
        }
        return last;
    }

    private Reading make(Instant now) {
        GatewayHealth health = inspection.health();
        Set<String> up = health.connected().stream().map(Platform::name).collect(Collectors.toSet());
        platforms.addAll(up);
        Map<String, Boolean> connected = new TreeMap<>();
        platforms.forEach(name -> connected.put(name, up.contains(name)));
        inspection.platforms().forEach(each -> connected.put(each.platform().name(), isAbleToSend(each.standing())));
        Reading kept = last;
        try {
            List<Inbound> waiting = inspection.queue().admitted();
            List<Outgoing> undelivered = inspection.queue().undelivered();
            return new Reading(
                    health,
                    waiting.size(),
                    waiting.stream().map(Inbound::lane).distinct().count(),
                    waiting.stream()
                            .mapToDouble(inbound -> seconds(inbound.receivedAt(), now))
                            .max()
                            .orElse(0),
                    lanes(now),
                    undelivered.stream()
                            .collect(Collectors.groupingBy(o -> o.platform().name(), Collectors.counting())),
                    undelivered.stream()
                            .collect(Collectors.toMap(
                                    o -> o.platform().name(), o -> seconds(o.createdAt(), now), Math::max)),
                    free(),
                    bytes(now),
                    connected);
        } catch (StorageUnavailable | StorageCorrupt e) {
            error.run();
            return new Reading(
                    health,
                    kept.queued(),
                    kept.queuedLanes(),
                    kept.oldest(),
                    kept.lanes(),
                    kept.pending(),
                    kept.pendingOldest(),
                    free(),
                    kept.bytes(),
                    connected);
        }
    }

    private static boolean isAbleToSend(PlatformState.Standing standing) {
        return standing == PlatformState.Standing.CONNECTED || standing == PlatformState.Standing.TROUBLED;
    }

    private long lanes(Instant now) {
        if (!counted.equals(Instant.MIN) && now.isBefore(counted.plus(COUNT_FRESH))) {
            return last.lanes();
        }
        counted = now;
        return inspection.countLanes();
    }

    private Map<String, Long> bytes(Instant now) {
        if (!sized.equals(Instant.MIN) && now.isBefore(sized.plus(COUNT_FRESH))) {
            return last.bytes();
        }
        sized = now;
        Map<String, String> status = inspection.storageStatus();
        Map<String, Long> bytes = new TreeMap<>();
        PARTS.forEach((name, part) -> Optional.ofNullable(status.get(name))
                .map(BYTES::matcher)
                .filter(Matcher::matches)
                .ifPresent(size -> bytes.put(part, Long.valueOf(size.group(1)))));
        return bytes;
    }

    private static double seconds(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toMillis() / 1000.0);
    }

    private long free() {
        try {
            return Files.getFileStore(home).getUsableSpace();
        } catch (IOException unreadable) {
            error.run();
            return last.free();
        }
    }
}
