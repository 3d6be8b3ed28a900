package dev.parley.contracts.storage;

import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.contracts.level.PartOf;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What every contract of a store stands on. A test gets a store of its own; after the test the store is opened once more and
 * checked.
 */
@PartOf(StorageContract.class)
@ExtendWith({NoSilencedTests.class, StoreExtension.class, ContractReport.class})
public interface StoreContract {
    /**
     * Returns the harness of a store that does not exist yet.
     *
     * @param directory an empty directory for it, removed after the test
     */
    StorageHarness harness(Path directory);

    /** Returns what the backend can do; everything unless this is overridden. */
    default Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }
}
