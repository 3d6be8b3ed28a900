package dev.parley.persistence.jsonl.state;

import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** A session in memory: its columns, where its file stands, and what a list shows of it. Guarded by the store's lock. */
final class StoredSession {
    Session session;
    String file;
    long length;
    long uptimeNanos;
    boolean settled = true;
    boolean missing;
    boolean endChecked;
    Digest digest = Digest.EMPTY;
    final List<SessionRow.ForeignPart> foreign = new ArrayList<>();
    /** What could not be written to the file yet. */
    final ByteArrayOutputStream pending = new ByteArrayOutputStream(0);

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

    SessionRow row() {
        return new SessionRow(session, file, length, uptimeNanos, settled, foreign);
    }
}
