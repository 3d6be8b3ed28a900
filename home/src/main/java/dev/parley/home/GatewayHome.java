package dev.parley.home;

import dev.parley.application.degrade.DegradingStorage;
import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.RandomIds;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A home directory that this process holds, with what a gateway needs of it. A gateway built by {@link #gateway} tells a crash from a
 * stop, resumes what a crash cut off, and gives up a loop of restarts; no second process can take its home meanwhile.
 *
 * <p>Open the storage after this and close it before. Safe for concurrent use.
 */
public final class GatewayHome implements AutoCloseable {
    /** How often it is tried whether a storage that failed can be used again. */
    public static final Duration PROBE_EVERY = Duration.ofSeconds(5);

    private static final Duration BUSY_PATIENCE = Duration.ofSeconds(3);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(30);

    private final HomeDirectory directory;
    private final GatewayLock lock;
    private final InstantSource clock;
    private final Consumer<String> warnings;
    private final FileMarkers markers;
    private final GatewayThreads threads = new GatewayThreads();
    private final Ids ids = new RandomIds(new SecureRandom());
    private final DeferredInspection inspection = new DeferredInspection();
    private final CountDownLatch closed = new CountDownLatch(1);

    private GatewayHome(HomeDirectory directory, GatewayLock lock, InstantSource clock, Consumer<String> warnings) {
        this.directory = directory;
        this.lock = lock;
        this.clock = clock;
        this.warnings = warnings;
        this.markers = new FileMarkers(directory);
    }

    /**
     * Makes a home where there is none and takes it; makes what is stored in it its owner's only.
     *
     * @param clock the time of everything
     * @param warnings takes a line for each thing an operator should know, such as that others can read the home
     * @throws InvalidRequest where a live process holds the home, naming it, or where a file is in the way
     * @throws StorageUnavailable where the directory cannot be made or written to
     */
    public static GatewayHome take(Path path, InstantSource clock, Consumer<String> warnings) {
        HomeDirectory directory = HomeDirectory.at(path);
        directory.create();
        GatewayLock lock = GatewayLock.take(directory);
        directory.makePrivate(warnings);
        return new GatewayHome(directory, lock, clock, warnings);
    }

    /** Returns the directory. */
    public HomeDirectory directory() {
        return directory;
    }

    /** Returns what survives this process: whether it stopped cleanly, how often it was cut off, and whether turns are held back. */
    public GatewayMarkers markers() {
        return markers;
    }

    /** Returns the threads, which end with this. */
    public GatewayThreads threads() {
        return threads;
    }

    /** Returns what makes ids, for the storage as well. */
    public Ids ids() {
        return ids;
    }

    /** Returns the time of everything. */
    public InstantSource clock() {
        return clock;
    }

    /**
     * Returns a builder that has everything but storage, agents and platforms: markers, threads, timers, ids, the clock, and the aliases
     * that a WhatsApp bridge keeps in the home.
     */
    public Gateway.Builder gateway() {
        return Gateway.builder()
                .clock(clock)
                .ids(ids)
                .executor(threads.executor())
                .timers(threads)
                .markers(markers)
                .rules(new KeyRules(Isolation.DEFAULT, new WhatsAppAliasFiles(directory)));
    }

    /**
     * Begins settings that open a storage in this home, to be read and written, in UTC: {@code home.storage("state.db").build()} for SQLite.
     *
     * @param address what stands behind the scheme of a storage address
     */
    public StorageSettings.Builder storage(String address) {
        return StorageSettings.builder(address, directory.path())
                .clock(clock)
                .ids(ids)
                .threads(GatewayThreads.named("storage"))
                .warnings(warnings);
    }

    /**
     * Opens a storage in this home, to be read and written: {@code home.open("sqlite:state.db")}. Its backend is found as a service.
     *
     * @throws InvalidRequest where the address has no scheme, or no backend that is here has it
     * @throws StorageUnavailable where it cannot be used now
     */
    public Storage open(String url) {
        return at(url).open();
    }

    /**
     * Opens a storage that goes on while it fails: what comes meanwhile is kept in a journal, and merged back by itself once the storage can
     * be used again. {@code home.open("sqlite:state.db", "jsonl:fallback", events)} is what the packaged gateway has.
     *
     * @param fallback the address of the journal, better on another disk; its backend must keep journals, as {@code jsonl} does
     * @param events told when the storage fails and when it is back; those of the gateway
     * @throws InvalidRequest where an address has no scheme, or no backend that is here has it, or the fallback's keeps no journals
     * @throws StorageUnavailable where the fallback cannot be used; a primary that cannot is no failure
     */
    public Storage open(String url, String fallback, GatewayEvents events) {
        return open(at(url), at(fallback), events);
    }

    /** Opens such a storage from backends and settings of one's own, which {@link #storage} begins. */
    public Storage open(StorageAt primary, StorageAt fallback, GatewayEvents events) {
        return DegradingStorage.open(
                primary.primary(BUSY_PATIENCE, UnaryOperator.identity()),
                fallback.fallbackOf(primary),
                threads,
                threads.executor(),
                ids,
                clock,
                events,
                PROBE_EVERY);
    }

    /**
     * Makes what a storage keeps its owner's only, as {@link #take} does with the home; {@link #open(String)} does so by itself.
     *
     * @param url the address of a storage in this home or elsewhere, such as {@code sqlite:state.db}
     */
    public void makeStoragePrivate(String url) {
        directory.makeStoragePrivate(url, warnings);
    }

    private StorageAt at(String url) {
        int colon = url.indexOf(':');
        if (colon <= 0 || colon == url.length() - 1) {
            throw new InvalidRequest(
                    "The storage address \"" + url + "\" is not SCHEME:ADDRESS, such as sqlite:state.db.");
        }
        String scheme = url.substring(0, colon);
        Map<String, StorageProvider> found = new TreeMap<>();
        ServiceLoader.load(StorageProvider.class).forEach(each -> found.putIfAbsent(each.scheme(), each));
        StorageProvider provider = Optional.ofNullable(found.get(scheme))
                .orElseThrow(() -> new InvalidRequest("The storage address \"" + url
                        + "\" names no backend that is here; "
                        + (found.isEmpty()
                                ? "there is none."
                                : "there are " + String.join(", ", found.keySet()) + ".")));
        makeStoragePrivate(url);
        return new StorageAt(provider, storage(url.substring(colon + 1)).build());
    }

    /**
     * Begins settings that a {@code PlatformProvider} makes a platform of: what they look into is the gateway that {@link #run} starts.
     *
     * @param path what messages call the settings, such as {@code platforms.http}
     */
    public ProviderSettings.Builder platform(String path) {
        return ProviderSettings.builder(path, directory.path())
                .clock(clock)
                .ids(ids)
                .timers(threads)
                .executor(threads.executor())
                .warnings(warnings)
                .inspection(inspection);
    }

    /** Begins settings that an {@code AgentProvider} makes agents of, as {@link #platform} does; they work on threads of their own. */
    public ProviderSettings.Builder agent(String path) {
        return platform(path).executor(threads.agents());
    }

    /**
     * Starts a gateway and returns once it has stopped. A signal that ends the process (SIGTERM, SIGINT) is a {@link StopMode#SHUTDOWN}:
     * running turns get their drain, then this returns, and the process lives on until this home is closed, thirty seconds at most. So a
     * storage that is opened after the home and closed before it, as try-with-resources does, is closed whole.
     *
     * @param gateway a gateway that was not started yet
     * @param started is run once messages are taken
     * @return how it stopped; its code is meant for the process
     * @throws InvalidRequest where a platform cannot start as it is configured
     * @throws StorageUnavailable where the storage refuses
     */
    public ExitStatus run(Gateway gateway, Runnable started) {
        Thread onSignal = new Thread(() -> stopOnSignal(gateway), "parley-stop");
        inspection.lookInto(gateway);
        try {
            gateway.start().toCompletableFuture().join();
            Runtime.getRuntime().addShutdownHook(onSignal);
            started.run();
            return gateway.whenStopped().toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ParleyException known) {
                throw known;
            }
            throw e;
        } finally {
            forget(onSignal);
        }
    }

    private void stopOnSignal(Gateway gateway) {
        try {
            gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().join();
            closed.await(LONGEST_CLOSE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A gateway that stopped by itself leaves nothing behind in the process; once the process ends it is too late to forget anything. */
    private static void forget(Thread onSignal) {
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException ending) {
            // The process is ending, and this very thread waits for the home to be closed.
        }
    }

    /** Ends the threads and gives the home back; does nothing the second time. */
    @Override
    public void close() {
        threads.close();
        lock.close();
        closed.countDown();
    }
}
