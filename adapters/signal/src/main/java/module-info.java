import org.jspecify.annotations.NullMarked;

/** An account in Signal, by a signal-cli daemon. */
@NullMarked
module dev.parley.adapter.signal {
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires dev.parley.adapter.kit;
    requires dev.parley.application;
    requires java.net.http;
    requires static org.jspecify;

    provides dev.parley.application.spi.PlatformProvider with
            dev.parley.adapter.signal.SignalProvider;
}
