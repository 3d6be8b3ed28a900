package dev.parley.adapter.openai;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.parley.application.agents.SummaryEvents;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.transcript.Message;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Optional;

/** Asks the server for one conversation; it holds nothing between turns. */
final class OpenAiAgent implements Agent {
    private final ProviderSettings surroundings;
    private final OpenAiSettings settings;
    private final Endpoint endpoint;
    private final HttpClient client;

    OpenAiAgent(ProviderSettings surroundings, OpenAiSettings settings, Endpoint endpoint, HttpClient client) {
        this.surroundings = surroundings;
        this.settings = settings;
        this.endpoint = endpoint;
        this.client = client;
    }

    @Override
    public AgentRun start(AgentTurn turn, AgentEvents events) {
        return begin(Conversation.of(settings.systemPrompt(), turn), events);
    }

    @Override
    public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
        return begin(Conversation.summary(history, focus), new SummaryEvents(done));
    }

    private AgentRun begin(ArrayNode conversation, AgentEvents events) {
        OpenAiRun run = new OpenAiRun(surroundings, settings, endpoint, client, conversation, events);
        run.begin();
        return run;
    }

    @Override
    public void release() {
        // The client of the network is shared, and idle connections close by themselves.
    }

    @Override
    public void close() {
        release();
    }
}
