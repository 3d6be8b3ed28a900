package dev.parley.adapter.console;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import java.util.function.Supplier;

/** Reads for a part of a page: the rest of the page stands where one fails. */
final class Reads {
    private Reads() {}

    /** Returns a table, or one that says why it cannot be shown. */
    static Table guarded(String caption, Supplier<Table> made) {
        try {
            return made.get();
        } catch (StorageUnavailable | StorageCorrupt e) {
            return Table.unavailable(caption, Words.reason(String.valueOf(e.getMessage())));
        }
    }

    /** Returns why something cannot be read; empty where it can. */
    static String trying(Runnable read) {
        try {
            read.run();
            return "";
        } catch (StorageUnavailable | StorageCorrupt e) {
            return Words.reason(String.valueOf(e.getMessage()));
        }
    }
}
