package dev.parley.application.degrade;

import dev.parley.application.spi.Health;
import dev.parley.application.spi.StorageMaintenance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The maintenance of the primary; while degraded only {@link #health} and {@link #status} answer. */
final class DegradingMaintenance implements StorageMaintenance {
    private final Reading reading;
    private final Supplier<Health> health;
    private final Supplier<Optional<Long>> lanesLearnt;
    private final Consumer<Runnable> whenWhole;

    /** {@code lanesLearnt} tells how many lanes are known so far, as long as not all are. */
    DegradingMaintenance(
            Reading reading,
            Supplier<Health> health,
            Supplier<Optional<Long>> lanesLearnt,
            Consumer<Runnable> whenWhole) {
        this.reading = reading;
        this.health = health;
        this.lanesLearnt = lanesLearnt;
        this.whenWhole = whenWhole;
    }

    @Override
    public Health health() {
        return health.get();
    }

    @Override
    public void whenWhole(Runnable task) {
        whenWhole.accept(task);
    }

    @Override
    public boolean resumesAtTip() {
        return reading.either(s -> s.maintenance().resumesAtTip(), spill -> false);
    }

    @Override
    public Map<String, String> status() {
        return reading.either(s -> whole(s.maintenance().status()), spill -> meanwhile());
    }

    private Map<String, String> whole(Map<String, String> primary) {
        Map<String, String> status = new LinkedHashMap<>(primary);
        lanesLearnt.get().ifPresent(count -> status.put("lanes_learnt", count + " so far"));
        return status;
    }

    private Map<String, String> meanwhile() {
        Map<String, String> status = new LinkedHashMap<>();
        status.put("mode", "degraded");
        health().degraded().ifPresent(how -> {
            status.put("degraded_since", how.since().toString());
            status.put("degraded_because", how.why());
            status.put("damaged", Boolean.toString(how.damaged()));
            how.waiting().ifPresent(waiting -> status.put("spilled_batches", Long.toString(waiting)));
            how.refusing().ifPresent(why -> status.put("refusing_because", why));
        });
        return status;
    }

    @Override
    public List<String> risks() {
        return reading.either(s -> s.maintenance().risks(), spill -> List.of());
    }

    @Override
    public List<String> check(BiConsumer<Long, Long> progress) {
        return reading.unlocked("A check").maintenance().check(progress);
    }

    @Override
    public List<String> repair(BiConsumer<Long, Long> progress) {
        return reading.unlocked("A repair").maintenance().repair(progress);
    }

    @Override
    public List<String> arrange(Arrangement arrangement, BiConsumer<Long, Long> progress) {
        return reading.unlocked("Another layout").maintenance().arrange(arrangement, progress);
    }

    @Override
    public void finishDeletions(BiConsumer<Long, Long> progress) {
        reading.unlocked("What deleted sessions left behind").maintenance().finishDeletions(progress);
    }

    @Override
    public long compact() {
        return reading.unlocked("Unused space").maintenance().compact();
    }
}
