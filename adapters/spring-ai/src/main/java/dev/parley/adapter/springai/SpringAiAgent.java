package dev.parley.adapter.springai;

import dev.parley.application.agents.ModelConversation;
import dev.parley.application.agents.StreamingAgent;
import dev.parley.application.agents.StreamingTurn;
import dev.parley.application.port.AgentAnswer;
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
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.model.tool.ToolExecutionResult;

/** One lane's agent: each turn calls the client until it answers without asking for tools. */
final class SpringAiAgent extends StreamingAgent {
    private final SpringAiAgents made;
    private final Optional<String> model;

    SpringAiAgent(SpringAiAgents made, Optional<String> model) {
        super(made.executor(), made.clock());
        this.made = made;
        this.model = model;
    }

    @Override
    protected boolean takesSteering() {
        return true;
    }

    @Override
    protected AgentAnswer answer(AgentTurn turn, StreamingTurn now) throws Exception {
        ToolsInHand hand = new ToolsInHand(turn.prompt(), true, model);
        List<org.springframework.ai.chat.messages.Message> conversation =
                new ArrayList<>(SpringMessages.of(ModelConversation.withoutPrompt(turn)));
        int rounds = 0;
        while (true) {
            Said said = ask(conversation, hand, turn.session().value(), now);
            conversation.add(said.message());
            if (said.message().hasToolCalls()) {
                if (use(said.message().getToolCalls(), ++rounds, hand, conversation, now)) {
                    return now.answer(Optional.of(ToolExecutionResult.FINISH_REASON));
                }
                now.saidMeanwhile().forEach(text -> conversation.add(new UserMessage(text)));
                continue;
            }
            List<String> steered = now.saidLast();
            if (steered.isEmpty()) {
                return now.answer(said.finishReason());
            }
            now.say("\n\n");
            steered.forEach(text -> conversation.add(new UserMessage(text)));
        }
    }

    @Override
    protected AgentAnswer summary(List<Message> history, Optional<String> focus, StreamingTurn now) throws Exception {
        Said said = ask(
                SpringMessages.of(ModelConversation.summary(history, focus)),
                new ToolsInHand("", false, model),
                "summary",
                now);
        return now.answer(said.finishReason());
    }

    /** What the model said in one call. */
    private record Said(AssistantMessage message, Optional<String> finishReason) {}

    private Said ask(
            List<org.springframework.ai.chat.messages.Message> conversation,
            ToolsInHand hand,
            String id,
            StreamingTurn now)
            throws InterruptedException {
        now.callsModel();
        StringBuilder text = new StringBuilder();
        List<AssistantMessage.ToolCall> calls = new ArrayList<>();
        Usage usage = new Usage();
        made
                .client()
                .prompt()
                .messages(List.copyOf(conversation))
                .advisors(hand)
                .advisors(advisors -> advisors.param(ChatMemory.CONVERSATION_ID, id))
                .stream()
                .chatResponse()
                .doOnNext(chunk -> {
                    usage.see(chunk);
                    for (Generation each : chunk.getResults()) {
                        calls.addAll(each.getOutput().getToolCalls());
                        String more =
                                Optional.ofNullable(each.getOutput().getText()).orElse("");
                        text.append(more);
                        now.say(more);
                    }
                })
                .blockLast();
        usage.tell(now, model.orElse(made.name()));
        return new Said(
                AssistantMessage.builder()
                        .content(text.toString())
                        .toolCalls(named(calls, now))
                        .build(),
                usage.finishReason);
    }

    private static List<AssistantMessage.ToolCall> named(List<AssistantMessage.ToolCall> calls, StreamingTurn now) {
        List<AssistantMessage.ToolCall> named = new ArrayList<>();
        for (AssistantMessage.ToolCall call : calls) {
            boolean nameless = Optional.ofNullable(call.id()).orElse("").isEmpty();
            String id =
                    nameless ? "call-" + now.answer(Optional.empty()).apiCalls() + "-" + (named.size() + 1) : call.id();
            named.add(new AssistantMessage.ToolCall(
                    id,
                    call.type(),
                    call.name(),
                    Optional.ofNullable(call.arguments()).orElse("{}")));
        }
        return named;
    }

    /** Usage may come with any piece of the answer; the last one counts all. */
    private static final class Usage {
        private TokenUsage tokens = TokenUsage.NONE;
        private Optional<String> answeredBy = Optional.empty();
        private Optional<String> finishReason = Optional.empty();

        void see(ChatResponse chunk) {
            Optional.ofNullable(chunk.getMetadata()).ifPresent(metadata -> {
                answeredBy = Optional.ofNullable(metadata.getModel())
                        .filter(each -> !each.isEmpty())
                        .or(() -> answeredBy);
                Optional.ofNullable(metadata.getUsage()).ifPresent(used -> {
                    TokenUsage counted =
                            new TokenUsage(number(used.getPromptTokens()), number(used.getCompletionTokens()), 0, 0, 0);
                    tokens = counted.total() > 0 ? counted : tokens;
                });
            });
            Optional.ofNullable(chunk.getResult())
                    .flatMap(result -> Optional.ofNullable(result.getMetadata()))
                    .flatMap(metadata -> Optional.ofNullable(metadata.getFinishReason()))
                    .filter(reason -> !reason.isEmpty())
                    .ifPresent(reason -> finishReason = Optional.of(reason.toLowerCase(Locale.ROOT)));
        }

        private static long number(@Nullable Integer count) {
            return count == null ? 0 : Math.max(0, count);
        }

        void tell(StreamingTurn now, String asked) {
            now.used(tokens, tokens.input(), answeredBy.or(() -> Optional.of(asked)));
        }
    }

    /** Uses the tools and adds their results to the conversation; returns whether they are the answer themselves. */
    private boolean use(
            List<AssistantMessage.ToolCall> calls,
            int round,
            ToolsInHand hand,
            List<org.springframework.ai.chat.messages.Message> conversation,
            StreamingTurn now)
            throws InterruptedException {
        now.asksFor(calls.stream().map(SpringMessages::call).toList());
        if (round > made.rounds()) {
            throw new InvalidRequest("The model asked for tools more than " + made.rounds() + " times in this turn.");
        }
        boolean direct = true;
        List<String> results = new ArrayList<>();
        for (AssistantMessage.ToolCall call : calls) {
            ToolsInHand.Result result = result(call, hand, now);
            ToolCall told = SpringMessages.call(call);
            now.returned(told, result.text());
            conversation.add(SpringMessages.of(new ModelConversation.Returned(told, result.text())));
            results.add(result.text());
            direct = direct && result.direct();
        }
        if (direct) {
            now.say(String.join("\n\n", results));
        }
        return direct;
    }

    private ToolsInHand.Result result(AssistantMessage.ToolCall call, ToolsInHand hand, StreamingTurn now)
            throws InterruptedException {
        if (made.needsApproval(call.name())) {
            AgentQuestion.Decision decided =
                    now.approval(call.name(), "May I use " + call.name() + "?\n" + call.arguments());
            if (decided.approval() == AgentQuestion.Approval.DENY) {
                return new ToolsInHand.Result(
                        "The user does not allow this"
                                + decided.reason().map(why -> ": " + why).orElse("."),
                        false);
            }
        }
        now.doing("using " + call.name());
        return hand.use(call, made.tools());
    }
}
