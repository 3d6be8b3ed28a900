package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The option that names a database in place of the home's storage. */
final class DatabaseOption {
    @Option(
            names = "--db",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "open this state.db instead of the home's storage")
    private @Nullable Path database;

    /** Returns the database that was named. */
    Optional<Path> named() {
        return Optional.ofNullable(database);
    }

    /** Opens the database that was named, or the home's storage. */
    Storage open(Workplace workplace, Mode mode) {
        return workplace.open(named(), mode);
    }

    /** Opens it to be read. */
    Storage look(Workplace workplace) {
        return workplace.look(named());
    }

    /** Opens it for writing, and only where it is there already. */
    Storage openExisting(Workplace workplace) {
        return workplace.openExisting(named(), Mode.READ_WRITE);
    }

    /** Opens what must be there already for writing, and repairs what the opening itself would fail on. */
    Storage openRepairing(Workplace workplace) {
        return workplace.openRepairing(named());
    }
}
