package dev.parley.application.degrade;

import dev.parley.application.degrade.DegradingStorage.Degradation;
import dev.parley.application.spi.StorageCare;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** The care of the primary; while degraded only how that is. */
final class CareReads implements StorageCare {
    private final Reading reading;
    private final Supplier<Optional<Degradation>> degradation;
    private final Spill spill;

    CareReads(Reading reading, Supplier<Optional<Degradation>> degradation, Spill spill) {
        this.reading = reading;
        this.degradation = degradation;
        this.spill = spill;
    }

    @Override
    public Map<String, String> status() {
        Optional<Degradation> now = degradation.get();
        if (now.isEmpty()) {
            return reading.any(s -> s.care().status());
        }
        Map<String, String> status = new LinkedHashMap<>();
        status.put("mode", "degraded");
        status.put("degraded_since", now.get().since().toString());
        status.put("degraded_because", now.get().why());
        status.put("damaged", Boolean.toString(now.get().damaged()));
        status.put("spilled_batches", Long.toString(spill.size()));
        return status;
    }

    @Override
    public List<String> check(BiConsumer<Long, Long> progress) {
        return reading.whole("A check", s -> s.care().check(progress));
    }

    @Override
    public List<String> repair(BiConsumer<Long, Long> progress) {
        return reading.whole("A repair", s -> s.care().repair(progress));
    }

    @Override
    public long compact() {
        return reading.whole("Unused space", s -> s.care().compact());
    }
}
