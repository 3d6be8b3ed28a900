import org.jspecify.annotations.NullMarked;

/** Storage in PostgreSQL, found by the application as a service. */
@NullMarked
module dev.parley.persistence.postgres {
    requires com.fasterxml.jackson.databind;
    requires com.zaxxer.hikari;
    requires dev.parley.application;
    requires dev.parley.persistence.sql;
    requires java.logging;
    requires java.sql;
    requires org.jooq;
    requires org.postgresql.jdbc;
    requires static org.checkerframework.checker.qual;
    requires static org.jspecify;

    provides dev.parley.application.spi.StorageProvider with
            dev.parley.persistence.postgres.PostgresStorageProvider;
}
