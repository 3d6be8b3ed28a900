package dev.parley.application.lane;

import dev.parley.domain.turn.PlatformMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Remembers the latest messages that were turned away, so that each is told of once however often it comes. Safe for concurrent use. */
public final class TurnedAway {
    private static final int REMEMBERED = 10_000;

    private final Map<PlatformMessage, Boolean> told = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PlatformMessage, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Nothing was turned away. */
    public TurnedAway() {}

    /** Returns whether its sender was told; never of a message without an id. */
    boolean isTold(Optional<PlatformMessage> message) {
        synchronized (told) {
            return message.filter(told::containsKey).isPresent();
        }
    }

    /** Its sender has been told. */
    void tell(Optional<PlatformMessage> message) {
        synchronized (told) {
            message.ifPresent(m -> told.put(m, true));
        }
    }
}
