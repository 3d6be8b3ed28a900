package dev.parley.persistence.jsonl.state;

import dev.parley.domain.change.Batch;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.usage.UsageSlot;
import java.util.List;
import java.util.Optional;

/**
 * A line of the journal: a batch, or that a session's file was written anew.
 *
 * @param place its number, rising by one
 * @param sequence the place that the first message stored from here on gets
 * @param batch the batch
 * @param known the messages of the batch that were stored before, by their place among all messages of the batch, from 0
 * @param touched the files that are appended to for the first time since the journal file began, with their lengths before
 * @param moved the session whose file was written anew
 * @param used what the batch adds to slots of usage: found out when it was committed, since a session's source and model may be gone
 *     when it is done again
 */
public record JournalEntry(
        long place,
        long sequence,
        Optional<Batch> batch,
        List<Integer> known,
        List<Touched> touched,
        Optional<Moved> moved,
        List<UsageSlot> used) {
    public JournalEntry {
        used = List.copyOf(used);
        known = List.copyOf(known);
        touched = List.copyOf(touched);
    }

    /** Returns the entry that says that a file was written anew, or taken in. */
    static JournalEntry of(long place, long sequence, Moved moved) {
        return new JournalEntry(place, sequence, Optional.empty(), List.of(), List.of(), Optional.of(moved), List.of());
    }

    /** Returns this entry without its batch. */
    JournalEntry withoutBatch() {
        return new JournalEntry(place, sequence, Optional.empty(), known, touched, moved, used);
    }

    /**
     * A file before it is appended to.
     *
     * @param session its session
     * @param file its name
     * @param length its length
     */
    public record Touched(SessionId session, String file, long length) {}

    /**
     * A file that was written anew, or that was found and taken in.
     *
     * @param row the session after it, complete
     * @param before the name of its file before
     * @param written the name under which the new file was written; empty where the file itself is not new
     */
    public record Moved(SessionRow row, String before, String written) {}
}
