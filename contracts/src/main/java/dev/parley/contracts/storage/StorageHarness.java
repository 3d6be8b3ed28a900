package dev.parley.contracts.storage;

import dev.parley.application.port.Journal;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How the kit handles a backend: one store, opened, lost and opened again. {@link ProviderHarness} does all of it for a
 * backend with a provider and its data in one directory.
 */
public interface StorageHarness extends AutoCloseable {
    /** Returns what the report calls the backend: its name, with its version where there is one. */
    default String backend() {
        return getClass().getSimpleName().replaceFirst("(?<=.)Harness$", "");
    }

    /** Returns what opens the store for a gateway; absent where the harness opens it in another way. */
    default Optional<StorageProvider> provider() {
        return Optional.empty();
    }

    /** Opens the store, made where there is none; what was committed before is there. */
    Storage open(StorageSettings.Mode mode);

    /**
     * Takes away the process: what is open is abandoned, not closed, and {@link #open} finds what a new process would find.
     */
    void crash();

    /** Opens the store's journal for use as a fallback, or nothing. */
    Optional<Journal> openJournal();

    /** Returns what is wrong with the data as it is stored now, beyond what the store itself can tell; empty where nothing is. */
    List<String> damage();

    /** Returns how another process opens this store; absent for one that lives in this process only. */
    Optional<Elsewhere> elsewhere();

    /**
     * Returns whether the store's own process asks the medium to keep what is committed; false where a server does, whose sync its own
     * settings promise.
     */
    default boolean syncsItself() {
        return true;
    }

    /** Returns how often the store has asked the medium to keep what was written, since the harness was made; absent where nothing counts that. */
    default OptionalLong syncs() {
        return OptionalLong.empty();
    }

    /** Returns ways to make the medium fail; those that a backend has. */
    List<Fault> faults();

    @Override
    void close();

    /**
     * How another process opens the store.
     *
     * @param provider the provider's class
     * @param address the address
     * @param home the home directory
     */
    record Elsewhere(String provider, String address, Path home) {}

    /** A failure of the medium: while it lasts, nothing can be committed. */
    interface Fault {
        /** Returns what fails, for display, such as {@code disk full}. */
        String name();

        /** Begins the failure. */
        void begin();

        /** Ends the failure. */
        void end();
    }
}
