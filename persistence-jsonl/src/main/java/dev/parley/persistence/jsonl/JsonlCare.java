package dev.parley.persistence.jsonl;

import dev.parley.application.spi.StorageCare;
import dev.parley.persistence.jsonl.state.OpenStore;
import dev.parley.persistence.jsonl.state.StoreCheck;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The care of a directory of session files. */
final class JsonlCare implements StorageCare {
    private final OpenStore open;

    JsonlCare(OpenStore open) {
        this.open = open;
    }

    @Override
    public Map<String, String> status() {
        return new StoreCheck(open).status();
    }

    @Override
    public List<String> check(BiConsumer<Long, Long> progress) {
        return new StoreCheck(open).check(progress);
    }

    @Override
    public List<String> repair(BiConsumer<Long, Long> progress) {
        return new StoreCheck(open).repair(progress);
    }

    @Override
    public long compact() {
        return new StoreCheck(open).compact();
    }
}
