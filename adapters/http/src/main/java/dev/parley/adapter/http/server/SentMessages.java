package dev.parley.adapter.http.server;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TurnQueue;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The latest messages to the chats that somebody asks for. What it holds is only a view: every message is stored before it is sent, so
 * each time it is looked in the store for what is not held yet, which other gateways may have sent. While the store cannot be read a
 * chat that is held is shown as it is known. Safe for concurrent use.
 */
final class SentMessages {
    static final Duration KEPT = Duration.ofDays(7);

    /** How many messages of a chat are read from the store at once. */
    private static final int PAGE = 500;

    /** So many of the latest messages are read again: one that was stored earlier may be sent later. */
    private static final int AGAIN = 50;

    private final int mostChats;
    private final int mostMessages;
    private final Map<Chat, Shelf> shelves = new LinkedHashMap<>(16, 0.75f, true);

    /** Begins empty; holds at most so many chats with at most so many messages each. */
    SentMessages(int mostChats, int mostMessages) {
        this.mostChats = mostChats;
        this.mostMessages = mostMessages;
    }

    private record Chat(Platform platform, String chatId) {}

    private static final class Shelf {
        private final List<Outgoing> messages = new ArrayList<>();
        private boolean read;
        private boolean cut;

        /** Returns behind which message the store is to be read. */
        Optional<OutgoingId> place() {
            int at = messages.size() - 1 - AGAIN;
            if (!read || (at < 0 && !cut)) {
                return Optional.empty();
            }
            return Optional.of(messages.get(Math.max(0, at)).id());
        }

        /** Takes what the store says; what was left out before stays so. */
        void addStored(Outgoing message, int most) {
            boolean leftOut =
                    read && cut && message.createdAt().isBefore(messages.get(0).createdAt());
            if (!leftOut) {
                add(message, most);
            }
        }

        void add(Outgoing message, int most) {
            if (messages.stream().anyMatch(m -> m.id().equals(message.id()))) {
                return;
            }
            messages.add(message);
            if (messages.size() > most) {
                messages.remove(0);
                cut = true;
            }
        }
    }

    /**
     * Messages to a chat, oldest first.
     *
     * @param messages the messages
     * @param gap whether messages between the one asked from and these may be missing
     */
    record Page(List<Outgoing> messages, boolean gap) {}

    /** Takes notice of a message that is being sent. */
    synchronized void sent(Outgoing message) {
        Shelf shelf = shelves.get(new Chat(message.platform(), message.chatId()));
        if (shelf != null) {
            shelf.add(message, mostMessages);
        }
    }

    /**
     * Returns the messages to a chat behind one of them, or all that are kept.
     *
     * @param after the message; where it is not known any more, all are returned and the page says so
     */
    Page read(Platform platform, String chatId, Optional<OutgoingId> after, int limit, TurnQueue queue, Instant now) {
        Chat chat = new Chat(platform, chatId);
        Optional<OutgoingId> place = place(chat);
        try {
            fill(chat, stored(chat, place, queue, now));
        } catch (StorageUnavailable | StorageCorrupt e) {
            if (!isRead(chat)) {
                throw e;
            }
        }
        synchronized (this) {
            Shelf shelf = shelf(chat);
            int from = after.map(id -> indexOf(shelf.messages, id) + 1).orElse(0);
            boolean known = after.isPresent() ? from > 0 : !shelf.cut;
            int to = Math.min(shelf.messages.size(), from + limit);
            return new Page(List.copyOf(shelf.messages.subList(from, to)), !known);
        }
    }

    private static int indexOf(List<Outgoing> messages, OutgoingId id) {
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    /** From here on, what is sent is added, so that nothing is missed while the store is read. */
    private synchronized boolean isRead(Chat chat) {
        return shelf(chat).read;
    }

    private synchronized Optional<OutgoingId> place(Chat chat) {
        return shelf(chat).place();
    }

    private Shelf shelf(Chat chat) {
        Shelf shelf = shelves.computeIfAbsent(chat, c -> new Shelf());
        if (shelves.size() > mostChats) {
            shelves.remove(shelves.keySet().iterator().next());
        }
        return shelf;
    }

    /** Returns the latest of the chat's messages in the store, one more than is kept, so that it shows where some are left out. */
    private List<Outgoing> stored(Chat chat, Optional<OutgoingId> place, TurnQueue queue, Instant now) {
        Deque<Outgoing> stored = new ArrayDeque<>();
        Instant since = now.minus(KEPT);
        Optional<OutgoingId> last = place;
        List<Outgoing> page;
        do {
            page = queue.sentTo(chat.platform(), chat.chatId(), last, PAGE);
            for (Outgoing message : page) {
                last = Optional.of(message.id());
                if (!message.createdAt().isBefore(since)) {
                    stored.add(message);
                }
                if (stored.size() > mostMessages + 1) {
                    stored.remove();
                }
            }
        } while (page.size() == PAGE);
        return List.copyOf(stored);
    }

    private synchronized void fill(Chat chat, List<Outgoing> stored) {
        Shelf shelf = shelf(chat);
        if (shelf.read) {
            stored.forEach(message -> shelf.addStored(message, mostMessages));
            return;
        }
        List<Outgoing> sentMeanwhile = List.copyOf(shelf.messages);
        shelf.messages.clear();
        stored.forEach(message -> shelf.add(message, mostMessages));
        sentMeanwhile.forEach(message -> shelf.add(message, mostMessages));
        shelf.read = true;
    }
}
