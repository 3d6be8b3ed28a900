package dev.parley.application.gateway;

import dev.parley.application.lane.LaneInput;
import dev.parley.application.lane.MovedChats;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.recovery.RestartCounts;
import dev.parley.application.recovery.RestartRequest;
import dev.parley.application.spi.Storage;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What the process before left behind: it is set right at the start, or once the storage is whole; lanes are resumed as their platforms
 * connect, what waits is begun, and messages that are not delivered go out. Used by the gateway's own actor, but where a method says else.
 */
final class LeftBehind {
    private static final int TOLD_AT_ONCE = 100;

    private final Ground ground;
    private final Parts parts;
    private final Storage storage;
    private final Authorization authorization;
    private final boolean isShared;
    private final MovedChats movedChats = new MovedChats();
    private final Map<Platform, SortedSet<SessionKey>> toBeResumed = new TreeMap<>();
    /** Lanes that were told to resume. */
    private final Set<SessionKey> resumed = ConcurrentHashMap.newKeySet();

    /** Read at the start, from then on the store's actor's. */
    private volatile Optional<RestartCounts> counts = Optional.empty();
    /** Whether all of it was set right. */
    private volatile boolean setRight;

    /** What is known of it at the start, when nothing is set right yet. */
    record Found(Instant at, int cutOff, List<Outgoing> undelivered) {}

    LeftBehind(Ground ground, Parts parts) {
        this.ground = ground;
        this.parts = parts;
        this.storage = ground.storage();
        this.authorization = ground.plugIns().authorization();
        this.isShared = ground.sharing().nodes().isShared();
    }

    /** Returns which chats have another id than their lanes; from any thread. */
    MovedChats movedChats() {
        return movedChats;
    }

    /**
     * Sets it right as far as there is room for that, and hands over what is not delivered.
     *
     * @param now when the start began
     * @param alone whether no other gateway may do so
     */
    Found setRight(Instant now, boolean alone) {
        List<Turn> cutOff = isShared ? List.of() : storage.queue().claimed();
        RestartCounts restarts = RestartCounts.read(ground.plugIns().markers());
        counts = Optional.of(restarts);
        Optional<Map<Platform, SortedSet<SessionKey>>> found = isShared
                ? Optional.of(parts.startUp().resumable(parts.connections(), authorization, now))
                : parts.startUp().recover(restarts, parts.connections(), authorization, now);
        found.ifPresent(toBeResumed::putAll);
        setRight = found.isPresent();
        if (!setRight) {
            parts.phase().awaitRecovery(cutOff.stream().map(Turn::lane).collect(Collectors.toSet()));
        }
        loadMovedChats();
        // Before a platform can hand anything in: its answer goes out behind what the process before left to a chat.
        List<Outgoing> undelivered = isShared ? alone ? ofNoLane() : List.of() : toBeDelivered(now);
        undelivered.forEach(parts.deliveries()::add);
        return new Found(now, cutOff.size(), undelivered);
    }

    /** Returns how many lanes are to be resumed. */
    int toBeResumed() {
        return toBeResumed.values().stream().mapToInt(Set::size).sum();
    }

    /** Goes on with it, as messages are taken now; what was not seen or had no room is set right once the storage is whole. */
    void goOn(Found found) {
        parts.connections().connected().forEach(this::resumeLanesOf);
        wakeWaiting();
        parts.store().post(this::tellOfRestart);
        if (!setRight || storage.maintenance().health().degraded().isPresent()) {
            Set<OutgoingId> known =
                    found.undelivered().stream().map(Outgoing::id).collect(Collectors.toSet());
            storage.maintenance()
                    .whenWhole(() -> parts.store()
                            .post(() -> setRightWhatWasMissed(message ->
                                    message.createdAt().isBefore(found.at()) && !known.contains(message.id()))));
        }
    }

    /**
     * After a start on the fallback: what the process before left behind in the primary is set right when that is back. A turn of
     * this process is claimed only while its lane runs, so no clock is needed to tell them apart. A step of the store's actor.
     */
    private void setRightWhatWasMissed(Predicate<Outgoing> isLeft) {
        if (!isRunning()) {
            return;
        }
        loadMovedChats();
        Map<Platform, SortedSet<SessionKey>> found = parts.startUp()
                .recoverMissed(
                        counts.orElseThrow(),
                        key -> parts.running().contains(key) && !parts.phase().awaitsRecovery(key),
                        resumed::contains,
                        isLeft,
                        parts.connections(),
                        authorization,
                        ground.timing().now());
        setRight = true;
        parts.phase().awaitRecovery(Set.of());
        parts.actor().post(() -> resume(found));
        parts.deliveries().addMissed(storage.queue()::undelivered, storage.queue()::undelivered);
        parts.actor().post(() -> parts.store().post(() -> tellWaiting(new LaneInput.Refresh())));
    }

    private void resume(Map<Platform, SortedSet<SessionKey>> found) {
        found.values().forEach(lanes -> lanes.removeAll(resumed));
        toBeResumed.putAll(found);
        parts.connections().connected().forEach(this::resumeLanesOf);
    }

    /** On a storage that cannot be read they are read once it is whole; until then a chat that moved has a lane of its own. From any thread. */
    void loadMovedChats() {
        try {
            movedChats.load(storage.meta());
        } catch (StorageUnavailable | StorageCorrupt e) {
            ground.plugIns()
                    .guard()
                    .tell(
                            Optional.empty(),
                            "The storage cannot say now which chats were moved to another id; until it is back such a chat has a lane of its own.",
                            e);
        }
    }

    /** Messages that are over are given up by now, or will be once there is room for that. */
    private List<Outgoing> toBeDelivered(Instant now) {
        return storage.queue().undelivered().stream()
                .filter(message -> !parts.startUp().isOver(message, parts.connections(), now))
                .toList();
    }

    /** Messages of no lane belong to no node: whoever finds that their node is gone delivers them. */
    private List<Outgoing> ofNoLane() {
        return storage.queue().undelivered().stream()
                .filter(message -> message.lane().isEmpty())
                .toList();
    }

    /** Delivers what nodes that are gone have left of no lane; from any thread, returns at once. */
    void deliverWhatOthersLeft() {
        parts.store().post(() -> {
            if (isRunning()) {
                parts.deliveries().addMissed(this::ofNoLane, storage.queue()::undelivered);
            }
        });
    }

    /**
     * Lanes with something in the queue look at it; from any thread, returns at once. Of several gateways they are found by those who look
     * for work that nobody does. Where not all is set right, what was cut off before them is not known as such yet.
     */
    void wakeWaiting() {
        if (!isShared && setRight) {
            parts.store().post(() -> tellWaiting(new LaneInput.Wake()));
        }
    }

    /** Lanes with something in the queue are told something, and have their places in this order: as the oldest of it came, those that resume first. */
    private void tellWaiting(LaneInput input) {
        List<Inbound> waiting = storage.queue().admitted().stream()
                .sorted(Comparator.comparing(Inbound::receivedAt))
                .toList();
        List<SessionKey> lanes = waiting.stream().map(Inbound::lane).distinct().toList();
        parts.running()
                .line(
                        waiting.stream()
                                .filter(each -> each.kind() == Inbound.Kind.RESUME)
                                .map(Inbound::lane)
                                .distinct()
                                .toList(),
                        true);
        parts.running().line(lanes, false);
        tell(lanes.iterator(), input);
    }

    /** Lanes are told some at a time, so that what comes meanwhile does not wait for all of them. */
    private void tell(Iterator<SessionKey> lanes, LaneInput input) {
        for (int told = 0; told < TOLD_AT_ONCE && lanes.hasNext(); told++) {
            parts.lanes().tell(lanes.next(), input);
        }
        if (lanes.hasNext() && isRunning()) {
            ground.executor().execute(() -> tell(lanes, input));
        }
    }

    /** Who asked for the restart is told that it is over; the operator's chats where nobody did in a chat (P7.5, P7.48). */
    private void tellOfRestart() {
        RestartRequest.pending(storage.meta()).ifPresent(request -> {
            List<HomeChannel> told = request.chat()
                    .map(List::of)
                    .orElseGet(() -> RestartRequest.channels(ground.settings().delivery()));
            parts.store()
                    .announce(
                            told,
                            "The gateway is back.",
                            Outgoing.Kind.NOTICE,
                            RestartRequest.answered(request, ground.timing().now()),
                            () -> {});
        });
    }

    /** A platform is able to send: the lanes that wait for it are resumed, each once (P7.22 to P7.24). From any thread, returns at once. */
    void connected(Platform platform) {
        parts.actor().post(() -> resumeLanesOf(platform));
    }

    private void resumeLanesOf(Platform platform) {
        if (isRunning()) {
            Optional.ofNullable(toBeResumed.remove(platform)).ifPresent(keys -> {
                keys.forEach(key -> {
                    resumed.add(key);
                    parts.lanes().tell(key, new LaneInput.Resume());
                });
                parts.running().line(List.copyOf(keys), true);
            });
        }
    }

    private boolean isRunning() {
        return parts.phase().is(Phase.State.RUNNING);
    }

    /** A turn of a lane has succeeded (P7.13); from any thread, returns at once. */
    void succeeded(SessionKey lane) {
        parts.store().post(() -> counts.ifPresent(restarts -> restarts.succeeded(lane)));
    }

    /** The gateway has stopped, and these lanes' turns were cut off. */
    void stopped(Collection<SessionKey> cutOff) {
        counts.ifPresent(restarts -> restarts.stopped(cutOff));
    }
}
