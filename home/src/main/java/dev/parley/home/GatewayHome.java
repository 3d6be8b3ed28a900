package dev.parley.home;

import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.RandomIds;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * A home directory that this process holds, with what a gateway needs of it. A gateway built by {@link #gateway} tells a crash from a
 * stop, resumes what a crash cut off, and gives up a loop of restarts; no second process can take its home meanwhile.
 *
 * <p>Open the storage after this and close it before. Safe for concurrent use.
 */
public final class GatewayHome implements AutoCloseable {
    private final HomeDirectory directory;
    private final GatewayLock lock;
    private final InstantSource clock;
    private final FileMarkers markers;
    private final GatewayThreads threads = new GatewayThreads();
    private final Ids ids = new RandomIds(new SecureRandom());

    private GatewayHome(HomeDirectory directory, GatewayLock lock, InstantSource clock) {
        this.directory = directory;
        this.lock = lock;
        this.clock = clock;
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
        return new GatewayHome(directory, lock, clock);
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

    /** Ends the threads and gives the home back; does nothing the second time. */
    @Override
    public void close() {
        threads.close();
        lock.close();
    }
}
