package dev.parley.persistence.sqlite.schema;

import java.util.List;

/**
 * A table as it is declared.
 *
 * @param name its name
 * @param columns its columns, in declared order; a file that was upgraded may have them in another
 * @param references its foreign keys
 * @param indexes its indexes
 */
public record TableShape(String name, List<Column> columns, List<Reference> references, List<IndexShape> indexes) {
    public TableShape {
        columns = List.copyOf(columns);
        references = List.copyOf(references);
        indexes = List.copyOf(indexes);
    }

    /**
     * A foreign key.
     *
     * @param column the column that refers
     * @param table the table it refers to
     * @param target the column it refers to
     */
    public record Reference(String column, String table, String target) {}

    /**
     * An index.
     *
     * @param name its name
     * @param unique whether it refuses equal rows; nulls are never equal
     * @param terms what it orders by
     * @param where the rows it covers, as an SQL condition; empty for all
     */
    public record IndexShape(String name, boolean unique, List<String> terms, String where) {
        public IndexShape {
            terms = List.copyOf(terms);
        }

        IndexShape where(String condition) {
            return new IndexShape(name, unique, terms, condition);
        }

        static IndexShape on(String name, String... terms) {
            return new IndexShape(name, false, List.of(terms), "");
        }

        static IndexShape unique(String name, String... terms) {
            return new IndexShape(name, true, List.of(terms), "");
        }
    }
}
