package dev.parley.domain.transcript;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One message of a transcript, as it is written.
 *
 * @param id made by the writer
 * @param role who speaks
 * @param content what is said
 * @param toolCallId the call that a tool result answers
 * @param toolName the tool that a tool result comes from
 * @param toolCalls calls that an assistant message asks for
 * @param at when it was said: information only, order comes from the store
 * @param tokenCount tokens of this message, where counted
 * @param finishReason why the model stopped
 * @param reasoning what the provider exposed of its reasoning
 * @param platformMessageId the message's id on its platform
 * @param kind what it is to the transcript
 */
public record Message(
        MessageId id,
        Role role,
        Content content,
        Optional<String> toolCallId,
        Optional<String> toolName,
        Optional<ToolCalls> toolCalls,
        Instant at,
        Optional<Integer> tokenCount,
        Optional<String> finishReason,
        Reasoning reasoning,
        Optional<String> platformMessageId,
        Kind kind) {

    /** What a message is to the transcript. */
    public enum Kind {
        /** Something that was said. */
        PLAIN,
        /** The summary standing for everything before it (a compaction marker). Its role is user. */
        SUMMARY,
        /** Something that an agent was told in the middle of its turn: steered, or the answer to its question. Its role is user. */
        STEERED
    }

    /** Returns whether a person said it; a summary, and the blank input of a turn that resumes, nobody did. */
    public boolean isSaid() {
        return role.equals(Role.USER) && kind != Kind.SUMMARY && !content.isBlank();
    }

    /** Returns whether a turn begins with it: a person said it, and not in the middle of a turn. */
    public boolean beginsTurn() {
        return isSaid() && kind == Kind.PLAIN;
    }

    /** Starts a message with everything but its identity, role, content and time absent. */
    public static Builder builder(MessageId id, Role role, Content content, Instant at) {
        return new Builder(id, role, content, at);
    }

    /** Starts a copy of this message. */
    public Builder toBuilder() {
        Builder b = new Builder(id, role, content, at);
        b.toolCallId = toolCallId.orElse(null);
        b.toolName = toolName.orElse(null);
        b.toolCalls = toolCalls.orElse(null);
        b.tokenCount = tokenCount.orElse(null);
        b.finishReason = finishReason.orElse(null);
        b.reasoning = reasoning;
        b.platformMessageId = platformMessageId.orElse(null);
        b.kind = kind;
        return b;
    }

    /** Builds a {@link Message}; null means absent. Not safe for concurrent use. */
    public static final class Builder {
        private MessageId id;
        private final Role role;
        private Content content;
        private Instant at;
        private @Nullable String toolCallId;
        private @Nullable String toolName;
        private @Nullable ToolCalls toolCalls;
        private @Nullable Integer tokenCount;
        private @Nullable String finishReason;
        private Reasoning reasoning = Reasoning.NONE;
        private @Nullable String platformMessageId;
        private Kind kind = Kind.PLAIN;

        private Builder(MessageId id, Role role, Content content, Instant at) {
            this.id = id;
            this.role = role;
            this.content = content;
            this.at = at;
        }

        /** Sets the identity. */
        public Builder id(MessageId value) {
            this.id = value;
            return this;
        }

        /** Sets the content. */
        public Builder content(Content value) {
            this.content = value;
            return this;
        }

        /** Sets the time. */
        public Builder at(Instant value) {
            this.at = value;
            return this;
        }

        /** Sets the call this message answers. */
        public Builder toolCallId(@Nullable String value) {
            this.toolCallId = value;
            return this;
        }

        /** Sets the tool this message comes from. */
        public Builder toolName(@Nullable String value) {
            this.toolName = value;
            return this;
        }

        /** Sets the calls this message asks for. */
        public Builder toolCalls(@Nullable ToolCalls value) {
            this.toolCalls = value;
            return this;
        }

        /** Sets the number of tokens. */
        public Builder tokenCount(@Nullable Integer value) {
            this.tokenCount = value;
            return this;
        }

        /** Sets why the model stopped. */
        public Builder finishReason(@Nullable String value) {
            this.finishReason = value;
            return this;
        }

        /** Sets the reasoning. */
        public Builder reasoning(Reasoning value) {
            this.reasoning = value;
            return this;
        }

        /** Sets the id on the platform. */
        public Builder platformMessageId(@Nullable String value) {
            this.platformMessageId = value;
            return this;
        }

        /** Sets the kind. */
        public Builder kind(Kind value) {
            this.kind = value;
            return this;
        }

        /** Returns the message. */
        public Message build() {
            return new Message(
                    id,
                    role,
                    content,
                    Optional.ofNullable(toolCallId),
                    Optional.ofNullable(toolName),
                    Optional.ofNullable(toolCalls),
                    at,
                    Optional.ofNullable(tokenCount),
                    Optional.ofNullable(finishReason),
                    reasoning,
                    Optional.ofNullable(platformMessageId),
                    kind);
        }
    }
}
