package dev.parley.adapter.console;

import dev.parley.application.expiry.PolicyReplay;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs what-ifs: one at a time, in short pieces with a rest behind each that is as long as the piece, so that turns never wait for it.
 * The last one is kept for ten minutes after its end. Safe for concurrent use.
 */
final class WhatIfJobs {
    /** Lanes whose resets are kept one by one. */
    static final int KEPT = 1_000;

    private static final Duration KEPT_FOR = Duration.ofMinutes(10);
    private static final Duration PIECE = Duration.ofMillis(25);
    private static final int PIECE_LANES = 200;
    private static final Duration REST = Duration.ofMillis(1);

    private final GatewayInspection gateway;
    private final InstantSource clock;
    private final Timers timers;
    private final Executor executor;
    private final Consumer<String> warnings;
    private final Consumer<String> told;
    private @Nullable WhatIfJob latest;
    private long made;

    /**
     * Makes it.
     *
     * @param settings time, threads and the gateway
     * @param told takes the id of a job that has come further
     */
    WhatIfJobs(ProviderSettings settings, Consumer<String> told) {
        this.gateway = settings.inspection();
        this.clock = settings.clock();
        this.timers = settings.timers();
        this.executor = settings.executor();
        this.warnings = settings.warnings();
        this.told = told;
    }

    /** Returns the job that runs, or the last one where it ended less than ten minutes ago. */
    synchronized Optional<WhatIfJob> latest() {
        WhatIfJob job = latest;
        if (job != null) {
            Optional<Instant> ended = job.standing().endedAt();
            if (ended.filter(at -> at.plus(KEPT_FOR).isBefore(clock.instant())).isPresent()) {
                latest = null;
            }
        }
        return Optional.ofNullable(latest);
    }

    /** Begins a job; absent where another one runs. */
    synchronized Optional<WhatIfJob> begin(WhatIfJob.Asked asked) {
        if (latest != null && latest.isRunning()) {
            return Optional.empty();
        }
        WhatIfJob job = new WhatIfJob(String.valueOf(++made), asked, clock.instant(), KEPT);
        latest = job;
        try {
            executor.execute(() -> guarded(job, () -> {
                PolicyReplay replay = new PolicyReplay(
                        gateway.laneReads(), gateway.sessions(), gateway.transcripts(), gateway.zone());
                piece(job, replay.walk(asked.policies(), asked.since()));
            }));
        } catch (RejectedExecutionException e) {
            job.end(WhatIfJob.State.FAILED, "The gateway stops.", clock.instant());
        }
        return Optional.of(job);
    }

    /** Ends the job where it runs and has this id; returns whether it did. */
    synchronized boolean cancel(String id) {
        WhatIfJob job = latest;
        boolean cancelled =
                job != null && job.id().equals(id) && job.end(WhatIfJob.State.CANCELLED, "", clock.instant());
        if (cancelled) {
            told.accept(id);
        }
        return cancelled;
    }

    private void piece(WhatIfJob job, PolicyReplay.Walk walk) {
        Instant began = clock.instant();
        Duration took = Duration.ZERO;
        for (int i = 0; i < PIECE_LANES && took.compareTo(PIECE) < 0 && job.isRunning() && !walk.isOver(); i++) {
            job.step(walk);
            took = Duration.between(began, clock.instant());
        }
        if (walk.isOver()) {
            job.end(WhatIfJob.State.DONE, "", clock.instant());
        }
        told.accept(job.id());
        if (job.isRunning()) {
            Duration rest = took.compareTo(REST) < 0 ? REST : took;
            Timers.Timer unused = timers.after(rest, () -> guarded(job, () -> piece(job, walk)));
        }
    }

    private void guarded(WhatIfJob job, Runnable work) {
        try {
            work.run();
        } catch (StorageUnavailable | StorageCorrupt e) {
            failed(job, String.valueOf(e.getMessage()));
        } catch (Throwable e) {
            warnings.accept("A what-if of the console failed: " + StrippedFailure.line(e));
            failed(job, "Something went wrong in the gateway; its log tells more.");
        }
    }

    private void failed(WhatIfJob job, String why) {
        job.end(WhatIfJob.State.FAILED, why, clock.instant());
        told.accept(job.id());
    }
}
