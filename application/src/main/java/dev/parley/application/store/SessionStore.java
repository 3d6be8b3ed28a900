package dev.parley.application.store;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.actor.Writers;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.StoredTime;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Rewind;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The operations on sessions under the names of rules O4, for builds that bring their own gateway and for tools. Each
 * operation is one batch: the change, the end of one session and the beginning of the next, and the line of history that explains
 * it are stored together or not at all, and are durable on return.
 *
 * <p>Safe for concurrent use. No lock is held while the store works: what was decided on must still hold when it is stored, and
 * where it does not the operation reads again and decides again, up to three times. So overlapping calls for one lane end with
 * one session (G3.12), whichever process they run in. Activity, usage and marks are not guarded against each other; in a gateway
 * a lane is only touched by its own turn.
 *
 * <p>Every operation throws {@link StorageUnavailable} or {@link dev.parley.application.port.StorageCorrupt} rather than swallow
 * a failure or answer that nothing is there.
 */
public final class SessionStore {
    private static final String OPERATOR = "operator";

    private static final int ATTEMPTS = 4;
    private static final int AT_ONCE = 100;

    private final Storage storage;
    private final KeyRules rules;
    private final LaneReader reader;
    private final InstantSource clock;
    private final ZoneId zone;
    private final Ids ids;
    private final Writers writers;

    /**
     * Makes a store.
     *
     * @param storage where everything is kept
     * @param rules how lanes are told apart
     * @param reader gathers the facts of a decision from the same storage
     * @param clock time
     * @param zone the zone of session ids
     * @param ids chance
     */
    public SessionStore(Storage storage, KeyRules rules, LaneReader reader, InstantSource clock, ZoneId zone, Ids ids) {
        this.storage = storage;
        this.rules = rules;
        this.reader = reader;
        this.clock = clock;
        this.zone = zone;
        this.ids = ids;
        this.writers = new Writers(ids);
    }

    /** Returns the session that a message from {@code source} belongs to, where none is to be forced. */
    public SessionEntry getOrCreateSession(SessionSource source) {
        return getOrCreateSession(source, false);
    }

    /**
     * Returns the session that a message from {@code source} belongs to, and makes it so (G3.1–G3.16). How the session began stays
     * in the entry until a turn takes notice of it. Overlapping calls, forced ones too, get one session.
     *
     * @param forceNew whether the caller demands a new session
     */
    public SessionEntry getOrCreateSession(SessionSource source, boolean forceNew) {
        SessionKey key = rules.keyOf(source);
        Optional<SessionId> seen = Optional.empty();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Lane> lane = storage.lanes().find(key);
            Optional<SessionId> current = lane.map(l -> l.entry().sessionId());
            boolean force = forceNew && (attempt == 0 || current.equals(seen));
            seen = attempt == 0 ? current : seen;
            LaneFacts facts = reader.read(key, source, lane, false, force);
            Access access = LaneAccess.decide(facts, newId(), false);
            if (commits(access.transition())) {
                return access.entry();
            }
        }
        throw busy(key);
    }

    /**
     * Notes that a lane was used, and where given the size of its last prompt; 0 is a size (O4.1). Does nothing for an unknown
     * lane.
     */
    public void updateSession(SessionKey key, Optional<Long> lastPromptTokens) {
        storage.lanes().find(key).ifPresent(lane -> {
            Instant now = now();
            commit(
                    List.of(),
                    List.of(new Change.TouchLane(
                            key,
                            lane.entry().sessionId(),
                            now,
                            TokenUsage.NONE,
                            0.0,
                            lastPromptTokens,
                            Optional.empty())));
        });
    }

    /**
     * Begins a lane anew for {@code /new} and {@code /reset} (O4.2).
     *
     * @param displayName the chat's name; absent keeps the old one
     * @return the new entry; nothing, and no effect, for an unknown lane
     */
    public Optional<SessionEntry> resetSession(SessionKey key, Optional<String> displayName) {
        return renew(key, displayName, "new");
    }

    /** Begins a lane anew for the operator; otherwise as {@link #resetSession(SessionKey, Optional)}. */
    public Optional<SessionEntry> resetForOperator(SessionKey key) {
        return renew(key, Optional.empty(), OPERATOR);
    }

    private Optional<SessionEntry> renew(SessionKey key, Optional<String> displayName, String reason) {
        return change(
                        key,
                        lane -> SessionTransitions.renew(lane, newId(), now(), reason, displayName, Optional.empty()))
                .map(Lane::entry);
    }

    /**
     * Points a lane at a session that exists (O4.3). Whether the one who asks may see it is the caller's to know (Z12.4).
     *
     * @return the new entry, the same where the lane has the session already; nothing for an unknown lane
     * @throws InvalidRequest where the target is not stored, or is the current session of another lane
     */
    public Optional<SessionEntry> switchSession(SessionKey key, SessionId target) {
        return change(key, lane -> {
                    Session session = storage.sessions()
                            .find(target)
                            .orElseThrow(() -> new InvalidRequest(
                                    "There is no session " + target + "; list the sessions and take one of them."));
                    Optional<Lane> holder = storage.lanes().findBySession(target);
                    if (holder.isPresent() && !holder.get().key().equals(key)) {
                        throw new InvalidRequest("The session " + target + " is the current one of the lane "
                                + holder.get().key() + "; reset that lane before.");
                    }
                    return SessionTransitions.switchTo(lane, session, now(), "switch");
                })
                .map(Lane::entry);
    }

    /** Suspends a lane, so that its next message begins a new session (O4.4). Returns false for an unknown lane. */
    public boolean suspendSession(SessionKey key) {
        return suspend(key, "stop");
    }

    /** Suspends a lane for the operator; otherwise as {@link #suspendSession}. */
    public boolean suspendForOperator(SessionKey key) {
        return suspend(key, OPERATOR);
    }

    private boolean suspend(SessionKey key, String reason) {
        return change(key, lane -> SessionTransitions.suspend(lane, now(), reason))
                .isPresent();
    }

    /** Marks a lane as {@link #markResumePending(SessionKey, ResumeReason)} does, cut off by a restart. */
    public boolean markResumePending(SessionKey key) {
        return markResumePending(key, ResumeReason.RESTART_TIMEOUT);
    }

    /**
     * Marks a lane whose turn was cut off, so that its next access keeps the session (O4.5). Returns false for an unknown lane and
     * for a suspended one, which stays as it is.
     */
    public boolean markResumePending(SessionKey key, ResumeReason reason) {
        return change(key, lane -> SessionTransitions.markToBeResumed(lane, reason, now()))
                .filter(lane -> !lane.entry().isSuspended())
                .isPresent();
    }

    /** Clears the mark of a lane after a turn succeeded (O4.6). Returns false where there is no lane or no mark in effect. */
    public boolean clearResumePending(SessionKey key) {
        Optional<Lane> lane = storage.lanes().find(key);
        if (lane.isEmpty()) {
            return false;
        }
        Transition cleared = SessionTransitions.clearMark(lane.get(), now());
        return !cleared.isEmpty() && commits(cleared);
    }

    /** Marks as {@link #suspendRecentlyActive(Duration)} does, within two minutes. */
    public int suspendRecentlyActive() {
        return suspendRecentlyActive(Duration.ofMinutes(2));
    }

    /**
     * Marks every lane that was used within {@code maxAge}, that age included, to be resumed after a crash (O4.7). Lanes that are
     * marked or suspended stay as they are. For builds without a ledger of turns: with one, the lanes whose turn was really cut off
     * are known.
     *
     * @return how many were marked
     */
    public int suspendRecentlyActive(Duration maxAge) {
        Instant now = now();
        Instant since = now.minus(maxAge);
        return changeAll(
                lane -> !lane.entry().updatedAt().isBefore(since)
                        && !lane.entry().isSuspended()
                        && lane.entry().toBeResumed().isEmpty(),
                lane -> SessionTransitions.markToBeResumed(lane, ResumeReason.RESTART_INTERRUPTED, now));
    }

    /**
     * Removes the lanes that were not used for more than {@code maxAgeDays} days, exactly that age not included, and ends their
     * sessions so that they do not come back (O4.8, D5). Suspended lanes and lanes with an active background process stay. Zero or
     * less removes nothing.
     *
     * @return how many were removed
     */
    public int pruneOldEntries(int maxAgeDays) {
        if (maxAgeDays <= 0) {
            return 0;
        }
        Instant now = now();
        Instant before = now.minus(Duration.ofDays(maxAgeDays));
        return changeAll(
                lane -> reader.isPrunable(lane.entry(), before, now), lane -> SessionTransitions.prune(lane, now));
    }

    /** Returns all entries, last used first, then by key (O4.9). */
    public List<SessionEntry> listSessions() {
        return entries(entry -> true);
    }

    /** Returns the entries used within {@code active}, that age included, last used first, then by key; zero is a filter (O4.9). */
    public List<SessionEntry> listSessions(Duration active) {
        Instant since = now().minus(active);
        return entries(entry -> !entry.updatedAt().isBefore(since));
    }

    private List<SessionEntry> entries(Predicate<SessionEntry> wanted) {
        List<SessionEntry> entries = new ArrayList<>();
        storage.lanes().forEach(lane -> {
            if (wanted.test(lane.entry())) {
                entries.add(lane.entry());
            }
        });
        entries.sort(Comparator.comparing(SessionEntry::updatedAt)
                .reversed()
                .thenComparing(entry -> entry.key().value()));
        return List.copyOf(entries);
    }

    /** Returns the entry whose current session has this id; nothing for an unknown or empty one (O4.10). */
    public Optional<SessionEntry> lookupBySessionId(String sessionId) {
        return SessionId.isSafe(sessionId)
                ? storage.lanes().findBySession(SessionId.of(sessionId)).map(Lane::entry)
                : Optional.empty();
    }

    /** Returns the id of a lane's current session without touching the lane, or nothing (O4.11). */
    public Optional<SessionId> peekSessionId(SessionKey key) {
        return storage.lanes().find(key).map(lane -> lane.entry().sessionId());
    }

    /** Returns whether there was a session before the current one: one alone is the first ever (O4.12). */
    public boolean hasAnySessions() {
        return storage.sessions().count(Optional.empty()) > 1;
    }

    /**
     * Appends a message to a session's transcript (O4.13). Reasoning is kept only for the assistant. A message whose id the session
     * has already is not appended again, so repeating this is safe.
     *
     * @param skipDb whether nothing is stored, because the agent has stored it
     * @throws InvalidRequest where the session is not stored
     */
    public void appendToTranscript(SessionId session, Message message, boolean skipDb) {
        if (!skipDb) {
            commit(
                    List.of(new Precondition.SessionExists(session)),
                    List.of(new Change.AppendMessages(session, List.of(kept(message)))),
                    session);
        }
    }

    /**
     * Replaces a session's conversation as a whole (O4.14); messages taken back before stay for the record (D16). Where it fails,
     * the conversation is as it was.
     *
     * @return false where the session is not stored
     */
    public boolean rewriteTranscript(SessionId session, List<Message> messages) {
        List<Message> kept = messages.stream().map(SessionStore::kept).toList();
        return commit(
                List.of(new Precondition.SessionExists(session)), List.of(new Change.ReplaceMessages(session, kept)));
    }

    private static Message kept(Message message) {
        return message.role().equals(Role.ASSISTANT)
                ? message
                : message.toBuilder().reasoning(Reasoning.NONE).build();
    }

    /** Returns a session's conversation in the order it was stored; empty for an unknown session (O4.15). */
    public List<Message> loadTranscript(SessionId session) {
        return storage.transcripts().load(session).stream()
                .map(StoredMessage::message)
                .toList();
    }

    /**
     * Takes back the last {@code turns} turns of a session (O4.20): hidden from conversation and search, kept for the record. Fewer
     * than one counts as one, more than there are as all.
     *
     * @return what was taken back; nothing where there is no user message
     */
    public Optional<Rewind> rewindSession(SessionId session, int turns) {
        Optional<Rewind> rewind = Rewind.of(storage.transcripts().load(session), turns);
        rewind.ifPresent(r ->
                commit(List.of(), List.of(new Change.HideMessages(session, r.hidden(), StoredMessage.State.REWOUND))));
        return rewind;
    }

    /** Returns the model chosen for a lane, or nothing (O4.17). */
    public Optional<ModelOverride> getModelOverride(SessionKey key) {
        return storage.lanes().find(key).flatMap(lane -> lane.entry().modelOverride());
    }

    /** Chooses a model for a lane; an empty choice takes it away (O4.17). Does nothing for an unknown lane. */
    public void setModelOverride(SessionKey key, Optional<ModelOverride> override) {
        change(key, lane -> SessionTransitions.overrideModel(lane, override));
    }

    /**
     * Notes that a lane's session was finalised (O4.18), where the lane still has this session.
     *
     * @param clearOverride whether the model chosen for the lane is dropped
     */
    public void setExpiryFinalized(SessionEntry entry, boolean clearOverride) {
        change(
                entry.key(),
                lane -> lane.entry().sessionId().equals(entry.sessionId())
                        ? SessionTransitions.finalise(lane, now(), clearOverride, "session_expired")
                        : new Transition(Optional.of(lane), Optional.of(lane), List.of(), List.of()));
    }

    /** Returns whether any policy ends the sessions of this entry's lane (O4.19). */
    public boolean isSessionFinalizable(SessionEntry entry) {
        return reader.isFinalizable(entry);
    }

    // storing

    private Optional<Lane> change(SessionKey key, Function<Lane, Transition> decide) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Lane> lane = storage.lanes().find(key);
            if (lane.isEmpty()) {
                return Optional.empty();
            }
            Transition transition = decide.apply(lane.get());
            if (commits(transition)) {
                return transition.after();
            }
        }
        throw busy(key);
    }

    private int changeAll(Predicate<Lane> wanted, Function<Lane, Transition> decide) {
        List<Lane> found = new ArrayList<>();
        storage.lanes().forEach(lane -> {
            if (wanted.test(lane)) {
                found.add(lane);
            }
        });
        int changed = 0;
        for (int from = 0; from < found.size(); from += AT_ONCE) {
            List<Lane> part = found.subList(from, Math.min(found.size(), from + AT_ONCE));
            List<Transition> transitions = part.stream().map(decide).toList();
            if (commitAll(transitions)) {
                changed += transitions.size();
            } else {
                changed += (int) part.stream()
                        .filter(lane -> changeOne(lane.key(), wanted, decide))
                        .count();
            }
        }
        return changed;
    }

    private boolean changeOne(SessionKey key, Predicate<Lane> wanted, Function<Lane, Transition> decide) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Lane> lane = storage.lanes().find(key).filter(wanted);
            if (lane.isEmpty()) {
                return false;
            }
            if (commits(decide.apply(lane.get()))) {
                return true;
            }
        }
        return false;
    }

    private boolean commitAll(List<Transition> transitions) {
        return commit(
                transitions.stream().flatMap(t -> t.preconditions().stream()).toList(),
                transitions.stream().flatMap(t -> t.changes().stream()).toList());
    }

    private boolean commits(Transition transition) {
        return transition.isEmpty() || commit(transition.preconditions(), transition.changes());
    }

    private void commit(List<Precondition> preconditions, List<Change> changes, SessionId session) {
        if (!commit(preconditions, changes)) {
            throw new InvalidRequest("The session " + session + " is not stored; create it before.");
        }
    }

    /** A writer whose last batch has an unknown fate is not used again, so that the batch may still be repeated. */
    private boolean commit(List<Precondition> preconditions, List<Change> changes) {
        BatchWriter writer = writers.lend();
        CommitResult result = storage.ledger().commit(writer.next(preconditions, changes));
        writers.giveBack(writer);
        return result.isCommitted();
    }

    private SessionId newId() {
        return SessionId.begunAt(now(), zone, ids.sessionSuffix());
    }

    private Instant now() {
        return StoredTime.now(clock);
    }

    private static StorageUnavailable busy(SessionKey key) {
        return new StorageUnavailable(
                "The lane " + key + " was changed by others each time it was to be changed; try again.", null);
    }
}
