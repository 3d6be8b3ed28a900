package dev.parley.persistence.sqlite.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.sql.table.LaneTables;
import dev.parley.persistence.sql.table.QueueTables;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The names statements are made with are those of a database as it is made. */
class TableNamesTest {
    @TempDir
    Path folder;

    static Stream<Arguments> tables() {
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

    @ParameterizedTest
    @MethodSource("tables")
    void namesAndTypesAreThoseOfTheDatabase(Table<?> table, List<Field<?>> columns) throws Exception {
        Map<String, String> declared = new LinkedHashMap<>();
        try (OpenDatabase database = new Openings().write(folder.resolve("state.db"));
                PreparedStatement info = database.writer()
                        .orElseThrow()
                        .prepareStatement("select name, type from pragma_table_info(?) order by cid")) {
            info.setString(1, table.getName());
            try (ResultSet rows = info.executeQuery()) {
                while (rows.next()) {
                    declared.put(rows.getString(1), rows.getString(2));
                }
            }
        }
        Map<String, String> named = new LinkedHashMap<>();
        columns.forEach(column -> named.put(column.getName(), type(column)));

        assertThat(named).containsExactlyEntriesOf(declared);
    }

    private static String type(Field<?> column) {
        if (column.getDataType().equals(SQLDataType.BIGINT)
                || column.getDataType().equals(SQLDataType.BOOLEAN)) {
            return "INTEGER";
        }
        return column.getDataType().equals(SQLDataType.DOUBLE) ? "REAL" : "TEXT";
    }
}
