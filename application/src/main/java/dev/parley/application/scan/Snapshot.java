package dev.parley.application.scan;

/** Shows a store's sessions and messages as they are at one moment. */
@FunctionalInterface
public interface Snapshot extends SnapshotOf<StoredRows> {}
