package dev.parley.spring;

import dev.parley.adapter.springai.SpringAiAgents;
import dev.parley.adapter.springai.TranscriptChatMemory;
import dev.parley.application.spi.Storage;
import dev.parley.home.GatewayHome;
import java.util.Optional;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** With Spring AI: the application's chat client answers, and its chat memory is in the transcripts. */
@AutoConfiguration(
        afterName = {
            "org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration",
            "org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration"
        },
        beforeName = "org.springframework.ai.model.chat.memory.autoconfigure.ChatMemoryAutoConfiguration")
@ConditionalOnClass({ChatClient.class, SpringAiAgents.class})
@ConditionalOnProperty(prefix = "parley", name = "enabled", matchIfMissing = true)
public class SpringAiAutoConfiguration {
    /** Made by Spring. */
    public SpringAiAutoConfiguration() {}

    @Bean
    ChatClientAgents parleyChatClientAgents(
            ParleyProperties properties,
            GatewayHome home,
            ObjectProvider<ChatModel> models,
            ObjectProvider<ChatClient> client,
            ObjectProvider<ChatClient.Builder> builder,
            ObjectProvider<ToolCallingManager> tools) {
        return () -> Optional.ofNullable(models.getIfAvailable()).map(model -> {
            ChatClient answering = client.getIfUnique(
                    () -> builder.getIfUnique(() -> ChatClient.builder(model)).build());
            ParleyProperties.Answering agent = properties.agent();
            SpringAiAgents.Builder agents = SpringAiAgents.builder(name(agent, model), answering)
                    .executor(home.threads().agents())
                    .clock(home.clock())
                    .contextLength(agent.contextLength())
                    .rounds(agent.rounds())
                    .approval(agent.approval().toArray(String[]::new));
            tools.ifUnique(agents::tools);
            return agents.build();
        });
    }

    private static String name(ParleyProperties.Answering agent, ChatModel model) {
        return Optional.of(agent.model())
                .filter(name -> !name.isBlank())
                .or(() -> Optional.ofNullable(model.getDefaultOptions())
                        .flatMap(options -> Optional.ofNullable(options.getModel())))
                .orElse("chat client");
    }

    @Bean
    @ConditionalOnMissingBean
    ChatMemoryRepository parleyChatMemory(Storage storage, GatewayHome home) {
        return new TranscriptChatMemory(storage, home.ids(), home.clock());
    }
}
