package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.ChatBacklog;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.LookupFailed;
import dev.parley.adapter.kit.flow.Remembered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One channel: what it is, up to where it is settled, and how what is told of it is read. Safe for concurrent use. */
final class Conversation implements ChatBacklog.Chat<Told, Incoming> {
    private static final int MOST_REMEMBERED = 2_000;

    private final String channel;
    private final Conversations host;
    private final ChatBacklog<Told, Incoming> backlog;
    /** Who wrote what is settled. */
    private final Map<String, String> authors = Remembered.byName(MOST_REMEMBERED);

    private Place place = Place.NONE;
    private Optional<Boolean> takesPart = Optional.empty();
    private boolean loaded;

    Conversation(String channel, Conversations host) {
        this.channel = channel;
        this.host = host;
        this.backlog = host.backlog(this);
    }

    /** Returns what waits in it. */
    ChatBacklog<Told, Incoming> backlog() {
        return backlog;
    }

    /** Notes which message is the last of the channel; where more was written than is settled, that is read. */
    void last(Snowflake id) {
        load();
        backlog.absent(id.compareTo(at().orElseGet(host::unseen)) > 0);
        backlog.next();
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

    @Override
    public String id(Told told) {
        return told.id();
    }

    @Override
    public boolean isBefore(Told told, Told other) {
        return told.at().isPresent()
                && other.at().isPresent()
                && told.at().get().compareTo(other.at().get()) < 0;
    }

    /** Returns that a message without room is left to the history, which tells of nothing else. */
    @Override
    public ChatBacklog.Room room(Told told, boolean more) {
        return more || told.kind() != Told.Kind.MESSAGE ? ChatBacklog.Room.WAITS : ChatBacklog.Room.IN_HISTORY;
    }

    @Override
    public List<Told> written() throws LookupFailed {
        load();
        return host.history().since(channel, at().orElseGet(host::unseen)).stream()
                .flatMap(message -> Told.history(channel, message).stream())
                .toList();
    }

    @Override
    public Incoming read(Told told) throws LookupFailed {
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

    @Override
    public CompletionStage<Settlement> handIn(Told told, Incoming incoming) {
        return host.handIn(told, incoming);
    }

    @Override
    public Incoming leftOut(Told told, Throwable failure) {
        host.warn("A message in channel " + channel + " was left out: the gateway failed with it, with a "
                + failure.getClass().getSimpleName() + ".");
        return new Incoming.PassedOver("the gateway fails with it");
    }

    @Override
    public void settled(Told told, Incoming incoming) {
        History.author(told.json()).ifPresent(user -> authors.put(told.id(), user));
        Place now;
        boolean changed;
        synchronized (this) {
            Place before = place;
            if (told.kind() == Told.Kind.MESSAGE) {
                place = told.at().filter(host::isPast).map(place::settled).orElse(place);
            }
            if (incoming instanceof Incoming.Message
                    && place.chat().filter(each -> each.parent().isPresent()).isPresent()) {
                place = place.joined();
            }
            now = place;
            changed = !place.equals(before);
        }
        if (changed) {
            host.keep(channel, now);
        }
        if (incoming instanceof Incoming.Message) {
            host.note(channel);
        }
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
            return Optional.ofNullable(authors.get(message));
        }
    }
}
