package dev.parley.application.degrade;

import dev.parley.application.port.Journal;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Commits the spill to the primary, from where it left off (commit rule 10). For one thread. */
final class Healing {
    /** So many batches are merged while new ones wait. */
    private static final long FEW = 50;

    private final Storage into;
    private final Spill spill;
    private final InstantSource clock;
    private final Map<SessionKey, Long> epochs = new TreeMap<>();
    private final Set<SessionId> touched = new HashSet<>();
    private final Set<MessageId> seeded = new HashSet<>();
    private long place;
    private long merged;
    private int batches;
    private int messages;

    Healing(Storage into, Spill spill, InstantSource clock) {
        this.into = into;
        this.spill = spill;
        this.clock = clock;
    }

    /** Returns up to which place everything was merged. */
    long place() {
        return place;
    }

    int batches() {
        return batches;
    }

    int messages() {
        return messages;
    }

    /**
     * Merges what has gathered while more is coming, until little is left, or until what comes is no less than what can be merged
     * meanwhile: then only {@link #finish} comes to an end.
     */
    void catchUp() {
        long before = Long.MAX_VALUE;
        long waiting = spill.size() - merged;
        while (waiting > FEW && waiting < before) {
            before = waiting;
            merge(waiting);
            waiting = spill.size() - merged;
        }
    }

    /** Merges all that is left; to be called where no more can come. */
    void finish() {
        merge(Long.MAX_VALUE);
    }

    private void merge(long most) {
        long until = most == Long.MAX_VALUE ? most : merged + most;
        for (List<Journal.Entry> chunk = spill.read(place); !chunk.isEmpty(); chunk = spill.read(place)) {
            for (Journal.Entry entry : chunk) {
                if (merged >= until) {
                    return;
                }
                merge(entry.batch());
                place = entry.place();
                merged++;
            }
        }
    }

    private void merge(Batch batch) {
        if (Spill.isSeed(batch)) {
            for (Change seeding : batch.changes()) {
                if (seeding instanceof Change.PutLane put) {
                    seededLane(put.lane());
                } else if (seeding instanceof Change.ImportMessages imported) {
                    imported.messages().forEach(m -> seeded.add(m.message().id()));
                }
            }
            return;
        }
        HealingBatch.Healed healed = HealingBatch.of(batch, into, spill.overlay(), epochs, clock.instant());
        into.ledger().commit(healed.batch());
        // A batch that had been merged before is not merged again; its lanes have the epochs it gave them all the same.
        epochs.putAll(healed.epochs());
        for (Change stored : batch.changes()) {
            if (stored instanceof Change.AppendMessages append) {
                touched.add(append.session());
            } else if (stored instanceof Change.PutLane put
                    && into.lanes()
                            .find(put.lane().key())
                            .filter(l -> l.epoch() == put.lane().epoch())
                            .isPresent()) {
                epochs.put(put.lane().key(), put.lane().epoch());
            }
        }
        batches++;
        messages += healed.messages();
    }

    /** A lane that was known by its session alone has the epoch that the primary says, as long as that is its session. */
    private void seededLane(Lane lane) {
        Optional<Lane> there = into.lanes().find(lane.key());
        boolean sameSession = there.map(l -> l.entry().sessionId())
                .filter(lane.entry().sessionId()::equals)
                .isPresent();
        epochs.put(lane.key(), sameSession ? there.map(Lane::epoch).orElse(lane.epoch()) : lane.epoch());
    }

    /**
     * Checks that every message of the fallback is in the primary, word for word.
     *
     * @throws StorageCorrupt where one is not
     */
    void verify() {
        for (SessionId session : touched) {
            Map<MessageId, StoredMessage> there = new HashMap<>();
            into.transcripts()
                    .loadAll(session)
                    .forEach(m -> there.put(m.message().id(), m));
            for (StoredMessage here : spill.overlay().transcripts().loadAll(session)) {
                MessageId id = here.message().id();
                if (!seeded.contains(id) && !isSame(here, Optional.ofNullable(there.get(id)))) {
                    throw new StorageCorrupt(
                            "The message " + id.value() + " of session " + session + " did not arrive in "
                                    + into.location()
                                    + "; the fallback keeps it. Check the storage with `parley storage check`.",
                            null);
                }
            }
        }
    }

    private static boolean isSame(StoredMessage here, Optional<StoredMessage> there) {
        return there.isPresent()
                && there.get().message().role().equals(here.message().role())
                && there.get()
                        .message()
                        .content()
                        .plainText()
                        .equals(here.message().content().plainText());
    }
}
