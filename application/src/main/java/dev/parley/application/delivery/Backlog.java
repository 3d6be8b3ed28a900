package dev.parley.application.delivery;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many messages wait for each chat, among them the one that is being sent, from the moment at which they are handed over: an outbox that
 * comes to a message late must not let what is younger be seen before it. Safe for concurrent use.
 */
final class Backlog {
    private final Map<Chat, Integer> waiting = new ConcurrentHashMap<>();

    /** A message waits. */
    void enter(Chat chat) {
        waiting.merge(chat, 1, Integer::sum);
    }

    /** A message waits no longer. */
    void leave(Chat chat) {
        waiting.computeIfPresent(chat, (key, count) -> count > 1 ? count - 1 : null);
    }

    boolean isEmpty(Chat chat) {
        return !waiting.containsKey(chat);
    }
}
