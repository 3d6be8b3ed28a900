package dev.parley.bootstrap.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where conversations are kept.
 *
 * @param url the storage address, such as {@code sqlite:state.db}
 * @param fallback the address of the fallback while the storage cannot be used; absent switches it off
 * @param busyPatience for how long a lock that another process holds is waited for before the fallback is used
 * @param options settings of the backend under {@code storage.options}
 */
public record StorageConfiguration(
        String url, Optional<String> fallback, Duration busyPatience, Map<String, String> options) {
    public StorageConfiguration {
        options = Map.copyOf(options);
    }

    /** Returns this with one more option for the backend. */
    StorageConfiguration with(String option, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(option, value);
        return new StorageConfiguration(url, fallback, busyPatience, more);
    }
}
