package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayOperations;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.spi.ProviderSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Checks the storage beside the gateway's work, once at a time; what the last check found is kept until the next. Safe for concurrent use. */
final class StorageCheck {
    private static final int PARTS = 200;

    private final GatewayInspection gateway;
    private final InstantSource clock;
    private final Executor executor;
    private final Consumer<String> warnings;
    private final Runnable told;
    private Optional<Standing> latest = Optional.empty();

    /**
     * How a check stands.
     *
     * @param done steps that are done
     * @param total steps there are; 0 while that is not known
     * @param problems what is wrong; empty while it runs and where nothing is
     * @param failure why it could not go on; empty where it could
     * @param endedAt when it ended; absent while it runs
     */
    record Standing(long done, long total, List<String> problems, String failure, Optional<Instant> endedAt) {
        boolean isRunning() {
            return endedAt.isEmpty();
        }
    }

    /**
     * Makes it.
     *
     * @param settings time, threads and the gateway
     * @param told told that a check has come further
     */
    StorageCheck(ProviderSettings settings, Runnable told) {
        this.gateway = settings.inspection();
        this.clock = settings.clock();
        this.executor = settings.executor();
        this.warnings = settings.warnings();
        this.told = told;
    }

    /** Returns how the check stands that runs or ran last; absent where none was begun. */
    synchronized Optional<Standing> standing() {
        return latest;
    }

    /** Begins a check, unless one runs. */
    void begin() {
        synchronized (this) {
            if (latest.filter(Standing::isRunning).isPresent()) {
                return;
            }
            latest = Optional.of(new Standing(0, 0, List.of(), "", Optional.empty()));
        }
        try {
            executor.execute(this::run);
        } catch (RejectedExecutionException e) {
            end(List.of(), "The gateway stops.");
        }
    }

    private void run() {
        try {
            GatewayOperations operations = gateway.operations().orElseThrow();
            end(operations.check(this::at), "");
        } catch (StorageUnavailable | StorageCorrupt e) {
            end(List.of(), String.valueOf(e.getMessage()));
        } catch (Throwable e) {
            warnings.accept("A check of the storage failed: " + StrippedFailure.line(e));
            end(List.of(), "Something went wrong in the gateway; its log tells more.");
        }
    }

    private void at(long done, long total) {
        boolean further;
        synchronized (this) {
            long before = latest.map(Standing::done).orElse(0L);
            long part = Math.max(1, total / PARTS);
            further = done / part != before / part;
            latest = Optional.of(new Standing(done, total, List.of(), "", Optional.empty()));
        }
        if (further) {
            told.run();
        }
    }

    private void end(List<String> problems, String failure) {
        synchronized (this) {
            Standing before = latest.orElseThrow();
            latest = Optional.of(
                    new Standing(before.done(), before.total(), problems, failure, Optional.of(clock.instant())));
        }
        told.run();
    }
}
