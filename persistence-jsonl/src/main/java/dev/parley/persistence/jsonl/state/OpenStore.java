package dev.parley.persistence.jsonl.state;

import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.StorageSettings;
import dev.parley.persistence.jsonl.file.SessionNames;
import dev.parley.persistence.jsonl.journal.DamagedFileException;
import dev.parley.persistence.jsonl.journal.DirectoryLock;
import dev.parley.persistence.jsonl.journal.LogFile;
import dev.parley.persistence.jsonl.journal.PrivateFiles;
import dev.parley.persistence.jsonl.journal.Reasons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store that is open: its state, and its writer where it may be written. */
public final class OpenStore implements AutoCloseable {
    private final Layout layout;
    private final Store store;
    private final @Nullable JsonlLedger writer;
    private final @Nullable DirectoryLock lock;

    private OpenStore(Layout layout, Store store, @Nullable JsonlLedger writer, @Nullable DirectoryLock lock) {
        this.layout = layout;
        this.store = store;
        this.writer = writer;
        this.lock = lock;
    }

    /**
     * Opens the store in a directory.
     *
     * @throws StorageUnavailable where it cannot be opened now
     * @throws StorageCorrupt where it is damaged
     */
    public static OpenStore open(Path directory, StorageSettings settings, String agent) {
        Layout layout = new Layout(directory);
        boolean readOnly = settings.mode() == StorageSettings.Mode.READ_ONLY;
        try {
            SessionNames.of(agent, "");
            return readOnly ? look(layout, settings, agent) : take(layout, settings, agent);
        } catch (DamagedFileException e) {
            throw new StorageCorrupt(
                    "The store is damaged: " + e.getMessage() + ". Nothing was changed; restore " + layout.own()
                            + " from a backup, or move it aside: then sessions are read from their files.",
                    e);
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The directory " + directory + " cannot be opened: " + Reasons.of(e)
                            + ". Check the path and its permissions.",
                    e);
        }
    }

    private static OpenStore look(Layout layout, StorageSettings settings, String agent) throws IOException {
        if (!Files.isDirectory(layout.directory())) {
            throw StorageUnavailable.missing(
                    "The directory " + layout.directory() + " is not there, and is not made for reading only.");
        }
        return new OpenStore(layout, new Opening(layout, true, agent, settings.warnings()).open(), null, null);
    }

    private static OpenStore take(Layout layout, StorageSettings settings, String agent) throws IOException {
        PrivateFiles.createDirectories(layout.own());
        DirectoryLock lock = DirectoryLock.take(layout.lock());
        try {
            Opening opening = new Opening(layout, false, agent, settings.warnings());
            Store store = opening.open();
            for (StoredSession each : store.allStored()) {
                store.files().know(each.file);
            }
            LogFile journal = opening.journal().isPresent()
                    ? opening.journal().get()
                    : LogFile.create(layout.journal(opening.place() + 1));
            Checkpoints checkpoints = new Checkpoints(layout, store, settings.threads(), settings.zone());
            Idle idle = new Idle(store, settings.clock());
            JsonlLedger writer = new JsonlLedger(layout, store, journal, opening, checkpoints, idle);
            new Adoption(layout, store, writer).adopt();
            return new OpenStore(layout, store, writer, lock);
        } catch (Throwable e) {
            lock.close();
            throw e;
        }
    }

    /** Returns the state. */
    public Store store() {
        return store;
    }

    /** Returns where things stand. */
    public Layout layout() {
        return layout;
    }

    /** Returns the writer; one that refuses where the store is only read. */
    public Ledger ledger() {
        return writer != null
                ? writer
                : batch -> {
                    throw new StorageUnavailable(
                            "The store " + layout.directory() + " is opened for reading only; open it for writing.",
                            null);
                };
    }

    /** Writes a checkpoint; does nothing where the store is only read. */
    public void checkpoint() {
        if (writer != null) {
            writer.checkpointNow(Integer.MAX_VALUE);
        }
    }

    /** Runs something while nothing is committed. */
    public <T> T alone(Supplier<T> body) {
        return writer == null ? body.get() : writer.alone(body);
    }

    @Override
    public void close() {
        try {
            if (writer != null) {
                writer.close();
            }
        } finally {
            store.close();
            if (lock != null) {
                try {
                    lock.close();
                } catch (IOException e) {
                    store.warnings()
                            .accept("The lock of " + layout.directory() + " was not released: " + Reasons.of(e));
                }
            }
        }
    }
}
