/** Use cases of the gateway and the ports they stand on. */
module dev.parley.application {
    requires transitive dev.parley.domain;
    requires static org.jspecify;
}
