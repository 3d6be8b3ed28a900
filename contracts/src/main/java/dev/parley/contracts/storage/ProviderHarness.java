package dev.parley.contracts.storage;

import dev.parley.application.port.Journal;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Handles a backend through its provider. All its data must be in the home directory: a crash is a copy of that directory as it
 * is at that moment, in which the store is opened from then on.
 */
public class ProviderHarness implements StorageHarness {
    private static final AtomicLong OPENED = new AtomicLong();
    private static final int DISK_MEBIBYTES = 64;

    private final StorageProvider provider;
    private final String address;
    private final Path directory;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Path home;
    private int crashes;
    private @Nullable FailingMedium medium;
    private List<Fault> faults = List.of();

    /**
     * Handles the store {@code address} of this backend.
     *
     * @param address as in {@link StorageSettings#address}, relative to the home directory
     * @param directory an empty directory
     */
    public ProviderHarness(StorageProvider provider, String address, Path directory) {
        this.provider = provider;
        this.address = address;
        this.directory = directory;
        this.home = create(directory.resolve("home"));
    }

    /** Returns the home directory in which the store is opened now. */
    public final Path home() {
        return home;
    }

    /** Returns the settings a store is opened with; may be overridden to add options. */
    protected StorageSettings settings(StorageSettings.Mode mode) {
        return settings(address, home, mode);
    }

    static StorageSettings settings(String address, Path home, StorageSettings.Mode mode) {
        long seed = (ProcessHandle.current().pid() << 20) + OPENED.incrementAndGet();
        return new StorageSettings(
                address,
                home,
                mode,
                new VirtualClock(Instant.parse("2026-03-10T12:00:00Z")),
                ZoneOffset.UTC,
                new SeededIds(seed),
                task -> {
                    Thread thread = new Thread(task, "store-" + seed);
                    thread.setDaemon(true);
                    return thread;
                },
                warning -> {},
                Map.of());
    }

    /** The scheme, the version of the provider's module where it has one, and the provider's class. */
    @Override
    public String backend() {
        Class<?> type = provider.getClass();
        String version = Optional.ofNullable(type.getModule().getDescriptor())
                .flatMap(ModuleDescriptor::rawVersion)
                .or(() -> Optional.ofNullable(type.getPackage().getImplementationVersion()))
                .map(v -> " " + v)
                .orElse("");
        return provider.scheme() + version + " (" + type.getName() + ")";
    }

    @Override
    public Optional<StorageProvider> provider() {
        return Optional.of(provider);
    }

    @Override
    public Storage open(StorageSettings.Mode mode) {
        Storage storage = provider.open(settings(mode));
        opened.add(storage);
        return storage;
    }

    @Override
    public void crash() {
        Path copy = create(directory.resolve("after-crash-" + ++crashes));
        copyAll(home, copy);
        home = copy;
    }

    @Override
    public Optional<Journal> openJournal() {
        Optional<Journal> journal = provider.openJournal(settings(StorageSettings.Mode.READ_WRITE));
        journal.ifPresent(opened::add);
        return journal;
    }

    @Override
    public List<String> damage() {
        return List.of();
    }

    @Override
    public Optional<Elsewhere> elsewhere() {
        return Optional.of(new Elsewhere(provider.getClass().getName(), address, home));
    }

    /**
     * Returns a full disk and files that cannot be changed, as far as this system and user can make them, on a disk of its own that
     * is put under the home directory when this is first asked, before the store is opened. May be overridden to add others.
     */
    @Override
    public List<Fault> faults() {
        FailingMedium here = medium;
        if (here == null) {
            if (!opened.isEmpty()) {
                throw new IllegalStateException("The failures are asked for before the store is opened.");
            }
            here = FailingMedium.under(home, DISK_MEBIBYTES);
            medium = here;
            faults = here.faults();
        }
        return faults;
    }

    @Override
    public void close() {
        try {
            closeStores();
        } finally {
            FailingMedium here = medium;
            if (here != null) {
                here.close();
            }
        }
    }

    private void closeStores() {
        for (AutoCloseable each : opened) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException(
                        "Closing the store " + address
                                + " failed; closing throws nothing, and does nothing the second time.",
                        e);
            }
        }
        opened.clear();
    }

    private static Path create(Path wanted) {
        try {
            return Files.createDirectories(wanted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copyAll(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.sorted().toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
