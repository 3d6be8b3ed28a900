package dev.parley.adapter.langchain4j;

import dev.langchain4j.data.message.ChatMessage;
import dev.parley.application.agents.SummaryEvents;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentTurn;
import dev.parley.domain.transcript.Message;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One lane's agent. It remembers which tools people have approved for as long as it is kept. */
final class LangChainAgent implements Agent {
    private final LangChainAgents made;
    private final Optional<String> model;
    private final Set<String> approved = ConcurrentHashMap.newKeySet();

    LangChainAgent(LangChainAgents made, Optional<String> model) {
        this.made = made;
        this.model = model;
    }

    @Override
    public AgentRun start(AgentTurn turn, AgentEvents events) {
        return begin(Conversation.of(made.systemPrompt(), turn), true, events);
    }

    @Override
    public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
        return begin(Conversation.summary(history, focus), false, new SummaryEvents(done));
    }

    private AgentRun begin(List<ChatMessage> conversation, boolean tools, AgentEvents events) {
        LangChainRun run = new LangChainRun(made, model, tools, approved, conversation, events);
        run.begin();
        return run;
    }

    @Override
    public void release() {
        // Nothing is held between turns.
    }

    @Override
    public void close() {
        approved.clear();
    }
}
