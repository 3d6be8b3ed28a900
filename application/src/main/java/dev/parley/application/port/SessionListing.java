package dev.parley.application.port;

import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.Optional;

/**
 * One row of a list of sessions (storage 3.9).
 *
 * @param session the session; where it was projected, the root's columns with the tip's id, end, counts, title, model and
 *     system prompt
 * @param preview the beginning of its first user message that has content and was not taken back; empty where there is none
 * @param lastActive the time of its latest message that was not taken back, else its start
 * @param lineageRoot the root of the chain; present only where the row was projected
 */
public record SessionListing(Session session, String preview, Instant lastActive, Optional<SessionId> lineageRoot) {}
