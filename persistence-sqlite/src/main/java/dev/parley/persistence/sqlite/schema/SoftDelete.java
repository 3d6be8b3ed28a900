package dev.parley.persistence.sqlite.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** The columns that hide messages, with the names and meaning of later versions (storage 4.5). */
public final class SoftDelete {
    private SoftDelete() {}

    /** Returns whether a writing connection sees these columns, so whether any message may be hidden. */
    public static boolean isPossible(Connection writer) throws SQLException {
        return FileStructure.read(writer).hidesMessages();
    }

    /** Adds those that are absent, inside the caller's transaction. Every message is active until it is hidden. */
    public static void prepare(Connection writer) throws SQLException {
        FileStructure found = FileStructure.read(writer);
        try (Statement statement = writer.createStatement()) {
            for (Map.Entry<String, List<Column>> entry : SharedSchema.SOFT_DELETE.entrySet()) {
                for (Column column : entry.getValue()) {
                    if (!found.has(entry.getKey(), column.name())) {
                        statement.execute(Ddl.add(entry.getKey(), column));
                    }
                }
            }
        }
    }
}
