import org.jspecify.annotations.NullMarked;

/** An agent that is a program and speaks the Agent Client Protocol. */
@NullMarked
module dev.parley.adapter.acp {
    requires com.fasterxml.jackson.databind;
    requires dev.parley.adapter.kit;
    requires dev.parley.application;
    requires static org.jspecify;

    provides dev.parley.application.spi.AgentProvider with
            dev.parley.adapter.acp.AcpProvider;
}
