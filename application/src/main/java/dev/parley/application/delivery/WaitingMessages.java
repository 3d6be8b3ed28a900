package dev.parley.application.delivery;

import dev.parley.application.ability.Asking;
import dev.parley.application.nodes.Membership;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The stored messages of a chat that are on their way, in order, and those who wait for the first attempt of each. Used by the outbox's
 * own tasks.
 */
final class WaitingMessages {
    private final TurnShows shows;
    private final Membership nodes;
    private final DeliveryListener listener;
    private final Deque<Outgoing> waiting = new ArrayDeque<>();
    private final Map<OutgoingId, Runnable> attempted = new LinkedHashMap<>();
    private final Map<OutgoingId, List<Asking.Choice>> choices = new HashMap<>();

    WaitingMessages(TurnShows shows, Membership nodes, DeliveryListener listener) {
        this.shows = shows;
        this.nodes = nodes;
        this.listener = listener;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Returns the message that is delivered next. */
    Optional<Outgoing> head() {
        return Optional.ofNullable(waiting.peekFirst());
    }

    boolean isHead(Outgoing message) {
        return head().filter(head -> head.id().equals(message.id())).isPresent();
    }

    Optional<Outgoing> find(OutgoingId id) {
        return waiting.stream().filter(message -> message.id().equals(id)).findFirst();
    }

    boolean has(OutgoingId id) {
        return find(id).isPresent();
    }

    /** Returns the answers to choose from that a message is shown with. */
    List<Asking.Choice> choices(OutgoingId id) {
        return choices.getOrDefault(id, List.of());
    }

    /** Takes a message that counts as on its way, unless it is here already; {@code then} runs once its first attempt has ended. */
    void take(Outgoing message, List<Asking.Choice> answers, Runnable then) {
        if (has(message.id())) {
            release(message);
        } else {
            waiting.add(message);
            if (!answers.isEmpty()) {
                choices.put(message.id(), answers);
            }
        }
        attempted.put(message.id(), then);
    }

    /**
     * Takes messages that nobody handed over, before those that were stored later.
     *
     * @param missed the messages, in the order in which they were stored
     * @param begun whether the first of those that wait is on its way, so that it stays the first
     * @param stored reads what is stored for all chats, in that order; what is not among it comes last, and of that {@code missed} first
     */
    void takeMissed(List<Outgoing> missed, boolean begun, Supplier<List<Outgoing>> stored) {
        Set<OutgoingId> order = new LinkedHashSet<>();
        if (begun) {
            head().ifPresent(head -> order.add(head.id()));
        }
        Map<OutgoingId, Outgoing> here = new LinkedHashMap<>();
        missed.forEach(message -> {
            here.put(message.id(), message);
            nodes.use(message);
            shows.backlog().enter(Chat.of(message));
        });
        if (waiting.size() > order.size()) {
            stored.get().forEach(message -> order.add(message.id()));
        }
        waiting.forEach(message -> here.put(message.id(), message));
        waiting.clear();
        order.forEach(id -> Optional.ofNullable(here.remove(id)).ifPresent(waiting::add));
        waiting.addAll(here.values());
    }

    /** The first message is this by now. */
    void replaceHead(Outgoing message) {
        waiting.pollFirst();
        waiting.addFirst(message);
    }

    /** The first message is not on its way any more. */
    void leaveHead() {
        Optional.ofNullable(waiting.pollFirst()).ifPresent(this::left);
    }

    /** Lets go of a message that is not sent any more, wherever it stands. */
    void leave(Outgoing gone) {
        waiting.removeIf(message -> message.id().equals(gone.id()));
        left(gone);
    }

    private void left(Outgoing gone) {
        choices.remove(gone.id());
        release(gone);
    }

    /** A message is not on its way any more, or was handed over twice. */
    void release(Outgoing message) {
        shows.backlog().leave(Chat.of(message));
        if (nodes.release(message)) {
            message.lane().ifPresent(listener::unused);
        }
    }

    /** Tells those who wait for a first attempt that has ended; where one is under way, for that of a message that is gone only. */
    void tellAttempted(boolean underWay) {
        List<OutgoingId> over =
                attempted.keySet().stream().filter(id -> !underWay || !has(id)).toList();
        over.forEach(id -> Optional.ofNullable(attempted.remove(id)).ifPresent(Runnable::run));
    }
}
