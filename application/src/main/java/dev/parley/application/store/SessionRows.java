package dev.parley.application.store;

import dev.parley.domain.session.EntryUsage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.SessionSource;

/** What the entry of a lane and the row of its session say of each other. */
public final class SessionRows {
    /** The source of sessions whose platform is not known (O4.2). */
    public static final String UNKNOWN_SOURCE = "unknown";

    private SessionRows() {}

    /**
     * Returns the session row that belongs to an entry: of its platform, chat and first author, begun when the entry was.
     */
    public static Session of(SessionEntry entry) {
        return Session.builder(
                        entry.sessionId(),
                        entry.platform().map(p -> p.name()).orElse(UNKNOWN_SOURCE),
                        entry.createdAt())
                .userId(entry.origin().flatMap(SessionSource::userId).orElse(null))
                .peer(new SessionPeer(entry.key(), entry.origin()))
                .build();
    }

    /** Returns what an entry says of the usage of a stored session. */
    public static EntryUsage usage(Session session) {
        return new EntryUsage(
                session.tokens(),
                session.tokens().total(),
                session.billing().estimatedCostUsd().orElse(0.0),
                session.billing().costStatus().orElse("unknown"),
                0);
    }
}
