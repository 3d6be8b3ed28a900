package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.sql.table.LaneTables;
import dev.parley.persistence.sql.table.QueueTables;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.table.ExtraTables;
import dev.parley.persistence.sqlite.table.MessageTable;
import dev.parley.persistence.sqlite.table.MetaTable;
import dev.parley.persistence.sqlite.table.OrdinalTable;
import dev.parley.persistence.sqlite.table.SessionTable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The declarations, the database they make, and the names that statements use, say the same. */
class DeclarationsTest {
    @TempDir
    Path folder;

    static Stream<Arguments> namesInStatements() {
        return Stream.of(
                Arguments.of(SessionTable.TABLE, SessionTable.ALL),
                Arguments.of(MessageTable.TABLE, MessageTable.ALL),
                Arguments.of(MetaTable.TABLE, MetaTable.ALL),
                Arguments.of(LaneTables.Lanes.TABLE, LaneTables.Lanes.ALL),
                Arguments.of(LaneTables.History.TABLE, LaneTables.History.ALL),
                Arguments.of(ExtraTables.Sessions.TABLE, ExtraTables.Sessions.ALL),
                Arguments.of(ExtraTables.Messages.TABLE, ExtraTables.Messages.ALL),
                Arguments.of(ExtraTables.Writers.TABLE, ExtraTables.Writers.ALL),
                Arguments.of(QueueTables.Inbounds.TABLE, QueueTables.Inbounds.ALL),
                Arguments.of(OrdinalTable.TABLE, OrdinalTable.ALL),
                Arguments.of(QueueTables.Turns.TABLE, QueueTables.Turns.ALL),
                Arguments.of(QueueTables.Outgoings.TABLE, QueueTables.Outgoings.ALL));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("namesInStatements")
    void statementsNameTheColumnsThereAre(Table<Record> table, List<Field<?>> fields) throws SQLException {
        Path file = folder.resolve("state.db");
        new Openings().write(file).close();

        assertThat(Sql.column(file, "SELECT name FROM pragma_table_info('" + table.getName() + "') ORDER BY cid"))
                .containsExactlyElementsOf(fields.stream().map(Field::getName).toList());
        assertThat(Sql.column(file, "SELECT type FROM pragma_table_info('" + table.getName() + "') ORDER BY cid"))
                .containsExactlyElementsOf(
                        fields.stream().map(DeclarationsTest::storageClass).toList());
    }

    @Test
    void theDeclarationsMakeAWorkingDatabaseInH2Too() throws SQLException {
        try (Connection connection = H2Schema.connect("declarations")) {
            H2Schema.create(connection);
            H2Schema.addHidingColumns(connection);

            try (var statement = connection.createStatement()) {
                statement.execute("INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1.5)");
                statement.execute(
                        "INSERT INTO messages (session_id, role, \"timestamp\") VALUES ('s', 'user', 1.5), ('s', 'user', 2)");
            }
            assertThat(Sql.rows(connection, "SELECT id, active, compacted FROM messages ORDER BY id"))
                    .containsExactly(
                            Map.of("id", 1L, "active", 1L, "compacted", 0L),
                            Map.of("id", 2L, "active", 1L, "compacted", 0L));
        }
    }

    private static String storageClass(Field<?> field) {
        if (field.getType() == String.class) {
            return "TEXT";
        }
        return field.getType() == Double.class ? "REAL" : "INTEGER";
    }
}
