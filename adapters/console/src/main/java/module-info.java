import org.jspecify.annotations.NullMarked;

/** A web console: what every conversation does, and why. */
@NullMarked
module dev.parley.adapter.console {
    requires dev.parley.application;
    requires io.jstach.jstachio;
    requires static org.jspecify;

    provides dev.parley.application.spi.WebSurfaceProvider with
            dev.parley.adapter.console.ConsoleProvider;
}
