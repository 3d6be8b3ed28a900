package dev.parley.application.port;

import dev.parley.domain.source.CursorName;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where a platform's reading of its server stands. A cursor is noted once everything before it is settled; where the process dies
 * before it is stored, the platform reads a little again, and what was received before is recognised. Safe for concurrent use; blocks
 * for no more than a look-up.
 */
public interface Cursors {
    /**
     * Returns where a cursor stands, noted values included; absent where there never was one.
     *
     * @throws StorageUnavailable where that cannot be known now
     * @throws StorageCorrupt where what is stored cannot be read
     */
    Optional<String> get(CursorName name);

    /**
     * Notes where a cursor stands, and returns at once. It is stored soon after, the latest value of a name alone, and tried again
     * until the storage takes it.
     */
    void put(CursorName name, String value);

    /** Returns cursors that are kept as long as the process lives, for platforms without a gateway's storage. */
    static Cursors inMemory() {
        Map<CursorName, String> kept = new ConcurrentHashMap<>();
        return new Cursors() {
            @Override
            public Optional<String> get(CursorName name) {
                return Optional.ofNullable(kept.get(name));
            }

            @Override
            public void put(CursorName name, String value) {
                kept.put(name, value);
            }
        };
    }
}
