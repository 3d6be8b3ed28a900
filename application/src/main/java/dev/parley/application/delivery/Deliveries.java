package dev.parley.application.delivery;

import dev.parley.application.ability.Asking;
import dev.parley.application.actor.ActorHost;
import dev.parley.application.actor.Actors;
import dev.parley.application.actor.KeyedLocks;
import dev.parley.application.nodes.Membership;
import dev.parley.application.settings.Delivery;
import dev.parley.domain.change.Change;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Delivers stored messages, each chat's in order; returns at once. Safe for concurrent use. */
public final class Deliveries {
    /** How long the messages of a chat wait for those of one batch. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Actors<Chat, ChatOutbox> outboxes;
    private final TurnShows shows;
    private final Membership nodes;
    private final KeyedLocks<Chat> locks;

    /**
     * Nothing to deliver yet.
     *
     * @param host what the outboxes run on
     * @param connections who sends
     * @param settings how
     * @param shows what people see of the turns that are answered
     * @param nodes the gateway's part among those that share its store
     * @param listener told what becomes of messages
     */
    public Deliveries(
            ActorHost host,
            Connections connections,
            Delivery settings,
            TurnShows shows,
            Membership nodes,
            DeliveryListener listener) {
        this.shows = shows;
        this.nodes = nodes;
        this.locks = new KeyedLocks<>(host.timing(), PATIENCE);
        this.outboxes = new Actors<>((chat, gone) ->
                new ChatOutbox(host, connections, settings, shows, nodes, listener, this::connected, gone));
    }

    /**
     * Asks for the chats that a batch has messages to. Whoever stores new messages holds their chats until they are handed over, so that they
     * are delivered in the order in which they were stored. A batch of which the store does not say whether it is stored keeps nobody
     * waiting.
     */
    public KeyedLocks.Lock lock(List<? extends Change> changes) {
        return locks.ask(changes.stream()
                .filter(Change.PutOutgoing.class::isInstance)
                .map(change -> Chat.of(((Change.PutOutgoing) change).outgoing()))
                .toList());
    }

    /** Delivers a stored message behind those of its chat that were handed over before; one that is on its way is left alone. */
    public void add(Outgoing message) {
        add(message, () -> {});
    }

    /**
     * Delivers a stored message.
     *
     * @param attempted told, from any thread, once its first attempt has ended, or is put off, or takes longer than is worth waiting
     */
    public void add(Outgoing message, Runnable attempted) {
        expect(message);
        outboxes.on(Chat.of(message), outbox -> outbox.take(message, List.of(), attempted), ChatOutbox::offer);
    }

    /** From now on a message counts as on its way, though its outbox may come to it later. */
    private void expect(Outgoing message) {
        nodes.use(message);
        shows.backlog().enter(Chat.of(message));
    }

    /**
     * Delivers what is stored and was never handed over, before what was stored later. What is on its way is left alone, and what is sent
     * meanwhile is not sent twice. Where a second look at the store fails, a message may be: better than never.
     *
     * @param missed reads what is not delivered and may never have been handed over
     * @param all reads all that is not delivered, in the order in which it was stored; asked for the order alone
     * @throws dev.parley.application.port.StorageUnavailable where the first look fails
     */
    public void addMissed(Supplier<List<Outgoing>> missed, Supplier<List<Outgoing>> all) {
        Map<Chat, List<Outgoing>> chats = new TreeMap<>();
        missed.get().forEach(message -> {
            expect(message);
            chats.computeIfAbsent(Chat.of(message), c -> new ArrayList<>()).add(message);
        });
        chats.forEach((chat, seen) ->
                outboxes.on(chat, outbox -> outbox.takeMissed(chat, seen, missed, all), ChatOutbox::offer));
    }

    /**
     * Delivers a stored question with answers to choose from, where its platform can show them; else its text alone.
     *
     * @param choices in order; empty where any words will do
     */
    public void ask(Outgoing question, List<Asking.Choice> choices) {
        expect(question);
        outboxes.on(Chat.of(question), outbox -> outbox.take(question, choices, () -> {}), ChatOutbox::offer);
    }

    /**
     * Tries a message's chat again now, where the message waits.
     *
     * @param done told, from any thread, whether it does
     */
    public void tryNow(Outgoing message, CompletableFuture<Boolean> done) {
        outboxes.on(Chat.of(message), outbox -> outbox.tryNow(message.id(), done));
    }

    /**
     * Gives a message up that waits.
     *
     * @param done told, from any thread, whether it was given up: not where it does not wait or is being sent
     */
    public void giveUp(Outgoing message, CompletableFuture<Boolean> done) {
        outboxes.on(Chat.of(message), outbox -> outbox.giveUp(message.id(), done));
    }

    /** A platform has become able to send: what waits for it goes out. */
    public void connected() {
        outboxes.onEach(ChatOutbox::poke);
    }

    /** Messages of lanes that are worked on elsewhere by now are delivered there. */
    public void lost() {
        outboxes.onEach(ChatOutbox::poke);
    }

    /** Returns whether nothing is being sent that could be. */
    public boolean isQuiet() {
        return outboxes.all().stream().allMatch(ChatOutbox::isQuiet);
    }

    /** Returns whether something waits for a chat, so that what is of use only now is not worth sending. */
    public boolean isWaiting(Platform platform, String chatId) {
        return !shows.backlog().isEmpty(new Chat(platform, chatId));
    }
}
