package dev.parley.application.degrade;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.port.Ids;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens and reopens the primary storage, tells it from other stores by its id, and tries it by a write. One thread at a
 * time may open it; any thread may ask for what is open.
 */
final class PrimaryAccess implements AutoCloseable {
    private final GuardedPrimary source;
    private final Ids ids;
    private final BatchWriter writer;
    private volatile @Nullable Storage open;
    private volatile Optional<String> id = Optional.empty();

    /** A source that throws only what primaries may, and so do its stores. */
    PrimaryAccess(GuardedPrimary source, Ids ids) {
        this.source = source;
        this.ids = ids;
        this.writer = new BatchWriter(ids.unique("probe"));
    }

    /** Returns the open primary. */
    Storage storage() {
        Storage here = open;
        if (here == null) {
            throw new StorageUnavailable("The primary storage is not open.", null);
        }
        return here;
    }

    boolean isOpen() {
        return open != null;
    }

    /** Returns the id of the store that is or was open; absent where none ever was. */
    Optional<String> id() {
        return id;
    }

    /**
     * Opens the primary at the start and gives it an id where it has none.
     *
     * @param use takes it into use; where that fails, it is closed again
     */
    void open(Consumer<Storage> use) {
        Storage opened = source.open();
        try {
            Optional<String> there = opened.meta().get(StoreId.NAME);
            if (there.isEmpty()) {
                there = Optional.of(ids.unique("store"));
                write(opened, there.get());
            }
            use.accept(opened);
            id = there;
            open = opened;
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    /**
     * Returns the primary where it can be written to again, is the store it was, and is not damaged. What was open and cannot be
     * used any more is closed first: a store may not bear being opened twice by one process.
     *
     * @param expected the id of the store it was; absent where that was never known
     * @param damaged whether it must pass its check first
     */
    Storage again(Optional<String> expected, boolean damaged) {
        Storage before = open;
        if (before != null && !damaged) {
            try {
                return checked(before, expected, false);
            } catch (StorageUnavailable | StorageCorrupt e) {
                // The connection may be what is broken; a new one tells.
            }
        }
        close();
        Storage after = source.reopen(there -> recognise(there, expected));
        try {
            checked(after, expected, damaged);
        } catch (Throwable e) {
            after.close();
            throw e;
        }
        open = after;
        return after;
    }

    private Storage checked(Storage storage, Optional<String> expected, boolean damaged) {
        Optional<String> there = recognise(storage, expected);
        if (damaged) {
            List<String> problems = storage.maintenance().check((done, total) -> {});
            if (!problems.isEmpty()) {
                throw new StorageCorrupt(
                        "The storage " + storage.location() + " is damaged (" + problems.get(0)
                                + "); repair it with `parley storage upgrade`, or put a backup in its place.",
                        null);
            }
        }
        String known = there.orElseGet(() -> ids.unique("store"));
        write(storage, known);
        id = Optional.of(known);
        return storage;
    }

    private static Optional<String> recognise(Storage storage, Optional<String> expected) {
        Optional<String> there = storage.meta().get(StoreId.NAME);
        if (expected.isPresent() && !expected.equals(there)) {
            throw new StorageUnavailable(
                    "The storage " + storage.location()
                            + " is not the one that was in use before; put that one back. What was said meanwhile is kept in"
                            + " the fallback.",
                    null);
        }
        return there;
    }

    private void write(Storage storage, String known) {
        storage.ledger().commit(writer.next(List.of(), List.of(new Change.PutMeta(StoreId.NAME, known))));
    }

    /** Lets go of what is open, if anything is; what a broken store says to that does not matter any more. */
    @Override
    public void close() {
        Storage here = open;
        open = null;
        if (here != null) {
            here.close();
        }
    }
}
