import org.jspecify.annotations.NullMarked;

/** Servers that behave as the platforms do, with a person's side and a plan of faults: for testing bots without a network. */
@NullMarked
module dev.parley.fakes {
    requires com.fasterxml.jackson.core;
    requires transitive com.fasterxml.jackson.databind;
    requires transitive dev.parley.application;
    requires java.net.http;
    requires jdk.httpserver;
    requires org.java_websocket;
    requires static org.jspecify;

    exports dev.parley.fakes.chaos;
    exports dev.parley.fakes.discord;
    exports dev.parley.fakes.gateway;
    exports dev.parley.fakes.matrix;
    exports dev.parley.fakes.network;
    exports dev.parley.fakes.proof;
    exports dev.parley.fakes.signal;
    exports dev.parley.fakes.slack;
    exports dev.parley.fakes.surroundings;
    exports dev.parley.fakes.telegram;
    exports dev.parley.fakes.whatsapp;

    uses dev.parley.application.spi.StorageProvider;
}
