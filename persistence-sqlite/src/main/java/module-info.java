import org.jspecify.annotations.NullMarked;

/** Storage in SQLite, found by the application as a service. */
@NullMarked
module dev.parley.persistence.sqlite {
    requires com.fasterxml.jackson.databind;
    requires dev.parley.application;
    requires dev.parley.persistence.sql;
    requires java.management;
    requires java.sql;
    requires org.jooq;
    requires org.xerial.sqlitejdbc;
    requires static org.jspecify;

    provides dev.parley.application.spi.LaneFileReader with
            dev.parley.persistence.sqlite.SessionsJsonReader;
    provides dev.parley.application.spi.StorageProvider with
            dev.parley.persistence.sqlite.SqliteStorageProvider;
}
