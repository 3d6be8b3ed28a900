package dev.parley.application.degrade;

/** By what one store is told from another (commit rule 10). */
public final class StoreId {
    /** The named value that holds a store's id. */
    public static final String NAME = "parley_store_id";

    private StoreId() {}
}
