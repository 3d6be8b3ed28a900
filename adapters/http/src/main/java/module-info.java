import org.jspecify.annotations.NullMarked;

/** Messages over HTTP. */
@NullMarked
module dev.parley.adapter.http {
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires dev.parley.adapter.kit;
    requires transitive dev.parley.application;
    requires io.javalin;
    requires java.net.http;
    requires static org.jspecify;

    exports dev.parley.adapter.http;

    provides dev.parley.application.spi.PlatformProvider with
            dev.parley.adapter.http.server.HttpProvider;
}
