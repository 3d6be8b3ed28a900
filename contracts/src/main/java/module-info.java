import org.jspecify.annotations.NullMarked;

/** Contract tests for every port, to be run against any implementation. */
@NullMarked
module dev.parley.contracts {
    requires transitive dev.parley.application;
    requires transitive dev.parley.testing;
    requires transitive org.junit.jupiter.api;
    requires org.junit.platform.commons;
    requires org.assertj.core;
    requires static org.jspecify;

    exports dev.parley.contracts.hostile;
    exports dev.parley.contracts.level;
    exports dev.parley.contracts.port;
    exports dev.parley.contracts.storage;
}
