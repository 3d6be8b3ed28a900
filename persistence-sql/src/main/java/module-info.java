import org.jspecify.annotations.NullMarked;

/** What the storages in SQL databases share; they are compiled after it. */
@NullMarked
@SuppressWarnings("module")
module dev.parley.persistence.sql {
    requires transitive com.fasterxml.jackson.databind;
    requires transitive dev.parley.application;
    requires transitive java.sql;
    requires transitive org.jooq;
    requires static org.jspecify;

    exports dev.parley.persistence.sql.json to
            dev.parley.persistence.postgres,
            dev.parley.persistence.sqlite;
    exports dev.parley.persistence.sql.read to
            dev.parley.persistence.postgres,
            dev.parley.persistence.sqlite;
    exports dev.parley.persistence.sql.row to
            dev.parley.persistence.postgres,
            dev.parley.persistence.sqlite;
    exports dev.parley.persistence.sql.statement to
            dev.parley.persistence.postgres,
            dev.parley.persistence.sqlite;
    exports dev.parley.persistence.sql.table to
            dev.parley.persistence.postgres,
            dev.parley.persistence.sqlite;
}
