import org.jspecify.annotations.NullMarked;

/** A bot in Matrix. */
@NullMarked
module dev.parley.adapter.matrix {
    requires com.fasterxml.jackson.databind;
    requires dev.parley.adapter.kit;
    requires dev.parley.application;
    requires java.net.http;
    requires static org.jspecify;

    provides dev.parley.application.spi.PlatformProvider with
            dev.parley.adapter.matrix.MatrixProvider;
}
