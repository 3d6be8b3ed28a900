package dev.parley.application.degrade;

import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the gateway must know of its primary storage once that cannot be read any more: every lane, what waits and what runs,
 * what was received lately, and the conversations in use. Kept up to date from the batches that are committed. Bounded, but for
 * the lanes. Safe for concurrent use.
 */
final class PrimaryMirror {
    private static final int MOST_TAILS = 500;
    private static final int MOST_MESSAGES = 200;
    private static final int MOST_RECEIVED = 20_000;

    private final Map<SessionKey, Lane> lanes = new TreeMap<>();
    private final Map<InboundId, Inbound> waiting = new LinkedHashMap<>();
    private final Map<TurnId, Turn> claimed = new LinkedHashMap<>();
    private final Map<OutgoingId, Outgoing> undelivered = new LinkedHashMap<>();
    private final Map<SessionKey, Long> ordinals = new HashMap<>();
    private final Map<PlatformMessage, Inbound> received = bounded(MOST_RECEIVED, false);
    private final Map<SessionId, Tail> tails = bounded(MOST_TAILS, true);

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

    private static <K, V> Map<K, V> bounded(int most, boolean byUse) {
        return new LinkedHashMap<>(16, 0.75f, byUse) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /** Learns everything that is kept for good from a store that can be read. */
    void learn(Storage storage) {
        Map<SessionKey, Lane> known = new TreeMap<>();
        storage.lanes().forEach(lane -> known.put(lane.key(), lane));
        List<Inbound> admitted = storage.queue().admitted();
        List<Turn> running = storage.queue().claimed();
        List<Outgoing> leaving = storage.queue().undelivered();
        synchronized (this) {
            lanes.clear();
            lanes.putAll(known);
            waiting.clear();
            admitted.forEach(i -> waiting.put(i.id(), i));
            claimed.clear();
            running.forEach(t -> claimed.put(t.id(), t));
            undelivered.clear();
            leaving.forEach(o -> undelivered.put(o.id(), o));
        }
    }

    /** Notes what was committed. */
    synchronized void committed(List<Change> changes) {
        Noting noting = new Noting();
        changes.forEach(change -> change.accept(noting));
    }

    /** Notes a conversation that was read as a whole. */
    synchronized void read(SessionId session, List<StoredMessage> active) {
        Optional<Session> known = Optional.ofNullable(tails.get(session)).flatMap(Tail::session);
        tails.put(session, tail(known, active, true));
    }

    /** Notes a session that was read. */
    synchronized void read(Session session) {
        Tail before = tails.get(session.id());
        if (before != null) {
            tails.put(session.id(), new Tail(Optional.of(session), before.messages(), before.whole()));
        }
    }

    private static Tail tail(Optional<Session> session, List<StoredMessage> messages, boolean whole) {
        int from = Math.max(0, messages.size() - MOST_MESSAGES);
        return new Tail(session, messages.subList(from, messages.size()), whole && from == 0);
    }

    synchronized Optional<Lane> lane(SessionKey key) {
        return Optional.ofNullable(lanes.get(key));
    }

    /** Notes a lane that is not known better. */
    synchronized void assume(Lane lane) {
        lanes.putIfAbsent(lane.key(), lane);
    }

    /** Notes a lane as it is. */
    synchronized void know(Lane lane) {
        lanes.put(lane.key(), lane);
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
        ordinals.merge(key, last, Math::max);
    }

    /** Returns the greatest ordinal of a lane that is known, or 0. */
    synchronized long lastOrdinal(SessionKey key) {
        return ordinals.getOrDefault(key, 0L);
    }

    synchronized Optional<Lane> laneOf(SessionId session) {
        return lanes.values().stream()
                .filter(l -> l.entry().sessionId().equals(session))
                .findFirst();
    }

    synchronized List<Lane> lanes() {
        return List.copyOf(lanes.values());
    }

    synchronized Optional<Inbound> received(PlatformMessage message) {
        return Optional.ofNullable(received.get(message));
    }

    synchronized Optional<Tail> tail(SessionId session) {
        return Optional.ofNullable(tails.get(session));
    }

    /** Returns what waits, runs and is to be delivered, as changes that store it elsewhere. */
    synchronized List<Change> underWay() {
        List<Change> changes = new ArrayList<>();
        waiting.values().forEach(i -> changes.add(new Change.PutInbound(i)));
        claimed.values().forEach(t -> changes.add(new Change.PutTurn(t)));
        undelivered.values().forEach(o -> changes.add(new Change.PutOutgoing(o)));
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
            tails.putIfAbsent(change.session().id(), new Tail(Optional.of(change.session()), List.of(), true));
        }

        @Override
        public void editSession(Change.EditSession change) {
            @Nullable Tail tail = tails.get(change.session());
            if (tail != null) {
                // What the edit left is read again when it is needed; the conversation itself stays as it is.
                tails.put(change.session(), new Tail(Optional.empty(), tail.messages(), tail.whole()));
            }
        }

        @Override
        public void deleteSession(Change.DeleteSession change) {
            tails.remove(change.session());
        }

        @Override
        public void putLane(Change.PutLane change) {
            lanes.put(change.lane().key(), change.lane());
        }

        @Override
        public void touchLane(Change.TouchLane change) {
            lanes.computeIfPresent(change.lane(), (key, lane) -> {
                SessionEntry touched = change.applyTo(lane.entry());
                return touched.equals(lane.entry()) ? lane : new Lane(touched, lane.epoch());
            });
        }

        @Override
        public void removeLane(Change.RemoveLane change) {
            lanes.remove(change.lane());
        }

        @Override
        public void appendMessages(Change.AppendMessages change) {
            tails.computeIfPresent(change.session(), (id, tail) -> {
                List<StoredMessage> messages = new ArrayList<>(tail.messages());
                long next = messages.isEmpty()
                        ? 1
                        : messages.get(messages.size() - 1).sequence() + 1;
                for (var message : change.messages()) {
                    messages.add(new StoredMessage(next, id, message, StoredMessage.State.ACTIVE));
                    next++;
                }
                return tail(tail.session(), messages, tail.whole());
            });
        }

        @Override
        public void hideMessages(Change.HideMessages change) {
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
            tails.remove(change.session());
        }

        @Override
        public void importMessages(Change.ImportMessages change) {
            change.messages().forEach(m -> tails.remove(m.session()));
        }

        @Override
        public void addUsage(Change.AddUsage change) {
            // Totals are added up by the store.
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
    }
}
