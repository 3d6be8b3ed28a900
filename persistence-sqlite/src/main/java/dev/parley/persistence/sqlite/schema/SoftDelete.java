package dev.parley.persistence.sqlite.schema;

import java.sql.Connection;
import java.sql.SQLException;

/** The columns that hide messages, with the names and meaning of later versions (storage 4.5). */
public final class SoftDelete {
    private SoftDelete() {}

    /** Returns whether a writing connection sees these columns, so whether any message may be hidden. */
    public static boolean isPossible(Connection writer) throws SQLException {
        return FileStructure.read(writer).hidesMessages();
    }

    /** Adds those that are absent, inside the caller's transaction. Every message is active until it is hidden. */
    public static void prepare(Connection writer) throws SQLException {
        Ddl.addAbsent(writer, SharedSchema.SOFT_DELETE);
    }
}
