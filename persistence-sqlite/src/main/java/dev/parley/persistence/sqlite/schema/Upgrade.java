package dev.parley.persistence.sqlite.schema;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.schema.TableShape.IndexShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * What a file lacks, and the way to give it that. Rows of sessions and messages are never rewritten (storage 1.6); only titles
 * that stand twice are told apart (R2).
 *
 * @param found what the file has
 * @param tables declared tables it lacks
 * @param columns declared columns its tables lack, by table
 * @param indexes declared indexes it lacks, by table
 * @param writesVersion whether the version row is to be written
 * @param rebuildsIndex whether the full-text tables are to be made anew
 */
record Upgrade(
        FileStructure found,
        List<TableShape> tables,
        Map<TableShape, List<Column>> columns,
        Map<TableShape, List<IndexShape>> indexes,
        boolean writesVersion,
        boolean rebuildsIndex) {

    /**
     * Returns what is to be done to a file with this structure.
     *
     * @param few whether the messages are so few that their index is made anew at once where it is not whole; where they are many
     *     it is made in the background
     */
    static Upgrade of(FileStructure found, boolean few) {
        List<TableShape> tables = new ArrayList<>();
        Map<TableShape, List<Column>> columns = new java.util.LinkedHashMap<>();
        Map<TableShape, List<IndexShape>> indexes = new java.util.LinkedHashMap<>();
        FileStructure.declared().forEach(table -> {
            if (found.has(table.name())) {
                List<Column> absent = table.columns().stream()
                        .filter(column -> !found.has(table.name(), column.name()))
                        .toList();
                if (!absent.isEmpty()) {
                    columns.put(table, absent);
                }
            } else {
                tables.add(table);
            }
            List<IndexShape> absent = table.indexes().stream()
                    .filter(index -> !found.has(index.name()))
                    .toList();
            if (!absent.isEmpty()) {
                indexes.put(table, absent);
            }
        });
        boolean old = found.version().isPresent() && found.version().getAsLong() < SharedSchema.VERSION;
        return new Upgrade(
                found,
                tables,
                columns,
                indexes,
                old || found.version().isEmpty(),
                old || (few && found.hasKnownIndex() && !found.hasWholeIndex()));
    }

    /** Returns whether there is nothing to be done. */
    boolean isEmpty() {
        return tables.isEmpty()
                && columns.isEmpty()
                && indexes.isEmpty()
                && !writesVersion
                && !rebuildsIndex
                && !isOldParley(found);
    }

    /** Returns whether something that was in the file before Parley is to be changed or added to. */
    boolean changesForeignContent() {
        boolean sharedTable = tables.stream().anyMatch(SharedSchema.TABLES::contains);
        boolean sharedColumn = columns.keySet().stream().anyMatch(SharedSchema.TABLES::contains);
        boolean sharedIndex = indexes.keySet().stream().anyMatch(SharedSchema.TABLES::contains);
        return !found.isEmpty()
                && found.parleyVersion().isEmpty()
                && (sharedTable || sharedColumn || sharedIndex || writesVersion || rebuildsIndex);
    }

    /** Refuses tables of our names that are not ours (R6). */
    void refuseForeign(DatabaseFile file) {
        for (TableShape table : SharedSchema.TABLES) {
            if (found.has(table.name())) {
                for (String column : SharedSchema.CORE.getOrDefault(table.name(), Set.of())) {
                    if (!found.has(table.name(), column)) {
                        throw new StorageCorrupt(
                                "The database " + file + " belongs to another program: its table " + table.name()
                                        + " has no column " + column + "; give another path.",
                                null);
                    }
                }
            }
        }
    }

    /**
     * Does it, inside the caller's transaction.
     *
     * @param done told in one line each what was done
     * @param rows told how many messages are indexed so far
     */
    void apply(Connection writer, Consumer<String> done, LongConsumer rows) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            for (TableShape table : tables) {
                statement.execute(Ddl.create(table));
            }
            for (Map.Entry<TableShape, List<Column>> entry : columns.entrySet()) {
                for (Column column : entry.getValue()) {
                    statement.execute(Ddl.add(entry.getKey().name(), column));
                    done.accept("Added the column " + entry.getKey().name() + "." + column.name() + ".");
                }
            }
            if (indexes.values().stream().anyMatch(absent -> absent.contains(SharedSchema.TITLES))) {
                DuplicateTitles.repair(writer, done);
            }
            for (Map.Entry<TableShape, List<IndexShape>> entry : indexes.entrySet()) {
                for (IndexShape index : entry.getValue()) {
                    statement.execute(Ddl.create(index, entry.getKey().name()));
                }
            }
            writeVersions(statement, done);
        }
        if (rebuildsIndex) {
            long[] indexed = new long[1];
            SearchIndex.rebuild(writer, found.isEmpty() ? IndexForm.COMPACT : found.indexForm(), count -> {
                indexed[0] = count;
                rows.accept(count);
            });
            if (!found.isEmpty()) {
                done.accept("Rebuilt the search index over " + indexed[0] + " messages.");
            }
        }
    }

    private void writeVersions(Statement statement, Consumer<String> done) throws SQLException {
        if (writesVersion) {
            if (found.version().isEmpty()) {
                statement.execute("INSERT INTO schema_version (version) VALUES (" + SharedSchema.VERSION + ")");
            } else {
                statement.execute("UPDATE schema_version SET version = " + SharedSchema.VERSION);
                done.accept("Brought the schema from version " + found.version().getAsLong() + " to "
                        + SharedSchema.VERSION + ".");
            }
        }
        if (found.parleyVersion().isEmpty()) {
            statement.execute("INSERT INTO parley_schema (version) VALUES (" + ParleySchema.VERSION + ")");
        } else if (isOldParley(found)) {
            for (String index : ParleySchema.RETIRED) {
                statement.execute("DROP INDEX IF EXISTS " + index);
            }
            statement.execute("UPDATE parley_schema SET version = " + ParleySchema.VERSION);
            done.accept("Brought Parley's tables from version "
                    + found.parleyVersion().getAsLong() + " to " + ParleySchema.VERSION + ".");
        }
    }

    private static boolean isOldParley(FileStructure found) {
        return found.parleyVersion().isPresent() && found.parleyVersion().getAsLong() < ParleySchema.VERSION;
    }
}
