package dev.parley.persistence.jsonl.state;

import dev.parley.application.scan.Digest;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.MessageId;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session in memory: its columns, where its file stands, and what a list shows of it. Guarded by the store's lock. */
final class StoredSession {
    Session session;
    String file;
    long length;
    long uptimeNanos;
    boolean settled = true;
    boolean missing;
    boolean endChecked;
    /** Whether the journal deletes the session further on, so that its file is not needed and may be gone. */
    boolean leaving;
    /** Whether its file refused what waits. */
    boolean refused;

    Digest digest = Digest.EMPTY;
    final List<SessionRow.ForeignPart> foreign = new ArrayList<>();
    /** What is not written to the file yet. */
    ByteArrayOutputStream pending = new ByteArrayOutputStream(0);
    /** How much of that is counted among what waits in the store. */
    int waiting;
    /** Tells most new ids of messages from those that are there; null until the transcript is read. */
    private volatile @Nullable IdHashes ids;

    StoredSession(Session session, String file) {
        this.session = session;
        this.file = file;
    }

    StoredSession(SessionRow row) {
        this(row.session(), row.file());
        this.length = row.length();
        this.uptimeNanos = row.uptimeNanos();
        this.settled = row.settled();
        this.foreign.addAll(row.foreign());
    }

    SessionId id() {
        return session.id();
    }

    /** Says which messages there are. */
    void has(IdHashes all) {
        ids = all;
    }

    /** Returns false where there is no message with this id; true also where that is not known. */
    boolean mayHave(MessageId id) {
        IdHashes all = ids;
        return all == null || all.mayContain(id);
    }

    /** Takes note of one more message. */
    void added(MessageId id) {
        IdHashes all = ids;
        if (all != null) {
            all.add(id);
        }
    }

    SessionRow row() {
        return new SessionRow(session, file, length, uptimeNanos, settled, foreign);
    }
}
