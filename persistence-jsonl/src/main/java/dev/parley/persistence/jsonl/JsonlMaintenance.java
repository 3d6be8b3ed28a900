package dev.parley.persistence.jsonl;

import dev.parley.application.spi.StorageMaintenance;
import dev.parley.persistence.jsonl.state.OpenStore;
import dev.parley.persistence.jsonl.state.StoreCheck;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The maintenance of a directory of session files. */
final class JsonlMaintenance implements StorageMaintenance {
    private final OpenStore open;

    JsonlMaintenance(OpenStore open) {
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
