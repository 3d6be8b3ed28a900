package dev.parley.application.degrade;

import dev.parley.application.guard.GuardedStorage;
import dev.parley.application.spi.Storage;
import java.util.function.Consumer;

/**
 * A primary that throws only what it may, as do the stores that it opens.
 *
 * @param primary the primary
 */
record GuardedPrimary(Primary primary) implements Primary {
    @Override
    public Storage open() {
        return GuardedStorage.open(GuardedPrimary::name, "Primary.open", primary::open);
    }

    @Override
    public Storage reopen(Consumer<Storage> look) {
        return GuardedStorage.open(
                GuardedPrimary::name,
                "Primary.reopen",
                () -> primary.reopen(there -> look.accept(GuardedStorage.of(there))));
    }

    private static String name() {
        return "of the primary";
    }
}
