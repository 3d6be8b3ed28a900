package dev.parley.adapter.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.parley.application.agents.ModelConversation;
import dev.parley.application.agents.StreamingAgent;
import dev.parley.application.agents.StreamingTurn;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.InvalidRequest;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.usage.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One lane's agent: each turn calls the model until it answers without asking for tools. */
final class LangChainAgent extends StreamingAgent {
    private final LangChainAgents made;
    private final Optional<String> model;

    LangChainAgent(LangChainAgents made, Optional<String> model) {
        super(made.executor(), made.clock());
        this.made = made;
        this.model = model;
    }

    @Override
    protected AgentAnswer answer(AgentTurn turn, StreamingTurn now) throws Exception {
        return converse(Conversation.of(ModelConversation.of(made.systemPrompt(), turn)), true, now);
    }

    @Override
    protected AgentAnswer summary(List<Message> history, Optional<String> focus, StreamingTurn now) throws Exception {
        return converse(Conversation.of(ModelConversation.summary(history, focus)), false, now);
    }

    @Override
    protected boolean takesSteering() {
        return true;
    }

    @Override
    protected AgentFailure.Kind kindOf(Throwable failure) {
        return ModelCall.isMisconfigured(failure) ? AgentFailure.Kind.CONFIGURATION : AgentFailure.Kind.MODEL;
    }

    private AgentAnswer converse(List<ChatMessage> begun, boolean tools, StreamingTurn now) throws Exception {
        List<ChatMessage> conversation = new ArrayList<>(begun);
        int rounds = 0;
        while (true) {
            ChatResponse response = ModelCall.of(made.model(), request(conversation, tools), now);
            count(response, now);
            AiMessage answer = response.aiMessage();
            conversation.add(answer);
            if (answer.hasToolExecutionRequests()) {
                List<ToolExecutionRequest> requests = named(answer.toolExecutionRequests(), ++rounds);
                now.asksFor(requests.stream()
                        .map(request -> new ToolCall(request.id(), request.name(), arguments(request)))
                        .toList());
                if (rounds > made.rounds()) {
                    throw new InvalidRequest(
                            "The model asked for tools more than " + made.rounds() + " times in this turn.");
                }
                for (ToolExecutionRequest request : requests) {
                    conversation.add(Conversation.result(request, use(request, now)));
                }
                now.saidMeanwhile().forEach(text -> conversation.add(UserMessage.from(text)));
                continue;
            }
            List<String> steered = now.saidLast();
            if (steered.isEmpty()) {
                return now.answer(Optional.ofNullable(response.finishReason())
                        .map(reason -> reason.name().toLowerCase(Locale.ROOT)));
            }
            now.say("\n\n");
            steered.forEach(text -> conversation.add(UserMessage.from(text)));
        }
    }

    private ChatRequest request(List<ChatMessage> conversation, boolean tools) {
        ChatRequest.Builder request = ChatRequest.builder().messages(List.copyOf(conversation));
        if (tools && !made.specifications().isEmpty()) {
            request.toolSpecifications(made.specifications());
        }
        model.ifPresent(request::modelName);
        return request.build();
    }

    private void count(ChatResponse response, StreamingTurn now) {
        Optional<String> answeredBy =
                Optional.ofNullable(response.modelName()).or(() -> model).or(() -> Optional.of(made.name()));
        var used = Optional.ofNullable(response.tokenUsage());
        long input = used.map(each -> number(each.inputTokenCount())).orElse(0L);
        long output = used.map(each -> number(each.outputTokenCount())).orElse(0L);
        now.used(new TokenUsage(input, output, 0, 0, 0), input, answeredBy);
    }

    private static long number(@Nullable Integer count) {
        return count == null ? 0 : Math.max(0, count);
    }

    private static List<ToolExecutionRequest> named(List<ToolExecutionRequest> requests, int round) {
        List<ToolExecutionRequest> named = new ArrayList<>();
        for (ToolExecutionRequest request : requests) {
            boolean nameless = Optional.ofNullable(request.id()).orElse("").isEmpty();
            named.add(
                    nameless
                            ? request.toBuilder()
                                    .id("call-" + round + "-" + (named.size() + 1))
                                    .build()
                            : request);
        }
        return named;
    }

    private static String arguments(ToolExecutionRequest request) {
        return Optional.ofNullable(request.arguments()).orElse("{}");
    }

    private String use(ToolExecutionRequest request, StreamingTurn now) throws InterruptedException {
        String result = result(request, now);
        now.returned(new ToolCall(request.id(), request.name(), arguments(request)), result);
        return result;
    }

    private String result(ToolExecutionRequest request, StreamingTurn now) throws InterruptedException {
        Optional<LangChainAgents.Offered> offered = made.tool(request.name());
        if (offered.isEmpty()) {
            return "There is no tool " + request.name() + ".";
        }
        if (offered.get().approved()) {
            AgentQuestion.Decision decided =
                    now.approval(request.name(), "May I use " + request.name() + "?\n" + arguments(request));
            if (decided.approval() == AgentQuestion.Approval.DENY) {
                return "The user does not allow this"
                        + decided.reason().map(why -> ": " + why).orElse(".");
            }
        }
        now.doing("using " + request.name());
        return ModelCall.resultOf(() -> offered.get().tool().execute(request));
    }
}
