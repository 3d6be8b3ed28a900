import org.jspecify.annotations.NullMarked;

/** An offline agent that answers with what it was told. */
@NullMarked
module dev.parley.adapter.echo {
    requires dev.parley.application;
    requires static org.jspecify;

    provides dev.parley.application.spi.AgentProvider with
            dev.parley.adapter.echo.EchoProvider;
}
