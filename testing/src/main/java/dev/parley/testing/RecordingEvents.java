package dev.parley.testing;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps every event, in the order told, on the thread on which it happens. Safe for concurrent use. */
public final class RecordingEvents implements GatewayEvents {
    private final List<GatewayEvent> events = new CopyOnWriteArrayList<>();

    /** Nothing has happened yet. */
    public RecordingEvents() {}

    @Override
    public void on(GatewayEvent event) {
        events.add(event);
    }

    @Override
    public boolean neverBlocks() {
        return true;
    }

    /** Returns all events. */
    public List<GatewayEvent> all() {
        return List.copyOf(events);
    }

    /** Returns the events of one kind. */
    public <T extends GatewayEvent> List<T> of(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Forgets the events so far. */
    public void clear() {
        events.clear();
    }
}
