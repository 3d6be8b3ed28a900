package dev.parley.application.degrade;

import dev.parley.application.port.Journal;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/** Commits the spill to the primary, from where it left off (commit rule 10). For one thread. */
final class Healing {
    /** So many batches are merged while new ones wait. */
    private static final long FEW = 50;

    /** The messages of so many sessions are kept for verifying. */
    private static final int MOST_UNVERIFIED = 100;

    private final Storage into;
    private final Spill spill;
    private final InstantSource clock;
    private final Map<SessionKey, Long> epochs = new TreeMap<>();
    private final Set<SessionKey> lanes = new TreeSet<>();
    /** What was merged into each session and not verified yet. */
    private final Map<SessionId, Map<MessageId, Message>> unverified = new HashMap<>();

    private final Map<OutgoingId, Outgoing> undelivered = new HashMap<>();
    private long place;
    private final AtomicLong merged = new AtomicLong();
    private int batches;
    private int messages;

    Healing(Storage into, Spill spill, InstantSource clock) {
        this.into = into;
        this.spill = spill;
        this.clock = clock;
        into.queue().undelivered().forEach(o -> undelivered.put(o.id(), o));
    }

    /** Returns how many batches were merged so far; may be asked by any thread. */
    long merged() {
        return merged.get();
    }

    /** Returns up to which place everything was merged. */
    long place() {
        return place;
    }

    /** Returns the lanes that what was merged concerns, or needed to know. */
    Set<SessionKey> lanes() {
        return Collections.unmodifiableSet(lanes);
    }

    int batches() {
        return batches;
    }

    int messages() {
        return messages;
    }

    /**
     * Merges and verifies what has gathered, in rounds, while more comes. Ends when few batches are left, or when a round leaves more than three
     * quarters of what it began with: {@link #finish} is faster then, because nothing more comes. All rounds together merge at most four
     * times what the first one does.
     */
    void catchUp() {
        long most = Long.MAX_VALUE;
        long waiting = spill.size() - merged.get();
        while (waiting > FEW && waiting <= most) {
            most = waiting - waiting / 4;
            merge(waiting);
            verify();
            waiting = spill.size() - merged.get();
        }
    }

    /** Merges and verifies all that is left; to be called where no more can come. */
    void finish() {
        merge(Long.MAX_VALUE);
        verify();
    }

    private void merge(long most) {
        long until = most == Long.MAX_VALUE ? most : merged.get() + most;
        for (List<Journal.Entry> chunk = spill.read(place); !chunk.isEmpty(); chunk = spill.read(place)) {
            for (Journal.Entry entry : chunk) {
                if (merged.get() >= until) {
                    return;
                }
                merge(entry.batch());
                place = entry.place();
                merged.incrementAndGet();
            }
        }
    }

    private void merge(Batch batch) {
        lanes.addAll(KnownLanes.concernedBy(batch.changes()));
        if (Spill.isSeed(batch)) {
            for (Change seeded : batch.changes()) {
                if (seeded instanceof Change.PutLane put) {
                    seededLane(put.lane());
                }
            }
            return;
        }
        HealingBatch.Healed healed =
                HealingBatch.of(batch, into, spill.overlay(), epochs, undelivered, clock.instant());
        into.ledger().commit(healed.batch());
        // A batch that had been merged before is not merged again; its lanes have the epochs it gave them all the same.
        epochs.putAll(healed.epochs());
        for (Change stored : healed.batch().changes()) {
            if (stored instanceof Change.PutOutgoing put) {
                undelivered.put(put.outgoing().id(), put.outgoing());
            }
        }
        for (Change stored : batch.changes()) {
            note(stored);
            if (stored instanceof Change.PutLane put
                    && into.lanes()
                            .find(put.lane().key())
                            .filter(l -> l.epoch() == put.lane().epoch())
                            .isPresent()) {
                epochs.put(put.lane().key(), put.lane().epoch());
            }
        }
        batches++;
        messages += healed.messages();
        if (unverified.size() >= MOST_UNVERIFIED) {
            verify();
        }
    }

    /** Notes what is to be found in the primary from now on. */
    private void note(Change stored) {
        if (stored instanceof Change.AppendMessages append) {
            expect(append.session(), append.messages());
        } else if (stored instanceof Change.ReplaceMessages replace) {
            unverified.remove(replace.session());
            expect(replace.session(), replace.messages());
        } else if (stored instanceof Change.ImportMessages imported) {
            imported.messages().forEach(m -> expect(m.session(), List.of(m.message())));
        } else if (stored instanceof Change.DeleteSession delete) {
            unverified.remove(delete.session());
        }
    }

    private void expect(SessionId session, List<Message> said) {
        if (!said.isEmpty()) {
            Map<MessageId, Message> expected = unverified.computeIfAbsent(session, id -> new HashMap<>());
            said.forEach(message -> expected.putIfAbsent(message.id(), message));
        }
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
     * Checks that every message that was merged is in the primary, word for word.
     *
     * @throws StorageCorrupt where one is not
     */
    private void verify() {
        unverified.forEach((session, expected) -> {
            Map<MessageId, Message> missing = new HashMap<>(expected);
            // What was merged last stands last, unless it was hidden since.
            take(missing, into.transcripts().tail(session, expected.size()));
            if (!missing.isEmpty()) {
                take(missing, into.transcripts().loadAll(session));
            }
            missing.keySet().stream().findFirst().ifPresent(id -> {
                throw new StorageCorrupt(
                        "The message " + id.value() + " of session " + session + " did not arrive in "
                                + into.location()
                                + "; the fallback keeps it. Check the storage with `parley storage check`.",
                        null);
            });
        });
        unverified.clear();
    }

    private static void take(Map<MessageId, Message> missing, List<StoredMessage> there) {
        for (StoredMessage each : there) {
            Message expected = missing.get(each.message().id());
            if (expected != null && isSame(expected, each.message())) {
                missing.remove(expected.id());
            }
        }
    }

    private static boolean isSame(Message one, Message other) {
        return one.role().equals(other.role())
                && one.content().plainText().equals(other.content().plainText());
    }
}
