package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Maintains the storage. */
@Command(name = "storage", description = "look at, check, repair, shrink and copy the storage")
final class StorageCommand extends CommandGroup {
    @Mixin
    private final DatabaseOption database = new DatabaseOption();

    StorageCommand(ParleyCommand root) {
        super(root);
    }

    @Override
    public List<Object> commands() {
        return List.of(
                new StorageStatusCommand(this),
                new StorageCheckCommand(this),
                new StorageUpgradeCommand(this),
                new StorageVacuumCommand(this),
                new StorageCopyCommand(this));
    }

    /** Returns the database that was named in place of the home's storage. */
    Optional<Path> database() {
        return database.named();
    }

    /** Opens the storage for looking at it. */
    Storage look() {
        return database.look(workplace());
    }

    /** Opens the storage for changing it; a missing one is not created. */
    Storage change() {
        return database.openExisting(workplace());
    }

    /** Opens the storage for changing it, and repairs what the opening itself would fail on; a missing one is not created. */
    Storage repair() {
        return database.openRepairing(workplace());
    }
}
