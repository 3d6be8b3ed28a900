package dev.parley.application.store;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.StoredTime;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.AppliedPolicy;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.reset.ResetRules;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Lifecycle;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Gathers the facts that decide which session a message belongs to, and answers what the policies say of a lane. Only reads;
 * holds no state; safe for concurrent use. Failures of the store come through as they are: unavailable never looks like absent.
 */
public final class LaneReader {
    private static final int LOOKED_AT = 20;

    private final Lanes lanes;
    private final Sessions sessions;
    private final StoredFamily family;
    private final KeyRules rules;
    private final ResetPolicies policies;
    private final ProcessActivity processes;
    private final InstantSource clock;
    private final ZoneId zone;

    /**
     * Makes a reader.
     *
     * @param storage what is read
     * @param rules how lanes are told apart
     * @param policies when sessions end by themselves
     * @param processes the background processes of the lanes
     * @param clock time
     * @param zone the zone of the daily boundary
     */
    public LaneReader(
            Storage storage,
            KeyRules rules,
            ResetPolicies policies,
            ProcessActivity processes,
            InstantSource clock,
            ZoneId zone) {
        this(
                storage.lanes(),
                storage.sessions(),
                new StoredFamily(storage.sessions(), storage.transcripts()),
                rules,
                policies,
                processes,
                clock,
                zone);
    }

    private LaneReader(
            Lanes lanes,
            Sessions sessions,
            StoredFamily family,
            KeyRules rules,
            ResetPolicies policies,
            ProcessActivity processes,
            InstantSource clock,
            ZoneId zone) {
        this.lanes = lanes;
        this.sessions = sessions;
        this.family = family;
        this.rules = rules;
        this.policies = policies;
        this.processes = processes;
        this.clock = clock;
        this.zone = zone;
    }

    /** Returns this with other knowledge of background processes, such as what was asked beforehand. */
    public LaneReader knowing(ProcessActivity known) {
        return new LaneReader(lanes, sessions, family, rules, policies, known, clock, zone);
    }

    /** Returns when the background processes of a lane have started; asks a plug-in. */
    public List<Instant> processes(SessionKey lane) {
        return processes.startedAt(lane);
    }

    /** Returns the facts for a message from {@code source}, reading its lane. */
    public LaneFacts read(SessionSource source, boolean turnRunning, boolean forceNew) {
        SessionKey key = rules.keyOf(source);
        return read(key, source, lanes.find(key), turnRunning, forceNew);
    }

    /**
     * Returns the facts for a message on a lane that the caller has just read.
     *
     * @param lane the lane as stored; absent where it does not exist
     * @param turnRunning whether a turn of the lane is running
     * @param forceNew whether the caller demands a new session
     */
    public LaneFacts read(
            SessionKey key, SessionSource source, Optional<Lane> lane, boolean turnRunning, boolean forceNew) {
        Instant now = now();
        Optional<Session> stored = lane.flatMap(l -> sessions.find(l.entry().sessionId()));
        Optional<Session> tip = forceNew ? Optional.empty() : stored.flatMap(this::tipOf);
        LaneFacts.Row row = rowOf(tip.or(() -> stored));
        boolean looksBack = !forceNew && (lane.isEmpty() || row == LaneFacts.Row.ENDED);
        return new LaneFacts(
                key,
                source,
                lane,
                row,
                tip,
                looksBack ? recoverableIfReadable(key, source, lane) : Optional.empty(),
                policies.select(Optional.of(source.platform()), source.chatType()),
                now,
                zone,
                turnRunning || hasActiveProcess(key, now),
                forceNew);
    }

    /**
     * Returns the facts with nothing looked up behind the entry, for a store whose sessions cannot be read now.
     *
     * @param lane the lane as last known
     */
    public LaneFacts unread(SessionKey key, SessionSource source, Optional<Lane> lane, boolean turnRunning) {
        Instant now = now();
        return new LaneFacts(
                key,
                source,
                lane,
                LaneFacts.Row.UNKNOWN,
                Optional.empty(),
                Optional.empty(),
                policies.select(Optional.of(source.platform()), source.chatType()),
                now,
                zone,
                turnRunning || hasActiveProcess(key, now),
                false);
    }

    /** Returns the policy of an entry, by the platform and chat type it keeps (R6.5, R6.8). */
    public AppliedPolicy policyOf(SessionEntry entry) {
        return policies.select(entry.platform(), entry.chatType());
    }

    /**
     * Returns why an entry's session has expired, or nothing where it has not or a turn or background process of its lane is
     * running (W10.3). Suspension and marks do not matter.
     */
    public Optional<ResetReason> expired(SessionEntry entry, boolean turnRunning) {
        Instant now = now();
        Lifecycle.Facts facts = new Lifecycle.Facts(
                now, zone, policyOf(entry).policy(), turnRunning || hasActiveProcess(entry.key(), now), false, false);
        return Lifecycle.expired(entry, facts);
    }

    /** Returns whether a policy ends an entry's session, so that hooks are told of its end (O4.19). */
    public boolean isFinalizable(SessionEntry entry) {
        return policyOf(entry).policy().mode().includesIdle()
                || policyOf(entry).policy().mode().includesDaily();
    }

    /**
     * Returns whether a background process keeps the lane's session (R6.9, R6.10). A look-up that fails counts as one, so that
     * nothing is lost by it (R6.11).
     */
    public boolean hasActiveProcess(SessionKey lane, Instant now) {
        try {
            return processes.startedAt(lane).stream()
                    .anyMatch(started -> ResetRules.blocks(started, now, policies.defaultPolicy()));
        } catch (RuntimeException e) {
            return true;
        }
    }

    /**
     * Returns whether a lane is removed for not being used: it was last active before {@code unusedSince}, that instant not
     * included, is not suspended and has no active background process (O4.8, D5).
     */
    public boolean isPrunable(SessionEntry entry, Instant unusedSince, Instant now) {
        return entry.updatedAt().isBefore(unusedSince) && !entry.isSuspended() && !hasActiveProcess(entry.key(), now);
    }

    private static LaneFacts.Row rowOf(Optional<Session> stored) {
        return stored.map(s -> s.isLive() ? LaneFacts.Row.LIVE : LaneFacts.Row.ENDED)
                .orElse(LaneFacts.Row.MISSING);
    }

    private Optional<Session> tipOf(Session stored) {
        if (!stored.endedBy(Ending.COMPRESSION)) {
            return Optional.empty();
        }
        SessionId tip = Lineage.compressionTip(stored.id(), family);
        return tip.equals(stored.id()) ? Optional.empty() : sessions.find(tip);
    }

    /** Nothing is recovered where the store cannot tell what there was before: a message does not wait for that. */
    private Optional<Session> recoverableIfReadable(SessionKey key, SessionSource source, Optional<Lane> lane) {
        try {
            return recoverable(key, source, lane);
        } catch (StorageUnavailable e) {
            return Optional.empty();
        }
    }

    /** The newest session of this lane that was not ended on purpose, has messages, and is nobody else's (G3.16). */
    private Optional<Session> recoverable(SessionKey key, SessionSource source, Optional<Lane> lane) {
        Stream<Session> ofKey = sessions.ofLane(key, LOOKED_AT).stream();
        Stream<Session> ofFormerKeys = source.chatId().isEmpty()
                ? Stream.empty()
                : rules.formerKeysOf(source).stream()
                        .flatMap(former -> sessions.ofLane(former, LOOKED_AT).stream())
                        .filter(s -> s.peer()
                                .flatMap(SessionPeer::origin)
                                .map(rules::keyOf)
                                .filter(key::equals)
                                .isPresent());
        return Stream.concat(ofKey, ofFormerKeys)
                .filter(s -> s.source().equals(source.platform().name()))
                .filter(s -> s.ending().map(Ending::isRecoverable).orElse(true))
                .filter(family::hasMessages)
                .filter(s -> isFree(s.id(), lane))
                .findFirst();
    }

    private boolean isFree(SessionId session, Optional<Lane> lane) {
        return lane.filter(l -> l.entry().sessionId().equals(session)).isPresent()
                || lanes.findBySession(session).isEmpty();
    }

    private Instant now() {
        return StoredTime.now(clock);
    }
}
