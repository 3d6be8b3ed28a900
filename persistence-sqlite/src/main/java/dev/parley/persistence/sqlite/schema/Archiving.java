package dev.parley.persistence.sqlite.schema;

import java.sql.Connection;
import java.sql.SQLException;

/** The column that marks sessions that were put away, with the name and meaning of later versions (storage 1.8). */
public final class Archiving {
    private Archiving() {}

    /** Adds it where it is absent, inside the caller's transaction. No session is put away until it is marked. */
    public static void prepare(Connection writer) throws SQLException {
        Ddl.addAbsent(writer, SharedSchema.ARCHIVING);
    }
}
