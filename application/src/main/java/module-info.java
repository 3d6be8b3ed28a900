import org.jspecify.annotations.NullMarked;

/** Use cases of the gateway and the ports they stand on. */
@NullMarked
module dev.parley.application {
    requires transitive dev.parley.domain;
    requires static org.jspecify;

    exports dev.parley.application.ability;
    exports dev.parley.application.actor;
    exports dev.parley.application.agents;
    exports dev.parley.application.codec;
    exports dev.parley.application.command;
    exports dev.parley.application.commands;
    exports dev.parley.application.degrade;
    exports dev.parley.application.expiry;
    exports dev.parley.application.gateway;
    exports dev.parley.application.guard;
    exports dev.parley.application.nodes;
    exports dev.parley.application.port;
    exports dev.parley.application.replay;
    exports dev.parley.application.scan;
    exports dev.parley.application.settings;
    exports dev.parley.application.spi;
    exports dev.parley.application.store;
    exports dev.parley.application.transfer;
    exports dev.parley.application.view;
}
