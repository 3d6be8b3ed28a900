package dev.parley.application.degrade;

import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a primary storage once that cannot be read any more: its lanes, what waits and what runs, what was received
 * lately, and the ends of the conversations in use. Kept up to date from the batches that are committed. Bounded, but for what waits or
 * runs and for the lanes, which are packed: of more conversations than are kept, those whose lanes were active last are, and of more
 * lanes than are kept unpacked, those that were touched last. Safe for concurrent use.
 */
final class Knowledge {
    private static final int MOST_TAILS = 500;
    private static final int MOST_MESSAGES = 200;
    private static final int MOST_RECEIVED = 20_000;
    private static final int MOST_UNPACKED = 20_000;

    private final KnownLanes lanes = new KnownLanes();
    private final Map<InboundId, Inbound> waiting = new LinkedHashMap<>();
    private final Map<TurnId, Turn> claimed = new LinkedHashMap<>();
    private final Map<OutgoingId, Outgoing> undelivered = new LinkedHashMap<>();
    /** The greatest ordinals of the lanes that a message came to last. */
    private final Map<SessionKey, Long> ordinals = newest(MOST_UNPACKED);

    private final Map<CursorName, String> cursors = new TreeMap<>();
    private final Map<PlatformMessage, Inbound> received = newest(MOST_RECEIVED);
    private final Map<SessionId, Tail> tails = new HashMap<>();
    /** The lane whose current session a kept conversation is; none for one that its lane has left. */
    private final Map<SessionId, SessionKey> tailed = new HashMap<>();
    /** When the lanes that were active last were, in batches; all others were active before. */
    private final Map<SessionKey, Long> activity = newest(MOST_UNPACKED);
    /** The reads of conversations that are under way. */
    private final Map<SessionId, List<Look>> looks = new HashMap<>();

    private long batches;

    /**
     * The end of a conversation.
     *
     * @param session its session; absent where it was never read
     * @param messages its last active messages, in order
     * @param whole whether these are all its active messages
     */
    record Tail(Optional<Session> session, List<StoredMessage> messages, boolean whole) {
        Tail {
            messages = List.copyOf(messages);
        }
    }

    /**
     * A read of a session or its conversation that is under way. What it saw is taken note of, unless a batch that concerns the
     * session was committed since it began: then it may be older than what is known.
     */
    final class Look implements AutoCloseable {
        private final SessionId session;
        private boolean outdated;

        private Look(SessionId session) {
            this.session = session;
        }

        /** Takes note of all active messages. */
        void saw(List<StoredMessage> active) {
            synchronized (Knowledge.this) {
                if (!outdated) {
                    Optional<Session> known =
                            Optional.ofNullable(tails.get(session)).flatMap(Tail::session);
                    keep(session, tail(known, active, true));
                }
            }
        }

        /** Takes note of the session, where its conversation is known. */
        void saw(Session read) {
            synchronized (Knowledge.this) {
                Tail before = tails.get(session);
                if (!outdated && before != null) {
                    tails.put(session, new Tail(Optional.of(read), before.messages(), before.whole()));
                }
            }
        }

        @Override
        public void close() {
            synchronized (Knowledge.this) {
                looks.computeIfPresent(session, (id, open) -> {
                    open.remove(this);
                    return open.isEmpty() ? null : open;
                });
            }
        }
    }

    private static <K, V> Map<K, V> newest(int most) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /** Begins a read of a session or its conversation. */
    synchronized Look look(SessionId session) {
        Look look = new Look(session);
        looks.computeIfAbsent(session, id -> new ArrayList<>()).add(look);
        return look;
    }

    /**
     * Keeps the end of a conversation, where it is a lane's current one; reading old sessions, or many, evicts no lane
     * that was active later.
     */
    private void keep(SessionId session, Tail tail) {
        if (tails.containsKey(session)) {
            tails.put(session, tail);
            return;
        }
        Optional<SessionKey> lane = lanes.ofSession(session).map(Lane::key);
        if (lane.isEmpty()) {
            return;
        }
        if (tails.size() >= MOST_TAILS) {
            SessionId last = Collections.min(tails.keySet(), Comparator.comparingLong(this::activeAt));
            if (activeAt(last) >= activity.getOrDefault(lane.get(), 0L)) {
                return;
            }
            drop(last);
        }
        tails.put(session, tail);
        tailed.put(session, lane.get());
    }

    private void drop(SessionId session) {
        tails.remove(session);
        tailed.remove(session);
    }

    private long activeAt(SessionId session) {
        SessionKey lane = tailed.get(session);
        return lane == null ? -1 : activity.getOrDefault(lane, 0L);
    }

    /** Returns what is known of the lanes. */
    KnownLanes lanes() {
        return lanes;
    }

    /** Learns everything but the lanes that is kept for good from a store that can be read. */
    void learn(Storage storage) {
        List<Inbound> admitted = storage.queue().admitted();
        List<Turn> running = storage.queue().claimed();
        List<Inbound> inputs = running.stream()
                .flatMap(turn -> turn.inputs().stream())
                .map(storage.queue()::inbound)
                .flatMap(Optional::stream)
                .filter(i -> i.state() == Inbound.State.CLAIMED)
                .toList();
        List<Outgoing> leaving = storage.queue().undelivered();
        Map<CursorName, String> places = storage.meta().cursors();
        synchronized (this) {
            waiting.clear();
            admitted.forEach(i -> waiting.put(i.id(), i));
            inputs.forEach(i -> waiting.put(i.id(), i));
            claimed.clear();
            running.forEach(t -> claimed.put(t.id(), t));
            undelivered.clear();
            leaving.forEach(o -> undelivered.put(o.id(), o));
            cursors.clear();
            cursors.putAll(places);
        }
    }

    /** Notes what was committed. */
    synchronized void committed(List<Change> changes) {
        batches++;
        Noting noting = new Noting();
        // Lanes first: the conversation of a session is kept for the lane that it belongs to.
        changes.stream().filter(Knowledge::isOfLane).forEach(change -> change.accept(noting));
        changes.stream().filter(change -> !isOfLane(change)).forEach(change -> change.accept(noting));
    }

    private static boolean isOfLane(Change change) {
        return change instanceof Change.PutLane
                || change instanceof Change.TouchLane
                || change instanceof Change.RemoveLane
                || change instanceof Change.PutInbound;
    }

    private void active(SessionKey lane) {
        activity.remove(lane);
        activity.put(lane, batches);
    }

    private void outdate(SessionId session) {
        looks.getOrDefault(session, List.of()).forEach(look -> look.outdated = true);
    }

    private static Tail tail(Optional<Session> session, List<StoredMessage> messages, boolean whole) {
        int from = Math.max(0, messages.size() - MOST_MESSAGES);
        return new Tail(session, messages.subList(from, messages.size()), whole && from == 0);
    }

    /** Notes a lane as it is. */
    synchronized void know(Lane lane) {
        Optional<SessionId> before =
                lanes.find(lane.key()).map(there -> there.entry().sessionId());
        lanes.know(lane);
        SessionId session = lane.entry().sessionId();
        before.filter(left -> !left.equals(session)).ifPresent(this::leave);
        if (tails.containsKey(session)) {
            tailed.putIfAbsent(session, lane.key());
        }
    }

    private void forgetLane(SessionKey key) {
        Optional<SessionId> before = lanes.find(key).map(there -> there.entry().sessionId());
        lanes.forget(key);
        before.ifPresent(this::leave);
    }

    /** A lane has left a session, which another may still have. */
    private void leave(SessionId session) {
        if (tails.containsKey(session)) {
            lanes.ofSession(session)
                    .ifPresentOrElse(other -> tailed.put(session, other.key()), () -> tailed.remove(session));
        }
    }

    /** Notes messages that were received before what is known, oldest first. */
    synchronized void receivedBefore(Collection<Inbound> before) {
        Map<PlatformMessage, Inbound> since = new LinkedHashMap<>(received);
        received.clear();
        before.forEach(i -> {
            i.platformMessage().ifPresent(m -> received.put(m, i));
            ordinal(i.lane(), i.ordinal());
        });
        since.forEach((message, inbound) -> {
            received.remove(message);
            received.put(message, inbound);
        });
    }

    /** Notes the greatest ordinal of a lane. */
    synchronized void ordinal(SessionKey key, long last) {
        long before = lastOrdinal(key);
        ordinals.remove(key);
        ordinals.put(key, Math.max(before, last));
    }

    /** Returns the greatest ordinal of a lane that is known, or 0. */
    synchronized long lastOrdinal(SessionKey key) {
        Long known = ordinals.get(key);
        if (known != null || ordinals.size() < MOST_UNPACKED) {
            return known == null ? 0 : known;
        }
        return waiting.values().stream()
                .filter(inbound -> inbound.lane().equals(key))
                .mapToLong(Inbound::ordinal)
                .max()
                .orElse(0);
    }

    synchronized Optional<Inbound> received(PlatformMessage message) {
        return Optional.ofNullable(received.get(message));
    }

    synchronized Optional<Tail> tail(SessionId session) {
        return Optional.ofNullable(tails.get(session));
    }

    /** Returns where the platforms' cursors stand. */
    synchronized Map<CursorName, String> cursors() {
        return Collections.unmodifiableMap(new TreeMap<>(cursors));
    }

    /** Returns every admitted message, by lane and ordinal. */
    synchronized List<Inbound> admitted() {
        return waiting.values().stream()
                .filter(i -> i.state() == Inbound.State.ADMITTED)
                .sorted(Comparator.comparing(Inbound::lane).thenComparingLong(Inbound::ordinal))
                .toList();
    }

    /** Returns a message that waits or belongs to a turn that runs. */
    synchronized Optional<Inbound> waiting(InboundId id) {
        return Optional.ofNullable(waiting.get(id));
    }

    /** Returns every claimed turn, by lane, then start, then id. */
    synchronized List<Turn> claimed() {
        return claimed.values().stream()
                .sorted(Comparator.comparing(Turn::lane)
                        .thenComparing(Turn::startedAt)
                        .thenComparing(turn -> turn.id().value()))
                .toList();
    }

    /** Returns a claimed turn. */
    synchronized Optional<Turn> claimed(TurnId id) {
        return Optional.ofNullable(claimed.get(id));
    }

    /** Returns what is to be delivered, in the order it was first stored. */
    synchronized List<Outgoing> undelivered() {
        return List.copyOf(undelivered.values());
    }

    /** Returns what was received last, at most so many, newest first. */
    synchronized List<Inbound> lastReceived(int most) {
        List<Inbound> all = new ArrayList<>(received.values());
        Collections.reverse(all);
        return List.copyOf(all.subList(0, Math.min(most, all.size())));
    }

    /** Returns what waits, runs and is to be delivered, and how far the platforms were read, as changes that store it elsewhere. */
    synchronized List<Change> underWay() {
        List<Change> changes = new ArrayList<>();
        waiting.values().forEach(i -> changes.add(new Change.PutInbound(i)));
        claimed.values().forEach(t -> changes.add(new Change.PutTurn(t)));
        undelivered.values().forEach(o -> changes.add(new Change.PutOutgoing(o)));
        cursors.forEach((name, value) -> changes.add(new Change.PutCursor(name, Optional.of(value))));
        return changes;
    }

    /** Returns the lanes that something waits or runs on. */
    synchronized List<SessionKey> busyLanes() {
        List<SessionKey> keys = new ArrayList<>();
        waiting.values().forEach(i -> keys.add(i.lane()));
        claimed.values().forEach(t -> keys.add(t.lane()));
        undelivered.values().forEach(o -> o.lane().ifPresent(keys::add));
        return keys.stream().distinct().sorted().toList();
    }

    private final class Noting implements Change.Visitor {
        @Override
        public void createSession(Change.CreateSession change) {
            outdate(change.session().id());
            if (!tails.containsKey(change.session().id())) {
                keep(change.session().id(), new Tail(Optional.of(change.session()), List.of(), true));
            }
        }

        @Override
        public void editSession(Change.EditSession change) {
            outdate(change.session());
            @Nullable Tail tail = tails.get(change.session());
            if (tail != null) {
                // What the edit left is read again when it is needed; the conversation itself stays as it is.
                tails.put(change.session(), new Tail(Optional.empty(), tail.messages(), tail.whole()));
            }
        }

        @Override
        public void deleteSession(Change.DeleteSession change) {
            outdate(change.session());
            drop(change.session());
        }

        @Override
        public void putLane(Change.PutLane change) {
            know(change.lane());
            active(change.lane().key());
        }

        @Override
        public void touchLane(Change.TouchLane change) {
            lanes.find(change.lane()).ifPresent(lane -> {
                SessionEntry touched = change.applyTo(lane.entry());
                if (!touched.equals(lane.entry())) {
                    lanes.know(new Lane(touched, lane.epoch()));
                }
            });
            active(change.lane());
        }

        @Override
        public void removeLane(Change.RemoveLane change) {
            forgetLane(change.lane());
            activity.remove(change.lane());
        }

        @Override
        public void appendMessages(Change.AppendMessages change) {
            outdate(change.session());
            tails.computeIfPresent(change.session(), (id, tail) -> {
                List<StoredMessage> messages = new ArrayList<>(tail.messages());
                Set<MessageId> there = new HashSet<>();
                messages.forEach(m -> there.add(m.message().id()));
                long next = messages.isEmpty()
                        ? 1
                        : messages.get(messages.size() - 1).sequence() + 1;
                for (var message : change.messages()) {
                    if (there.add(message.id())) {
                        messages.add(new StoredMessage(next, id, message, StoredMessage.State.ACTIVE));
                        next++;
                    }
                }
                return tail(tail.session(), messages, tail.whole());
            });
        }

        @Override
        public void hideMessages(Change.HideMessages change) {
            outdate(change.session());
            tails.computeIfPresent(
                    change.session(),
                    (id, tail) -> new Tail(
                            tail.session(),
                            tail.messages().stream()
                                    .filter(m -> !change.messages()
                                            .contains(m.message().id()))
                                    .toList(),
                            tail.whole()));
        }

        @Override
        public void replaceMessages(Change.ReplaceMessages change) {
            outdate(change.session());
            drop(change.session());
        }

        @Override
        public void importMessages(Change.ImportMessages change) {
            change.messages().forEach(m -> {
                outdate(m.session());
                drop(m.session());
            });
        }

        @Override
        public void addUsage(Change.AddUsage change) {
            // Totals are added up by the store; a session that is being read may have had others.
            outdate(change.session());
        }

        @Override
        public void putInbound(Change.PutInbound change) {
            Inbound inbound = change.inbound();
            if (inbound.state() == Inbound.State.ADMITTED || inbound.state() == Inbound.State.CLAIMED) {
                waiting.put(inbound.id(), inbound);
            } else {
                waiting.remove(inbound.id());
            }
            inbound.platformMessage().ifPresent(m -> received.put(m, inbound));
            ordinal(inbound.lane(), inbound.ordinal());
            active(inbound.lane());
        }

        @Override
        public void putTurn(Change.PutTurn change) {
            if (change.turn().state() == Turn.State.CLAIMED) {
                claimed.put(change.turn().id(), change.turn());
            } else {
                claimed.remove(change.turn().id());
            }
        }

        @Override
        public void putOutgoing(Change.PutOutgoing change) {
            Outgoing.State state = change.outgoing().state();
            if (state == Outgoing.State.PENDING || state == Outgoing.State.ATTEMPTED) {
                undelivered.put(change.outgoing().id(), change.outgoing());
            } else {
                undelivered.remove(change.outgoing().id());
            }
        }

        @Override
        public void appendHistory(Change.AppendHistory change) {
            // History is only read from the store.
        }

        @Override
        public void putMeta(Change.PutMeta change) {
            // Named values are only read from the store.
        }

        @Override
        public void forget(Change.Forget change) {
            // What is under way is never forgotten.
        }

        @Override
        public void putCursor(Change.PutCursor change) {
            change.value()
                    .ifPresentOrElse(value -> cursors.put(change.name(), value), () -> cursors.remove(change.name()));
        }

        @Override
        public void putUsage(Change.PutUsage change) {
            // Usage is only read from the store.
        }

        @Override
        public void takeLane(Change.TakeLane change) {
            // Holds are only read from the store: gateways that share a store stop when it is away.
        }

        @Override
        public void leaveLane(Change.LeaveLane change) {
            // As above.
        }

        @Override
        public void postInbound(Change.PostInbound change) {
            Inbound posted = change.inbound();
            putInbound(new Change.PutInbound(posted.at(lastOrdinal(posted.lane()) + 1)));
        }
    }
}
