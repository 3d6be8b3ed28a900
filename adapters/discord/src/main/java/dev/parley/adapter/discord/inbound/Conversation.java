package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * What waits in one channel, in the order in which it happened. One thing is handed in at a time, and the next once it is settled. After
 * an absence nothing is handed in until what was written meanwhile has been read. Safe for concurrent use.
 */
final class Conversation {
    /** Something that makes the gateway fail so often is left out: it would fail for ever. */
    private static final int MOST_FAILURES = 3;

    private static final int MOST_REMEMBERED = 2_000;
    private static final Backoff AGAIN = new Backoff(Conversations.LEAST_PAUSE, 5);

    private final String channel;
    private final Conversations host;
    private final List<Item> waiting = new ArrayList<>();
    /** What is settled, each with who wrote it. */
    private final Map<String, String> settled = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };
    /** Events that found no room: the history tells of them. */
    private final List<Event> left = new ArrayList<>();

    private Place place = Place.NONE;
    private Optional<Boolean> takesPart = Optional.empty();
    private boolean loaded;
    private boolean absent = true;
    private boolean looking;
    private boolean busy;
    private int failures;
    private Optional<Timers.Timer> pausing = Optional.empty();

    /** Something that was told and not settled. */
    private static final class Item {
        final Told told;
        final Set<Event> events = new LinkedHashSet<>();
        int failures;

        Item(Told told) {
            this.told = told;
        }
    }

    Conversation(String channel, Conversations host) {
        this.channel = channel;
        this.host = host;
    }

    /** Takes something that an event told. What is settled already settles the event; what waits already settles it later. */
    void take(Told told, Event event) {
        boolean known;
        synchronized (this) {
            known = settled.containsKey(told.id());
            if (!known) {
                boolean room = told.kind() != Told.Kind.MESSAGE || (left.isEmpty() && host.hasRoom());
                Optional<Item> item = room ? Optional.of(add(told)) : waitingAs(told);
                item.ifPresentOrElse(each -> each.events.add(event), () -> left.add(event));
            }
        }
        if (known) {
            event.settle();
        }
        next();
    }

    private Optional<Item> waitingAs(Told told) {
        return waiting.stream().filter(item -> item.told.id().equals(told.id())).findFirst();
    }

    /** Adds in order what does not wait yet. */
    private Item add(Told told) {
        Optional<Item> before = waitingAs(told);
        if (before.isPresent()) {
            return before.get();
        }
        Item item = new Item(told);
        int at = waiting.size();
        while (at > (busy ? 1 : 0) && isBefore(told, waiting.get(at - 1).told)) {
            at--;
        }
        waiting.add(at, item);
        host.waits(1);
        return item;
    }

    private static boolean isBefore(Told told, Told other) {
        return told.at().isPresent()
                && other.at().isPresent()
                && told.at().get().compareTo(other.at().get()) < 0;
    }

    /** Notes that nobody may have heard what was written: it is read before anything else is handed in. */
    synchronized void leave() {
        absent = true;
    }

    /** Notes which message is the last of the channel; where more was written than is settled, that is read. */
    void last(Snowflake id, Snowflake unseen) {
        load();
        synchronized (this) {
            absent = id.compareTo(place.at().orElse(unseen)) > 0;
        }
        next();
    }

    synchronized boolean isWaitedFor() {
        return !waiting.isEmpty();
    }

    /** Returns the latest message that is settled, as it is kept. */
    synchronized Optional<Snowflake> at() {
        return place.at();
    }

    /** Reads the kept place, unless that was done. */
    void load() {
        synchronized (this) {
            if (loaded) {
                return;
            }
        }
        Optional<Place> kept = host.kept(channel);
        synchronized (this) {
            if (!loaded) {
                loaded = true;
                place = kept.orElse(place);
            }
        }
    }

    /** Reads what was written in an absence, and adds it, unless nobody listens now; called by one thread at a time. */
    void look(History history, Snowflake unseen) throws LookupFailed {
        load();
        Snowflake after;
        List<Event> told;
        synchronized (this) {
            if (!host.isListening()) {
                // What is written from now on would not be read: it is looked into once somebody listens.
                absent = true;
                return;
            }
            after = place.at().orElse(unseen);
            absent = false;
            told = List.copyOf(left);
            left.clear();
            looking = true;
        }
        try {
            List<JsonNode> written = history.since(channel, after);
            synchronized (this) {
                for (JsonNode message : written) {
                    Told.history(channel, message)
                            .filter(each -> !settled.containsKey(each.id()))
                            .ifPresent(this::add);
                }
                // They are settled with the last of what the history tells in their place.
                if (waiting.isEmpty()) {
                    told.forEach(Event::settle);
                } else {
                    waiting.get(waiting.size() - 1).events.addAll(told);
                }
            }
        } catch (LookupFailed e) {
            synchronized (this) {
                absent = true;
                left.addAll(told);
            }
            throw e;
        } finally {
            synchronized (this) {
                looking = false;
            }
        }
    }

    /** Does what is next, unless something is under way. */
    void next() {
        Item head;
        synchronized (this) {
            if (busy || looking || pausing.isPresent() || host.isStopped()) {
                return;
            }
            if (absent || !loaded || (waiting.isEmpty() && !left.isEmpty())) {
                if (host.isListening()) {
                    host.lookInto(this);
                }
                return;
            }
            if (waiting.isEmpty()) {
                return;
            }
            busy = true;
            head = waiting.get(0);
        }
        host.execute(() -> handIn(head));
    }

    private void handIn(Item item) {
        CompletionStage<Settlement> stage;
        Incoming incoming;
        try {
            incoming = read(item.told);
            stage = host.handIn(item.told, incoming);
        } catch (LookupFailed e) {
            again(e.retryAfter().orElse(Duration.ZERO));
            return;
        } catch (RuntimeException | Error e) {
            failed(item, e);
            return;
        }
        stage.whenComplete((settlement, failure) -> {
            if (failure != null) {
                failed(item, failure.getCause() == null ? failure : failure.getCause());
            } else if (settlement.again().isPresent()) {
                again(settlement.again().get());
            } else {
                done(item, incoming);
            }
        });
    }

    private Incoming read(Told told) throws LookupFailed {
        try {
            return host.reader().read(told, chat(told), new Surroundings(told));
        } catch (RuntimeException e) {
            return new Incoming.Unreadable("it cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** Returns what the channel is: as was told, as is kept, as the event shows, as Discord says. */
    private Chat chat(Told told) throws LookupFailed {
        Optional<Chat> known = host.directory().known(channel);
        synchronized (this) {
            known = known.or(place::chat);
            if (known.isEmpty()) {
                Optional<String> guild = Chat.text(told.json(), "guild_id");
                boolean shown = told.json().path("channel").has("type");
                known = told.live() && guild.isEmpty()
                        ? Optional.of(Chat.DIRECT)
                        : Optional.of(told.json().path("channel"))
                                .filter(json -> shown)
                                .map(json -> Chat.of(json, guild));
            }
        }
        Chat chat = known.isPresent()
                ? known.get()
                : host.directory()
                        .asked(channel)
                        .orElse(Chat.inGuild(told.json().path("guild_id").asText("")));
        synchronized (this) {
            place = place.of(chat);
        }
        return chat;
    }

    private void failed(Item item, Throwable failure) {
        if (++item.failures < MOST_FAILURES) {
            again(Duration.ZERO);
            return;
        }
        host.warn("A message in channel " + channel + " was left out: the gateway failed with it, with a "
                + failure.getClass().getSimpleName() + ".");
        done(item, new Incoming.PassedOver("the gateway fails with it"));
    }

    private void again(Duration asked) {
        Duration own;
        synchronized (this) {
            busy = false;
            own = AGAIN.pause(failures++, host.ids());
        }
        pause(own.compareTo(asked) > 0 ? own : asked);
    }

    private void pause(Duration time) {
        synchronized (this) {
            pausing = Optional.of(host.after(time, () -> {
                synchronized (this) {
                    pausing = Optional.empty();
                }
                next();
            }));
        }
    }

    private void done(Item item, Incoming incoming) {
        Place now;
        List<Event> events;
        boolean changed;
        synchronized (this) {
            busy = false;
            failures = 0;
            waiting.remove(item);
            settled.put(item.told.id(), History.author(item.told.json()).orElse(""));
            events = List.copyOf(item.events);
            Place before = place;
            if (item.told.kind() == Told.Kind.MESSAGE) {
                place = item.told.at().filter(host::isPast).map(place::settled).orElse(place);
            }
            if (incoming instanceof Incoming.Message
                    && place.chat().filter(each -> each.parent().isPresent()).isPresent()) {
                place = place.joined();
            }
            now = place;
            changed = !place.equals(before);
        }
        host.waits(-1);
        if (changed) {
            host.keep(channel, now);
        }
        if (incoming instanceof Incoming.Message) {
            host.note(channel);
        }
        events.forEach(Event::settle);
        next();
    }

    /** What stands around a message, asked for once. */
    private final class Surroundings implements Reader.Around {
        private final Told told;
        private Optional<List<JsonNode>> said = Optional.empty();

        Surroundings(Told told) {
            this.told = told;
        }

        @Override
        public boolean participates() throws LookupFailed {
            synchronized (Conversation.this) {
                if (place.ours() || takesPart.isPresent()) {
                    return place.ours() || takesPart.get();
                }
            }
            boolean ours = said().stream().anyMatch(host::isOurs);
            synchronized (Conversation.this) {
                takesPart = Optional.of(ours);
            }
            return ours;
        }

        @Override
        public List<JsonNode> before() {
            synchronized (Conversation.this) {
                if (place.ours()) {
                    return List.of();
                }
            }
            try {
                return said();
            } catch (LookupFailed e) {
                // A message is answered without it rather than late.
                return List.of();
            }
        }

        private List<JsonNode> said() throws LookupFailed {
            if (said.isEmpty()) {
                said = Optional.of(host.history().before(channel, told.id()));
            }
            return said.get();
        }

        @Override
        public Optional<String> author(String message) {
            synchronized (Conversation.this) {
                return Optional.ofNullable(settled.get(message)).filter(user -> !user.isEmpty());
            }
        }
    }

    /** Ends waiting. */
    synchronized void stop() {
        pausing.ifPresent(Timers.Timer::cancel);
        pausing = Optional.empty();
        waiting.clear();
    }
}
