package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.ChatBacklog;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.LookupFailed;
import dev.parley.adapter.kit.flow.Remembered;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** One conversation: what it is, up to where it is settled, and how what is told of it is read. Safe for concurrent use. */
final class Conversation implements ChatBacklog.Chat<Told, Incoming> {
    private static final int MOST_REMEMBERED = 2_000;
    /** Slack offers again for so long what was not acknowledged, so it may come behind what was written after it. */
    private static final Duration OVERLAP = Duration.ofMinutes(5);

    private final String channel;
    private final Conversations host;
    private final ChatBacklog<Told, Incoming> backlog;
    private final Map<String, Boolean> threads = Remembered.byName(MOST_REMEMBERED);
    private Place place = Place.NONE;
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

    /** Notes what kind of conversation it is. */
    synchronized void is(String kind) {
        if (place.kind().isEmpty()) {
            place = place.of(kind);
        }
    }

    /** Returns the latest message that is settled, as it is kept. */
    synchronized Optional<Timestamp> at() {
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
                String kind = place.kind();
                place = kept.orElse(place);
                place = place.kind().isEmpty() ? place.of(kind) : place;
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

    /** Returns that without room it is left to the history and to Slack, and so is what comes behind it, for the order. */
    @Override
    public ChatBacklog.Room room(Told told, boolean more) {
        return more ? ChatBacklog.Room.WAITS : ChatBacklog.Room.AGAIN;
    }

    @Override
    public List<Told> written() throws LookupFailed {
        load();
        Timestamp oldest;
        Set<String> roots;
        synchronized (this) {
            // What nobody has answered before counts from when the gateway began to listen.
            oldest = place.at().map(at -> at.minus(OVERLAP)).orElseGet(host::unseen);
            roots = new LinkedHashSet<>(place.threads().keySet());
        }
        return host.history().since(channel, oldest, roots).stream()
                .flatMap(message -> Told.history(channel, message).stream())
                .toList();
    }

    @Override
    public Incoming read(Told told) throws LookupFailed {
        String kind = kind(told);
        try {
            return host.reader().read(told, kind, new Replies(told));
        } catch (RuntimeException e) {
            return new Incoming.Unreadable("it cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** Returns what kind of conversation it is: as the event says, as is known, as Slack says, as its id begins. */
    private String kind(Told told) {
        synchronized (this) {
            if (!place.kind().isEmpty()) {
                return place.kind();
            }
        }
        String said = told.json().path("channel_type").asText();
        String kind = said.equals("im") || said.equals("mpim")
                ? said
                : channel.startsWith("D")
                        ? "im"
                        : said.equals("channel")
                                ? said
                                : host.directory().kind(channel).orElse("channel");
        is(kind);
        return kind;
    }

    @Override
    public CompletionStage<Settlement> handIn(Told told, Incoming incoming) {
        return host.handIn(told, incoming);
    }

    @Override
    public Incoming leftOut(Told told, Throwable failure) {
        host.warn("A message in " + channel + " was left out: the gateway failed with it, with a "
                + failure.getClass().getSimpleName() + ".");
        return new Incoming.PassedOver("the gateway fails with it");
    }

    @Override
    public void settled(Told told, Incoming incoming) {
        if (told.kind() != Told.Kind.MESSAGE) {
            return;
        }
        Place now;
        synchronized (this) {
            Place before = place;
            place = told.at().filter(host::isPast).map(place::settled).orElse(place);
            if (incoming instanceof Incoming.Message message) {
                place = message.message()
                        .source()
                        .threadId()
                        .flatMap(root -> told.at().map(ts -> place.within(root, ts)))
                        .orElse(place);
            }
            if (place.equals(before)) {
                return;
            }
            now = place;
        }
        host.keep(channel, now);
    }

    /** The thread of a message, asked for once. */
    private final class Replies implements Reader.InThread {
        private final String root;
        private Optional<List<JsonNode>> said = Optional.empty();

        Replies(Told told) {
            this.root = told.json().path("thread_ts").asText();
        }

        private boolean isOurs() {
            synchronized (Conversation.this) {
                return place.threads().containsKey(root);
            }
        }

        @Override
        public boolean participates() throws LookupFailed {
            if (isOurs()) {
                return true;
            }
            Boolean known = threads.get(root);
            if (known != null) {
                return known;
            }
            boolean ours = said().stream().anyMatch(host::isOurs);
            threads.put(root, ours);
            return ours;
        }

        @Override
        public List<JsonNode> before() {
            if (isOurs()) {
                return List.of();
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
                said = Optional.of(host.history().thread(channel, root));
            }
            return said.get();
        }
    }
}
