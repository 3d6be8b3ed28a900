package dev.parley.persistence.jsonl;

import dev.parley.application.port.Meta;
import dev.parley.domain.source.CursorName;
import dev.parley.persistence.jsonl.state.Store;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The named values of a store. */
final class JsonlMeta implements Meta {
    private final Store store;

    JsonlMeta(Store store) {
        this.store = store;
    }

    @Override
    public Optional<String> get(String key) {
        return store.read(() -> Optional.ofNullable(store.tables().meta().get(key)));
    }

    @Override
    public Map<String, String> all() {
        return Collections.unmodifiableMap(
                store.read(() -> new TreeMap<>(store.tables().meta())));
    }

    @Override
    public Optional<String> cursor(CursorName name) {
        return store.read(() -> Optional.ofNullable(store.tables().cursors().get(name)));
    }

    @Override
    public Map<CursorName, String> cursors() {
        return Collections.unmodifiableMap(
                store.read(() -> new TreeMap<>(store.tables().cursors())));
    }
}
