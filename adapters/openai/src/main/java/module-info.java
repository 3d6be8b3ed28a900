import org.jspecify.annotations.NullMarked;

/** An agent behind any OpenAI-compatible server. */
@NullMarked
module dev.parley.adapter.openai {
    requires com.fasterxml.jackson.databind;
    requires dev.parley.application;
    requires java.net.http;
    requires static org.jspecify;
}
