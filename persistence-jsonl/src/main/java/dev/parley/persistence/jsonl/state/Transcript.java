package dev.parley.persistence.jsonl.state;

import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All messages of one session, in order, hidden ones included. Not safe for concurrent changes. */
public final class Transcript {
    private final List<StoredMessage> rows = new ArrayList<>();
    private final Map<MessageId, Integer> places = new HashMap<>();

    /** Adds a message at the end. */
    void add(StoredMessage message) {
        places.put(message.message().id(), rows.size());
        rows.add(message);
    }

    /** Returns whether there is a message with this id. */
    boolean has(MessageId id) {
        return places.containsKey(id);
    }

    /** Returns the message with this id, or nothing. */
    Optional<StoredMessage> find(MessageId id) {
        return Optional.ofNullable(places.get(id)).map(rows::get);
    }

    /** Hides those of the messages that are active, and returns which they were. */
    List<MessageId> hide(Collection<MessageId> ids, StoredMessage.State as) {
        List<MessageId> hidden = new ArrayList<>();
        for (MessageId id : ids) {
            @Nullable Integer place = places.get(id);
            if (place != null && rows.get(place).isActive()) {
                StoredMessage row = rows.get(place);
                rows.set(place, new StoredMessage(row.sequence(), row.session(), row.message(), as));
                hidden.add(id);
            }
        }
        return hidden;
    }

    /** Hides everything there is so far as standing before a summary. */
    void compactAll() {
        hide(List.copyOf(places.keySet()), StoredMessage.State.COMPACTED);
    }

    /** Takes the active messages away. */
    void removeActive() {
        List<StoredMessage> kept = rows.stream().filter(row -> !row.isActive()).toList();
        rows.clear();
        places.clear();
        kept.forEach(this::add);
    }

    /** Returns every message, in order; the list follows later changes. */
    List<StoredMessage> rows() {
        return rows;
    }

    /** Returns a copy of the active messages, in order. */
    List<StoredMessage> active() {
        List<StoredMessage> active = new ArrayList<>(rows.size());
        for (StoredMessage row : rows) {
            if (row.isActive()) {
                active.add(row);
            }
        }
        return active;
    }
}
