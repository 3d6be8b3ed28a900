import org.jspecify.annotations.NullMarked;

/** Configuration, wiring and the command line. */
@NullMarked
module dev.parley.bootstrap {
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires com.google.common;
    requires com.google.guice;
    requires dev.parley.adapter.http;
    requires dev.parley.adapter.kit;
    requires dev.parley.adapter.terminal;
    requires dev.parley.application;
    requires dev.parley.home;
    requires info.picocli;
    requires jakarta.inject;
    requires java.logging;
    requires org.slf4j;
    requires static org.jspecify;

    opens dev.parley.bootstrap.cli to
            info.picocli;
    opens dev.parley.bootstrap.replay to
            com.fasterxml.jackson.databind;
    opens dev.parley.bootstrap.wiring to
            com.google.guice;

    uses dev.parley.application.command.CommandsProvider;
    uses dev.parley.application.spi.AgentProvider;
    uses dev.parley.application.spi.AuthorizationProvider;
    uses dev.parley.application.spi.EventsProvider;
    uses dev.parley.application.spi.HooksProvider;
    uses dev.parley.application.spi.LaneFileReader;
    uses dev.parley.application.spi.ObserverProvider;
    uses dev.parley.application.spi.PlatformProvider;
    uses dev.parley.application.spi.StorageProvider;
    uses dev.parley.application.spi.TranscriptFileReader;
    uses dev.parley.application.spi.WebSurfaceProvider;
}
