package dev.parley.home;

import dev.parley.application.degrade.Primary;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A storage at an address, opened again after it failed. */
record ReopenedPrimary(StorageAt at, UnaryOperator<Storage> taking) implements Primary {
    @Override
    public Storage open() {
        return taking.apply(at.in(Mode.READ_WRITE).open());
    }

    @Override
    public Storage reopen(Consumer<Storage> look) {
        // Opening to read fails where the store is gone, instead of making a new one in its place.
        try (Storage there = at.in(Mode.READ_ONLY).open()) {
            look.accept(there);
        }
        return open();
    }
}
