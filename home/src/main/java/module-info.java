import org.jspecify.annotations.NullMarked;

/** The home directory of a gateway: its lock, its markers, its threads. */
@NullMarked
module dev.parley.home {
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires transitive dev.parley.application;
    requires static org.jspecify;

    exports dev.parley.home;
    exports dev.parley.home.access;
    exports dev.parley.home.log;
    exports dev.parley.home.media;

    uses dev.parley.application.spi.StorageProvider;
}
