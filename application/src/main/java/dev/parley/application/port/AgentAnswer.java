package dev.parley.application.port;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.util.List;
import java.util.Optional;

/**
 * An agent's answer.
 *
 * @param content what it says; may be blank where it sends files
 * @param attachments the files it sends along, in order, as {@link MediaStore#keep} returned them
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
        List<Attachment> attachments,
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
        attachments = List.copyOf(attachments);
        tokens = tokens.upTo(MOST_TOKENS);
        lastPromptTokens = lastPromptTokens > MOST_TOKENS || lastPromptTokens < 0 ? 0 : lastPromptTokens;
    }

    /** An answer without files. */
    public AgentAnswer(
            Content content,
            Reasoning reasoning,
            Optional<String> finishReason,
            TokenUsage tokens,
            long lastPromptTokens,
            long apiCalls,
            Optional<String> model,
            Billing billing,
            Optional<SessionId> continuedAs) {
        this(
                content,
                List.of(),
                reasoning,
                finishReason,
                tokens,
                lastPromptTokens,
                apiCalls,
                model,
                billing,
                continuedAs);
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
                content, attachments, reasoning, finishReason, used, lastPrompt, apiCalls, model, billing, continuedAs);
    }

    /** Returns this answer with these files sent along, in place of those before; see {@link MediaStore#keep}. */
    public AgentAnswer attaching(List<Attachment> files) {
        return new AgentAnswer(
                content,
                files,
                reasoning,
                finishReason,
                tokens,
                lastPromptTokens,
                apiCalls,
                model,
                billing,
                continuedAs);
    }

    /** Returns whether it gives people nothing to read and no file. */
    public boolean isEmpty() {
        return content.isBlank() && attachments.isEmpty();
    }
}
