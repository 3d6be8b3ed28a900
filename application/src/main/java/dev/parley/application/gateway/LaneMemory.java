package dev.parley.application.gateway;

import dev.parley.application.lane.FollowUps;
import dev.parley.application.lane.FollowUps.Item;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.settings.BusyMode;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a lane's desk holds of what the store says: the lane, what waits in its queue, and who waits for an answer. Read when it is
 * first needed and again whenever it is in doubt; changed only after the store has taken the change.
 */
final class LaneMemory {
    private final Workings works;
    private final SessionKey key;
    private final TreeMap<Long, Inbound> waiting = new TreeMap<>();
    private final Map<InboundId, AnswerListener> listeners = new LinkedHashMap<>();
    private Optional<Lane> lane = Optional.empty();
    private boolean loaded;
    private long lastOrdinal;

    LaneMemory(Workings works, SessionKey key) {
        this.works = works;
        this.key = key;
    }

    /** Reads what is not known; {@code taken} are admitted messages that a running agent holds already. */
    void load(Collection<Inbound> taken) {
        if (loaded) {
            return;
        }
        lane = works.storage.lanes().find(key);
        waiting.clear();
        for (Inbound inbound : works.storage.queue().admitted(key)) {
            if (taken.stream().noneMatch(t -> t.id().equals(inbound.id()))) {
                waiting.put(inbound.ordinal(), inbound);
            }
        }
        lastOrdinal = Math.max(lastOrdinal, works.storage.queue().lastOrdinal(key));
        loaded = true;
    }

    /** Somebody else may have changed the store: it is read again before it is used. */
    void doubt() {
        loaded = false;
    }

    // ------------------------------------------------------------------ the lane

    Optional<Lane> lane() {
        return lane;
    }

    void lane(Optional<Lane> stored) {
        lane = stored;
    }

    // ------------------------------------------------------------------ the queue

    /** Returns a message that is next in order; it has no place in the queue until it is stored. */
    Inbound next(
            Inbound.Kind kind,
            Inbound.State state,
            SessionSource source,
            String text,
            List<Attachment> attachments,
            Optional<PlatformMessage> name) {
        return new Inbound(
                new InboundId(works.ids.unique("in")),
                key,
                lastOrdinal + 1,
                kind,
                source,
                text,
                attachments,
                works.now(),
                name,
                state,
                Optional.empty());
    }

    /** Returns input that a command puts into the queue, directly behind the command. */
    Inbound behind(
            Inbound command, Inbound.Kind kind, SessionSource source, String text, List<Attachment> attachments) {
        return new Inbound(
                new InboundId(works.ids.unique("in")),
                key,
                Math.max(lastOrdinal, command.ordinal()) + 1,
                kind,
                source,
                text,
                attachments,
                works.now(),
                Optional.empty(),
                Inbound.State.ADMITTED,
                Optional.empty());
    }

    /** A message was stored that does not wait: its place in the order is used. */
    void used(Inbound inbound) {
        lastOrdinal = Math.max(lastOrdinal, inbound.ordinal());
    }

    /** A message was stored and waits for its turn. */
    void admit(Inbound inbound, AnswerListener answer) {
        used(inbound);
        waiting.put(inbound.ordinal(), inbound);
        if (answer != AnswerListener.NONE) {
            listeners.put(inbound.id(), answer);
        }
    }

    /** A message that was taken waits again. */
    void putBack(Inbound inbound) {
        waiting.put(inbound.ordinal(), inbound);
    }

    /** A message waits no more. */
    void remove(Inbound inbound) {
        waiting.remove(inbound.ordinal());
    }

    boolean waits(Inbound inbound) {
        return waiting.containsKey(inbound.ordinal());
    }

    /** Returns everything that waits, in order. */
    List<Inbound> waiting() {
        return List.copyOf(waiting.values());
    }

    boolean isQueueEmpty() {
        return waiting.isEmpty();
    }

    /** Returns what the next turns take, in the order they run. */
    List<Item> items() {
        return FollowUps.items(waiting(), merging(), source -> works.rules.participantOf(source));
    }

    private FollowUps.Merging merging() {
        return works.settings.busy().mode(true) == BusyMode.QUEUE
                ? new FollowUps.Merging(
                        Optional.of(works.settings.busy().debounce()),
                        works.settings.busy().debounceLimit())
                : FollowUps.Merging.ALL;
    }

    /** Returns how many turns wait (Q8.21). */
    int depth() {
        return items().size();
    }

    /** Returns how many messages count against the cap (Q8.17). */
    long followUps() {
        return waiting.values().stream()
                .filter(i -> i.kind() == Inbound.Kind.MESSAGE || i.kind() == Inbound.Kind.STEER)
                .count();
    }

    // ------------------------------------------------------------------ whoever waits

    boolean isAwaited() {
        return !listeners.isEmpty();
    }

    void listen(Inbound inbound, AnswerListener answer) {
        listeners.put(inbound.id(), answer);
    }

    /** Returns who waits for the answer to a message. */
    Optional<AnswerListener> listener(Inbound inbound) {
        return Optional.ofNullable(listeners.get(inbound.id()));
    }

    /** Returns who waits for the answer to a message, and forgets them. */
    Optional<AnswerListener> release(Inbound inbound) {
        return Optional.ofNullable(listeners.remove(inbound.id()));
    }

    /** Returns everybody who waits, and forgets them. */
    List<AnswerListener> releaseAll() {
        List<AnswerListener> all = List.copyOf(listeners.values());
        listeners.clear();
        return all;
    }

    /** Forgets what waits and who; the store keeps it. */
    void forget() {
        waiting.clear();
        listeners.clear();
        doubt();
    }
}
