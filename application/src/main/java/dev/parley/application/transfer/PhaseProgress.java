package dev.parley.application.transfer;

import dev.parley.application.transfer.CopyProgress.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Measures one phase, and tells how far it is after each batch. Not for concurrent use. */
final class PhaseProgress {
    private final Phase phase;
    private final Optional<Long> total;
    private final Consumer<CopyProgress> progress;
    private final InstantSource clock;
    private final Instant began;
    private long done;

    PhaseProgress(Phase phase, Optional<Long> total, Consumer<CopyProgress> progress, InstantSource clock) {
        this.phase = phase;
        this.total = total;
        this.progress = progress;
        this.clock = clock;
        this.began = clock.instant();
    }

    void stored(long more) {
        done += more;
        double seconds = Duration.between(began, clock.instant()).toMillis() / 1000.0;
        double rate = seconds < 1 ? 0 : done / seconds;
        Optional<Duration> left = rate <= 0
                ? Optional.empty()
                : total.map(t -> Duration.ofSeconds(Math.round(Math.max(0, t - done) / rate)));
        progress.accept(new CopyProgress(phase, done, total, rate, left));
    }
}
