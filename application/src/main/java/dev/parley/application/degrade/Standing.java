package dev.parley.application.degrade;

import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.spi.Health;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a degrading storage stands: whole, or degraded since when and why, and what its fallback said last. Any thread may ask; it is changed
 * under the lock of the change-over, or by the one thread that heals.
 */
final class Standing {
    private volatile Optional<Degradation> degradation = Optional.empty();
    /** The merge that is under way. */
    private volatile Optional<Healing> merging = Optional.empty();
    /** Why the fallback cannot be opened. */
    private volatile Optional<String> unopened = Optional.empty();
    /** Why the fallback took nothing the last time. */
    private volatile Optional<String> refused = Optional.empty();

    private Optional<String> told = Optional.empty();
    private int failedChecks;

    /**
     * Why and since when storage is degraded.
     *
     * @param why what the primary said last
     * @param since when it began
     * @param damaged whether it is damaged and must pass its check first
     */
    record Degradation(String why, Instant since, boolean damaged) {}

    boolean isWhole() {
        return degradation.isEmpty();
    }

    /** Returns why and since when it is degraded; absent where it is whole. */
    Optional<Degradation> degradation() {
        return degradation;
    }

    /** Returns it for others; {@code waiting} says how many batches are spilled. */
    Health health(OptionalLong waiting) {
        return degradation
                .<Health>map(now -> new Health.Degraded(
                        now.since(),
                        now.why(),
                        now.damaged(),
                        waiting,
                        merging.map(merge -> OptionalLong.of(merge.merged())).orElse(OptionalLong.empty()),
                        unopened.or(() -> refused)))
                .orElseGet(Health.Whole::new);
    }

    void degrade(ParleyException why, Instant since) {
        degradation = Optional.of(new Degradation(StrippedFailure.told(why), since, why instanceof StorageCorrupt));
        refused = Optional.empty();
        told = Optional.empty();
        failedChecks = 0;
    }

    /**
     * It could not be healed. What is found damaged while it is tried must pass its check from then on.
     *
     * @return whether that is to be told: why it is still degraded was not told before
     */
    boolean staysDegraded(Degradation before, ParleyException why) {
        boolean damaged = before.damaged() || why instanceof StorageCorrupt;
        degradation = Optional.of(new Degradation(StrippedFailure.told(why), before.since(), damaged));
        failedChecks = damaged ? failedChecks + 1 : 0;
        Optional<String> message = Optional.of(StrippedFailure.told(why));
        boolean isNew = !message.equals(told);
        told = message;
        return isNew;
    }

    /** Returns how often running a damaged store has not passed its check. */
    int failedChecks() {
        return failedChecks;
    }

    void isWholeAgain() {
        degradation = Optional.empty();
        refused = Optional.empty();
    }

    void isMerging(Optional<Healing> merge) {
        merging = merge;
    }

    /** The fallback can be opened where {@code why} is absent. */
    void unopened(Optional<String> why) {
        unopened = why;
    }

    /** The fallback took the last batch where {@code why} is absent. */
    void refused(Optional<String> why) {
        refused = why;
    }
}
