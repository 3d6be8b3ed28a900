package dev.parley.application.port;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.util.Optional;

/**
 * An agent's answer.
 *
 * @param content what it says
 * @param reasoning what the provider exposed of its reasoning
 * @param finishReason why the model stopped
 * @param tokens tokens used in the turn
 * @param lastPromptTokens the size of the last prompt
 * @param apiCalls calls of the model in the turn; 0 where it was never called
 * @param model the model that answered
 * @param billing cost and route
 * @param continuedAs the session that the agent goes on in, where it compressed the conversation itself (O4.24)
 */
public record AgentAnswer(
        Content content,
        Reasoning reasoning,
        Optional<String> finishReason,
        TokenUsage tokens,
        long lastPromptTokens,
        long apiCalls,
        Optional<String> model,
        Billing billing,
        Optional<SessionId> continuedAs) {
    /** More tokens than any turn uses; what counts more is mistaken. */
    static final long MOST_TOKENS = 1_000_000_000;

    /** Counts that cannot be true, because nobody uses so many tokens in a turn, are not believed and become 0. */
    public AgentAnswer {
        tokens = tokens.upTo(MOST_TOKENS);
        lastPromptTokens = lastPromptTokens > MOST_TOKENS || lastPromptTokens < 0 ? 0 : lastPromptTokens;
    }

    /** Returns a plain text answer with nothing counted but one call. */
    public static AgentAnswer text(String text) {
        return new AgentAnswer(
                Content.text(text),
                Reasoning.NONE,
                Optional.of("stop"),
                TokenUsage.NONE,
                0,
                1,
                Optional.empty(),
                Billing.NONE,
                Optional.empty());
    }

    /** Returns this answer with its usage counted. */
    public AgentAnswer using(TokenUsage used, long lastPrompt) {
        return new AgentAnswer(
                content, reasoning, finishReason, used, lastPrompt, apiCalls, model, billing, continuedAs);
    }
}
