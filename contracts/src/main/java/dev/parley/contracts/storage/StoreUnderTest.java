package dev.parley.contracts.storage;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The store a contract test works with: opened when it is first asked for. For one test; used by its threads alike. */
public final class StoreUnderTest implements AutoCloseable {
    private static final String WRITER = "contract";

    private final StorageHarness harness;
    private final Set<Capability> capabilities;
    private final Deeds deeds = new Deeds();
    private @Nullable Storage storage;
    private long sequence;

    StoreUnderTest(StorageHarness harness, Set<Capability> capabilities) {
        this.harness = harness;
        this.capabilities = Set.copyOf(capabilities);
    }

    /** Returns whether the backend says that it has a capability. */
    public boolean has(Capability capability) {
        return capabilities.contains(capability);
    }

    /** Returns a session as this store can keep it: without its title where it keeps none. */
    public Session fit(Session session) {
        return has(Capability.TITLES)
                ? session
                : session.toBuilder().title(null).build();
    }

    /** Returns the open store. */
    public synchronized Storage storage() {
        Storage open = storage == null ? harness.open(StorageSettings.Mode.READ_WRITE) : storage;
        storage = open;
        return open;
    }

    /** Returns the harness, to open the store in other ways. */
    public StorageHarness harness() {
        return harness;
    }

    /** Returns the store's ledger, which notes what was committed. */
    public Ledger ledger() {
        Ledger ledger = storage().ledger();
        return batch -> {
            try {
                CommitResult result = ledger.commit(batch);
                deeds.committed(batch, result);
                return result;
            } catch (RuntimeException e) {
                deeds.refused(batch, e);
                throw e;
            }
        };
    }

    /** Returns what was done to the store last, a line for each. */
    String deeds() {
        return deeds.last();
    }

    /** Returns the reads of the lanes. */
    public Lanes lanes() {
        return storage().lanes();
    }

    /** Returns the reads of the sessions. */
    public Sessions sessions() {
        return storage().sessions();
    }

    /** Returns the reads of the transcripts. */
    public Transcripts transcripts() {
        return storage().transcripts();
    }

    /** Returns the search. */
    public TranscriptSearch search() {
        return storage().search();
    }

    /** Returns the reads of the queue. */
    public TurnQueue queue() {
        return storage().queue();
    }

    /** Returns the reads of the named values. */
    public Meta meta() {
        return storage().meta();
    }

    /** Returns the maintenance of the store. */
    public StorageMaintenance maintenance() {
        return storage().maintenance();
    }

    /** Returns a batch with an id that was not used yet. */
    public synchronized Batch batch(List<Precondition> preconditions, Change... changes) {
        return new Batch(new BatchId(WRITER, ++sequence), preconditions, List.of(changes));
    }

    /** Commits changes that nothing stands against. */
    public void commit(Change... changes) {
        CommitResult result = ledger().commit(batch(List.of(), changes));
        if (!result.isCommitted()) {
            throw new AssertionError("A batch without preconditions was not committed: " + result);
        }
    }

    /** Commits a change on a condition. */
    public CommitResult commitIf(Precondition precondition, Change... changes) {
        return ledger().commit(batch(List.of(precondition), changes));
    }

    /** Closes the store and opens it again. */
    public void reopen() {
        deeds.did("closed the store and opened it again");
        closeStorage();
        storage();
    }

    /** Loses the store as the death of the process does, and opens it again. */
    public synchronized void crash() {
        deeds.did("ended the process without closing the store, and opened it again");
        storage();
        harness.crash();
        storage = harness.open(StorageSettings.Mode.READ_WRITE);
    }

    /** Returns what is wrong with the store, seen from inside and outside. */
    List<String> damage() {
        List<String> damage = new ArrayList<>(storage().maintenance().check((done, total) -> {}));
        closeStorage();
        damage.addAll(harness.damage());
        return damage;
    }

    /** Closes the store; it can be opened again. */
    public synchronized void closeStorage() {
        Storage open = storage;
        storage = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        closeStorage();
        harness.close();
    }
}
