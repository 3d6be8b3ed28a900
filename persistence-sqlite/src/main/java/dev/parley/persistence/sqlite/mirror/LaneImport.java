package dev.parley.persistence.sqlite.mirror;

import dev.parley.application.port.Ids;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Sessions;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Takes lanes out of {@code sessions.json}, or where that is missing out of the table in which later versions keep them, that the
 * database knows nothing of: those with neither a lane nor a history, and whose session has not ended (E2.12, E2.13). So a lane that was pruned or removed never comes back from the file.
 */
public final class LaneImport {
    private static final String REASON = "sessions_json";
    private static final String UNKNOWN_SOURCE = "unknown";

    private final Lanes lanes;
    private final Sessions sessions;
    private final Ledger ledger;
    private final Ids ids;

    /** Takes lanes in through these ports. */
    public LaneImport(Lanes lanes, Sessions sessions, Ledger ledger, Ids ids) {
        this.lanes = lanes;
        this.sessions = sessions;
        this.ledger = ledger;
        this.ids = ids;
    }

    /**
     * Takes in what the file has and the database has not; returns how many lanes.
     *
     * @param known the keys of the lanes that the database has: their entries are not read
     */
    public int run(SessionsFile file, Set<String> known, Instant now, Consumer<String> warnings) {
        return run(
                file.read(key -> !known.contains(key), warnings),
                String.valueOf(file.path().getFileName()),
                now);
    }

    /** Takes in what the table of another system has and the lanes have not; returns how many lanes. */
    public int run(List<SessionEntry> routing, Instant now) {
        return run(routing, RoutingTable.TABLE, now);
    }

    private int run(List<SessionEntry> entries, String file, Instant now) {
        String writer = ids.unique("sessions-json");
        int taken = 0;
        for (SessionEntry entry : entries) {
            if (isUnknown(entry)) {
                taken++;
                ledger.commit(batch(new BatchId(writer, taken), entry, now, file));
            }
        }
        return taken;
    }

    private boolean isUnknown(SessionEntry entry) {
        return lanes.find(entry.key()).isEmpty()
                && lanes.history(entry.key(), 1).isEmpty()
                && sessions.find(entry.sessionId()).filter(s -> !s.isLive()).isEmpty();
    }

    /** A session that the database does not have is made without messages: the lane goes on under its id (commit rule 11). */
    private static Batch batch(BatchId id, SessionEntry entry, Instant now, String file) {
        Session session = Session.builder(
                        entry.sessionId(),
                        entry.origin()
                                .map(origin -> origin.platform().name())
                                .or(() -> entry.platform().map(platform -> platform.name()))
                                .orElse(UNKNOWN_SOURCE),
                        entry.createdAt())
                .build();
        LaneEvent event = new LaneEvent(
                entry.key(),
                now,
                LaneEvent.Kind.CREATED,
                Optional.empty(),
                Optional.of(entry.sessionId()),
                REASON,
                Map.of("file", file));
        return new Batch(
                id,
                List.of(new Precondition.LaneEpoch(entry.key(), Lane.ABSENT)),
                List.of(
                        new Change.CreateSession(session),
                        new Change.PutLane(new Lane(entry, Lane.ABSENT + 1)),
                        new Change.AppendHistory(event)));
    }
}
