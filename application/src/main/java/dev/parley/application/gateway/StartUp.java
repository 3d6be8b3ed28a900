package dev.parley.application.gateway;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.actor.Writers;
import dev.parley.application.delivery.Connections;
import dev.parley.application.delivery.DeliveryRules;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.recovery.BootLoop;
import dev.parley.application.recovery.RecoverAfterRestart;
import dev.parley.application.recovery.RestartCounts;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Sets right, before anything else runs, what the process before left behind (P7.1 to P7.29).
 *
 * @param storage the store
 * @param writers numbers the batches
 * @param markers what is remembered of the gateway's own life
 * @param events told what is done
 * @param settings how the gateway behaves
 */
record StartUp(
        Storage storage, Writers writers, GatewayMarkers markers, GatewayEvents events, GatewaySettings settings) {
    /**
     * Marks turns that were cut off, suspends lanes that loop, and gives up messages that are too old. Where neither the store nor its
     * fallback has room for that, {@link #recoverMissed} does it once there is.
     *
     * @param connections knows the platforms
     * @param authorization knows who may talk
     * @return the lanes to be resumed, by platform; absent where there was no room
     */
    Optional<Map<Platform, SortedSet<SessionKey>>> recover(
            RestartCounts counts, Connections connections, Authorization authorization, Instant now) {
        boolean clean = markers.takeCleanShutdown();
        BatchWriter writer = writers.lend();
        try {
            RecoverAfterRestart recovery = recovery(writer, now);
            SortedSet<SessionKey> marked = recovery.markCutOffTurns(turn -> true);
            if (!clean) {
                counts.cutOff(marked);
            }
            recovery.suspendStuckLanes(counts, settings.recovery().stuckLoopThreshold());
            expireOld(writer, connections, message -> true, now);
            return Optional.of(unlessLooping(candidates(recovery, connections, authorization, key -> true), now));
        } catch (StorageUnavailable e) {
            if (!e.isOutOfSpace() || storage.maintenance().health().degraded().isEmpty()) {
                throw e;
            }
            events.on(new GatewayEvent.Trouble(
                    Optional.empty(),
                    "What the gateway before left behind is set right once the storage is whole.",
                    Optional.of(e)));
            return Optional.empty();
        } finally {
            writers.giveBack(writer);
        }
    }

    /**
     * Marks turns of a process before this one that could not be seen at the start, suspends lanes that loop, and gives up messages that
     * are too old, as a start does.
     *
     * @param isOurs whether a lane runs in this process
     * @param isResumed whether a lane was resumed by this process
     * @param isLeft whether a message is of a process before this one
     * @return the lanes to be resumed, by platform
     */
    Map<Platform, SortedSet<SessionKey>> recoverMissed(
            RestartCounts counts,
            Predicate<SessionKey> isOurs,
            Predicate<SessionKey> isResumed,
            Predicate<Outgoing> isLeft,
            Connections connections,
            Authorization authorization,
            Instant now) {
        BatchWriter writer = writers.lend();
        try {
            RecoverAfterRestart recovery = recovery(writer, now);
            counts.cutOff(recovery.markCutOffTurns(turn -> !isOurs.test(turn.lane())));
            recovery.suspendStuckLanes(counts, settings.recovery().stuckLoopThreshold());
            expireOld(writer, connections, isLeft, now);
            Predicate<SessionKey> among = key -> !isOurs.test(key) && !isResumed.test(key);
            return unlessLooping(candidates(recovery, connections, authorization, among), now);
        } finally {
            writers.giveBack(writer);
        }
    }

    /**
     * Finds the lanes to be resumed, where others share the store and have set right what was left behind, or will.
     *
     * @return the lanes, by platform
     */
    Map<Platform, SortedSet<SessionKey>> resumable(Connections connections, Authorization authorization, Instant now) {
        BatchWriter writer = writers.lend();
        try {
            return unlessLooping(candidates(recovery(writer, now), connections, authorization, key -> true), now);
        } finally {
            writers.giveBack(writer);
        }
    }

    private List<RecoverAfterRestart.Candidate> candidates(
            RecoverAfterRestart recovery,
            Connections connections,
            Authorization authorization,
            Predicate<SessionKey> among) {
        return recovery.toBeResumed(
                settings.recovery().freshness(),
                (key, entry) -> among.test(key)
                        && entry.origin()
                                .filter(origin ->
                                        connections.isConfigured(origin.platform()) && mayTalk(authorization, origin))
                                .isPresent());
    }

    /** An authorization that may block is asked by the lane, beside the start. */
    private static boolean mayTalk(Authorization authorization, SessionSource origin) {
        return !authorization.neverBlocks() || authorization.mayTalk(origin);
    }

    private RecoverAfterRestart recovery(BatchWriter writer, Instant now) {
        return new RecoverAfterRestart(
                storage,
                writer,
                line -> events.on(new GatewayEvent.Transition(line)),
                turn -> events.on(new GatewayEvent.TurnEnded(turn)),
                now);
    }

    /** Returns whether a message of the process before is not sent any more. */
    boolean isOver(Outgoing message, Connections connections, Instant now) {
        return DeliveryRules.isOverAtStart(
                message, now, settings.delivery(), connections.recognisesRepeats(message.platform()));
    }

    private void expireOld(BatchWriter writer, Connections connections, Predicate<Outgoing> left, Instant now) {
        List<GatewayEvent.Expired> expired = new ArrayList<>();
        for (Outgoing message : storage.queue().undelivered()) {
            if (left.test(message) && isOver(message, connections, now)) {
                expired.add(new GatewayEvent.Expired(
                        message.expired(), DeliveryRules.whyOverAtStart(message, now, settings.delivery())));
            }
        }
        if (!expired.isEmpty()) {
            storage.ledger()
                    .commit(writer.next(
                            List.of(),
                            expired.stream()
                                    .map(each -> new Change.PutOutgoing(each.outgoing()))
                                    .toList()));
            expired.forEach(events::on);
        }
    }

    private Map<Platform, SortedSet<SessionKey>> unlessLooping(
            List<RecoverAfterRestart.Candidate> candidates, Instant now) {
        Map<Platform, SortedSet<SessionKey>> lanes = new TreeMap<>();
        if (!candidates.isEmpty()
                && BootLoop.trips(
                        markers,
                        now,
                        settings.recovery().bootLoopMax(),
                        settings.recovery().bootLoopWithin())) {
            events.on(new GatewayEvent.Trouble(
                    Optional.empty(),
                    "The gateway was started too often with lanes to resume; none is resumed this time.",
                    Optional.empty()));
            return lanes;
        }
        candidates.forEach(
                c -> lanes.computeIfAbsent(c.platform(), p -> new TreeSet<>()).add(c.key()));
        return lanes;
    }
}
