package dev.parley.bootstrap.config;

import java.util.Map;
import java.util.Optional;

/**
 * Where conversations are kept.
 *
 * @param url the storage address, such as {@code sqlite:state.db}
 * @param fallback the address of the fallback while the storage cannot be used; absent switches it off
 * @param options settings of the backend under {@code storage.options}
 */
public record StorageConfiguration(String url, Optional<String> fallback, Map<String, String> options) {
    public StorageConfiguration {
        options = Map.copyOf(options);
    }
}
