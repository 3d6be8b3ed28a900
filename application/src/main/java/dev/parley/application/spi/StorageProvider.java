package dev.parley.application.spi;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Journal;
import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.session.Lane;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Opens stores of one kind. Found as a service; its scheme is what stands before the colon of a storage address. */
public interface StorageProvider {
    /** Returns the scheme, lower-case, such as {@code sqlite}. */
    String scheme();

    /** Returns the version of the family of changes this backend knows; see {@link dev.parley.domain.change.Change#VERSION}. */
    int changeVersion();

    /** Returns the names of the options this backend reads, for the check of the configuration. */
    Set<String> options();

    /**
     * Returns whether a store can be opened with {@link StorageSettings.Mode#READ_ONLY} while it is open for writing, in this process or
     * another one. Where not, that opening is refused with {@link StorageUnavailable}, and the commands that read a store say that the
     * gateway has it.
     */
    default boolean readsBesideWriter() {
        return true;
    }

    /**
     * Checks what can be said of an address and its options without opening anything. Takes everything unless a backend says otherwise.
     *
     * @throws InvalidRequest where a store cannot be opened with them
     */
    default void check(StorageSettings settings) {}

    /**
     * Opens a store. It may do without search ({@link dev.parley.application.port.TranscriptSearch#none}) or titles ({@link
     * dev.parley.application.port.Sessions#keepsTitles}); the gateway and its commands tell people so.
     *
     * @throws StorageUnavailable where it cannot be opened now
     * @throws StorageCorrupt where it is damaged or is not of this kind; it is left byte for byte as it was
     */
    Storage open(StorageSettings settings);

    /**
     * Opens a journal for use as a fallback, or returns nothing where this backend cannot be one.
     *
     * @throws StorageUnavailable where it cannot be opened now
     */
    default Optional<Journal> openJournal(StorageSettings settings) {
        return Optional.empty();
    }

    /**
     * Opens, for a fallback with these settings, what it remembers of the primary beside it, or returns nothing where this backend
     * remembers nothing. The journal with the same settings is open already.
     *
     * @throws StorageUnavailable where it cannot be opened now
     */
    default Optional<KnowledgeLog> openKnowledgeLog(StorageSettings settings) {
        return Optional.empty();
    }

    /**
     * Returns how many batches wait in the journal with these settings to be merged back, also while a gateway uses it; 0 where there
     * is none.
     *
     * @throws StorageUnavailable where that cannot be read now
     */
    default long waitingBatches(StorageSettings settings) {
        return 0;
    }

    /**
     * Returns the lanes of a store with these settings as they were last mirrored outside its own data, without opening or using the store;
     * absent where there is no such mirror, or it cannot be read. A lane whose epoch the mirror does not tell has the epoch
     * {@link Lane#ABSENT}.
     */
    default Optional<List<Lane>> knownLanes(StorageSettings settings) {
        return Optional.empty();
    }
}
