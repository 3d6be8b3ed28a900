package dev.parley.application.transfer;

import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The lanes of another installation, as they are taken into a store: under the key that their origin has here, where theirs is only
 * another spelling of it (K5), and only where they still stand for something (E2.13).
 */
public final class ForeignLanes {
    /** No lanes. */
    public static final ForeignLanes NONE = new ForeignLanes(List.of(), Optional.empty(), line -> {});

    private static final String REASON = "sessions_json";
    private static final String UNKNOWN_SOURCE = "unknown";

    private final List<SessionEntry> entries;
    private final Optional<KeyRules> rules;
    private final Consumer<String> told;

    /**
     * Makes lanes of the entries of a file.
     *
     * @param entries the entries under the keys of the file
     * @param rules how lanes are told apart here
     * @param told takes one line for each entry that is left out, or whose key is not that of its origin
     */
    public ForeignLanes(List<SessionEntry> entries, KeyRules rules, Consumer<String> told) {
        this(entries, Optional.of(rules), told);
    }

    private ForeignLanes(List<SessionEntry> entries, Optional<KeyRules> rules, Consumer<String> told) {
        this.entries = List.copyOf(entries);
        this.rules = rules;
        this.told = told;
    }

    List<SessionEntry> entries() {
        return entries;
    }

    /** Returns the entry under its key here. */
    SessionEntry rekeyed(SessionEntry entry) {
        SessionKey key = entry.key();
        Optional<SessionSource> origin = entry.origin();
        if (origin.isEmpty() || rules.isEmpty()) {
            return entry;
        }
        try {
            SessionKey here = rules.get().keyOf(origin.get());
            if (here.equals(key) || rules.get().formerKeysOf(origin.get()).contains(key)) {
                return entry.withKey(here);
            }
            told.accept("The lane " + key + " stays under its key, but messages from its origin go to " + here
                    + " here; check group_sessions_per_user, thread_sessions_per_user and multiplex_profiles.");
        } catch (IllegalArgumentException e) {
            told.accept("The lane " + key + " stays under its key: " + e.getMessage() + ".");
        }
        return entry;
    }

    /**
     * Returns what takes an entry in; nothing where it is left out.
     *
     * @param entry the entry under its key here
     * @param to the store, which has all sessions already
     */
    List<Change> changes(SessionEntry entry, Storage to, Instant now) {
        Optional<Lane> there = to.lanes().find(entry.key());
        if (there.isPresent()) {
            told.accept("The entry " + entry.key() + " is left out: the lane is there, with session "
                    + there.get().entry().sessionId() + ".");
            return List.of();
        }
        Optional<Session> session = to.sessions().find(entry.sessionId());
        Optional<Ending> ending = session.flatMap(Session::ending);
        if (ending.filter(end -> !end.isRecoverable()).isPresent()
                && !session.get().endedBy(Ending.COMPRESSION)) {
            told.accept("The entry " + entry.key() + " is left out: its session " + entry.sessionId() + " has ended ("
                    + ending.get().reason().orElse("no reason given") + ").");
            return List.of();
        }
        List<Change> changes = new ArrayList<>();
        SessionPeer peer = new SessionPeer(entry.key(), entry.origin());
        if (session.isEmpty()) {
            changes.add(new Change.CreateSession(begun(entry, peer)));
        } else if (session.get().peer().isEmpty()) {
            changes.add(new Change.EditSession(entry.sessionId(), new SessionEdit.Peer(peer)));
        }
        changes.add(new Change.PutLane(new Lane(entry, Lane.ABSENT + 1)));
        changes.add(new Change.AppendHistory(new LaneEvent(
                entry.key(),
                now,
                LaneEvent.Kind.CREATED,
                Optional.empty(),
                Optional.of(entry.sessionId()),
                REASON,
                Map.of())));
        return changes;
    }

    /** A session that only the entry knows of: the lane goes on under its id, without messages. */
    private static Session begun(SessionEntry entry, SessionPeer peer) {
        String source = entry.origin()
                .map(SessionSource::platform)
                .or(entry::platform)
                .map(Platform::name)
                .orElse(UNKNOWN_SOURCE);
        return Session.builder(entry.sessionId(), source, entry.createdAt())
                .userId(entry.origin().flatMap(SessionSource::userId).orElse(null))
                .peer(peer)
                .build();
    }
}
