package org.example.batchlog;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.StorageSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a batch log is opened with.
 *
 * @param file the log
 * @param sync whether a commit waits until the medium has it ({@code storage.options.sync}, true); without, a power failure may
 *     take the last commits along, a killed process does not
 * @param maxBatchBytes the largest batch that is taken ({@code storage.options.max_batch_bytes}, 256 MiB)
 * @param warnings takes one line for everything an operator should know
 */
record BatchLogSettings(Path file, boolean sync, int maxBatchBytes, Consumer<String> warnings) {
    static final Set<String> NAMES = Set.of("sync", "max_batch_bytes");
    private static final int USUAL_MAX_BATCH_BYTES = 256 << 20;

    static BatchLogSettings of(StorageSettings settings) {
        if (settings.address().isBlank()) {
            throw new InvalidRequest("The storage address batchlog: names no file; write batchlog:FILE.");
        }
        return new BatchLogSettings(
                settings.home().resolve(settings.address()).toAbsolutePath().normalize(),
                sync(settings.options()),
                maxBatchBytes(settings.options()),
                settings.warnings());
    }

    private static boolean sync(Map<String, String> options) {
        String value = options.getOrDefault("sync", "true");
        if (!value.equals("true") && !value.equals("false")) {
            throw new InvalidRequest("storage.options.sync is \"" + value + "\"; write true or false.");
        }
        return value.equals("true");
    }

    private static int maxBatchBytes(Map<String, String> options) {
        String value = options.getOrDefault("max_batch_bytes", Integer.toString(USUAL_MAX_BATCH_BYTES));
        try {
            int bytes = Integer.parseInt(value);
            if (bytes > 0) {
                return bytes;
            }
        } catch (NumberFormatException e) {
            // Told below, together with what is too small.
        }
        throw new InvalidRequest(
                "storage.options.max_batch_bytes is \"" + value + "\"; write a number from 1 to 2147483647.");
    }
}
