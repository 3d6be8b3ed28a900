package dev.parley.application.degrade;

import dev.parley.application.guard.Guard;
import dev.parley.application.guard.GuardedStorage;
import dev.parley.application.guard.StorageGuard;
import dev.parley.application.port.Journal;
import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.spi.Storage;
import dev.parley.domain.session.Lane;
import java.util.List;
import java.util.Optional;

/**
 * A fallback that throws only what it may, as do its journal, its overlay and what it remembers.
 *
 * @param fallback the fallback
 * @param guard tells why the mirrored lanes cannot be read
 */
record GuardedFallback(Fallback fallback, Guard guard) implements Fallback {
    @Override
    public Journal openJournal() {
        return StorageGuard.part(
                GuardedFallback::name,
                Journal.class,
                StorageGuard.call(GuardedFallback::name, "Fallback.openJournal", fallback::openJournal));
    }

    @Override
    public Storage openOverlay() {
        return GuardedStorage.open(GuardedFallback::name, "Fallback.openOverlay", fallback::openOverlay);
    }

    @Override
    public Optional<KnowledgeLog> openKnowledgeLog() {
        return StorageGuard.call(GuardedFallback::name, "Fallback.openKnowledgeLog", fallback::openKnowledgeLog)
                .map(log -> StorageGuard.part(GuardedFallback::name, KnowledgeLog.class, log));
    }

    @Override
    public Optional<List<Lane>> knownLanes() {
        return guard.get(
                Optional.empty(),
                "The lanes that are mirrored beside the storage cannot be read.",
                () -> StorageGuard.call(GuardedFallback::name, "Fallback.knownLanes", fallback::knownLanes),
                Optional.empty());
    }

    private static String name() {
        return "of the fallback";
    }
}
