import org.jspecify.annotations.NullMarked;

/** An agent behind any OpenAI-compatible server. */
@NullMarked
module dev.parley.adapter.openai {
    requires com.fasterxml.jackson.databind;
    requires dev.parley.adapter.kit;
    requires dev.parley.application;
    requires java.net.http;
    requires static org.jspecify;

    provides dev.parley.application.spi.AgentProvider with
            dev.parley.adapter.openai.OpenAiProvider;
}
