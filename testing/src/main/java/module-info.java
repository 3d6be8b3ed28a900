import org.jspecify.annotations.NullMarked;

/**
 * A gateway in a test: a store in memory, a clock that the test moves, platforms and hooks that are looked at. Needs no test framework.
 * The store is found as a service on the class path only: as a service of a module it would draw this one into the module graph of whoever
 * uses storages, whose tests could not see it then.
 */
@NullMarked
module dev.parley.testing {
    requires transitive dev.parley.application;
    requires static org.jspecify;

    exports dev.parley.testing;
    exports dev.parley.testing.memory;
}
