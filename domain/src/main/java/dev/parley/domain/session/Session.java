package dev.parley.domain.session;

import dev.parley.domain.text.RawJson;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One session as it is stored, without its messages.
 *
 * @param id the session
 * @param source where it comes from: a platform's name, {@code cli}, or any other text
 * @param userId the user who began it
 * @param model the model it uses
 * @param modelConfig the model's configuration, carried unchanged
 * @param systemPrompt the system prompt of its last run
 * @param parent the session it continues, branches off or was delegated by
 * @param startedAt when it began
 * @param ending how it ended; absent while it is live
 * @param unendedReason what other software wrote as the reason of an end, of which it wrote no time: the session is live; absent once it
 *     has ended
 * @param messageCount messages counted by the writers; not lowered by hiding messages
 * @param toolCallCount tool calls counted by the writers
 * @param tokens tokens used
 * @param apiCalls calls of the model
 * @param billing cost and route
 * @param title unique among all sessions of a store
 * @param peer whom it talks to; absent for sessions that no gateway made
 * @param rewindCount how often messages were taken back
 * @param archived whether it was put away, so that lists leave it out unless they are asked for it
 */
public record Session(
        SessionId id,
        String source,
        Optional<String> userId,
        Optional<String> model,
        Optional<RawJson> modelConfig,
        Optional<String> systemPrompt,
        Optional<SessionId> parent,
        Instant startedAt,
        Optional<Ending> ending,
        Optional<String> unendedReason,
        long messageCount,
        long toolCallCount,
        TokenUsage tokens,
        long apiCalls,
        Billing billing,
        Optional<String> title,
        Optional<SessionPeer> peer,
        int rewindCount,
        boolean archived) {

    public Session {
        if (source.isBlank()) {
            throw new IllegalArgumentException("The session " + id + " has no source.");
        }
        if (ending.isPresent()) {
            unendedReason = Optional.empty();
        }
    }

    /** Returns true while the session has not ended. */
    public boolean isLive() {
        return ending.isEmpty();
    }

    /** Returns true where the session ended with this reason. */
    public boolean endedBy(String reason) {
        return ending.filter(end -> end.isBecause(reason)).isPresent();
    }

    /** Returns this session with usage added, or set. */
    public Session used(UsageUpdate update) {
        return toBuilder()
                .usage(update.applyTo(tokens), update.applyTo(apiCalls))
                .billing(update.applyTo(billing))
                .model(model.or(update::model).orElse(null))
                .build();
    }

    /** Returns this session with messages taken back once more. */
    public Session rewound() {
        return toBuilder().rewindCount(rewindCount + 1).build();
    }

    /** Starts a session with everything but its id, source and start absent. */
    public static Builder builder(SessionId id, String source, Instant startedAt) {
        return new Builder(id, source, startedAt);
    }

    /** Starts a copy of this session. */
    public Builder toBuilder() {
        Builder b = new Builder(id, source, startedAt);
        b.userId = userId.orElse(null);
        b.model = model.orElse(null);
        b.modelConfig = modelConfig.orElse(null);
        b.systemPrompt = systemPrompt.orElse(null);
        b.parent = parent.orElse(null);
        b.ending = ending.orElse(null);
        b.unendedReason = unendedReason.orElse(null);
        b.messageCount = messageCount;
        b.toolCallCount = toolCallCount;
        b.tokens = tokens;
        b.apiCalls = apiCalls;
        b.billing = billing;
        b.title = title.orElse(null);
        b.peer = peer.orElse(null);
        b.rewindCount = rewindCount;
        b.archived = archived;
        return b;
    }

    /** Builds a {@link Session}; null means absent. Not safe for concurrent use. */
    public static final class Builder {
        private SessionId id;
        private String source;
        private Instant startedAt;
        private @Nullable String userId;
        private @Nullable String model;
        private @Nullable RawJson modelConfig;
        private @Nullable String systemPrompt;
        private @Nullable SessionId parent;
        private @Nullable Ending ending;
        private @Nullable String unendedReason;
        private long messageCount;
        private long toolCallCount;
        private TokenUsage tokens = TokenUsage.NONE;
        private long apiCalls;
        private Billing billing = Billing.NONE;
        private @Nullable String title;
        private @Nullable SessionPeer peer;
        private int rewindCount;
        private boolean archived;

        private Builder(SessionId id, String source, Instant startedAt) {
            this.id = id;
            this.source = source;
            this.startedAt = startedAt;
        }

        /** Sets the id. */
        public Builder id(SessionId value) {
            this.id = value;
            return this;
        }

        /** Sets the source. */
        public Builder source(String value) {
            this.source = value;
            return this;
        }

        /** Sets the start. */
        public Builder startedAt(Instant value) {
            this.startedAt = value;
            return this;
        }

        /** Sets the user. */
        public Builder userId(@Nullable String value) {
            this.userId = value;
            return this;
        }

        /** Sets the model. */
        public Builder model(@Nullable String value) {
            this.model = value;
            return this;
        }

        /** Sets the model's configuration. */
        public Builder modelConfig(@Nullable RawJson value) {
            this.modelConfig = value;
            return this;
        }

        /** Sets the system prompt. */
        public Builder systemPrompt(@Nullable String value) {
            this.systemPrompt = value;
            return this;
        }

        /** Sets the parent. */
        public Builder parent(@Nullable SessionId value) {
            this.parent = value;
            return this;
        }

        /** Sets the end, and forgets a reason without a time. */
        public Builder ending(@Nullable Ending value) {
            this.ending = value;
            this.unendedReason = null;
            return this;
        }

        /** Sets the reason of an end that has no time; counts for nothing where the session has ended. */
        public Builder unendedReason(@Nullable String value) {
            this.unendedReason = value;
            return this;
        }

        /** Sets both message counters. */
        public Builder counts(long messages, long toolCalls) {
            this.messageCount = messages;
            this.toolCallCount = toolCalls;
            return this;
        }

        /** Sets the tokens and the number of calls. */
        public Builder usage(TokenUsage value, long calls) {
            this.tokens = value;
            this.apiCalls = calls;
            return this;
        }

        /** Sets cost and route. */
        public Builder billing(Billing value) {
            this.billing = value;
            return this;
        }

        /** Sets the title. */
        public Builder title(@Nullable String value) {
            this.title = value;
            return this;
        }

        /** Sets whom the session talks to. */
        public Builder peer(@Nullable SessionPeer value) {
            this.peer = value;
            return this;
        }

        /** Sets how often messages were taken back. */
        public Builder rewindCount(int value) {
            this.rewindCount = value;
            return this;
        }

        /** Sets whether the session was put away. */
        public Builder archived(boolean value) {
            this.archived = value;
            return this;
        }

        /** Returns the session. */
        public Session build() {
            return new Session(
                    id,
                    source,
                    Optional.ofNullable(userId),
                    Optional.ofNullable(model),
                    Optional.ofNullable(modelConfig),
                    Optional.ofNullable(systemPrompt),
                    Optional.ofNullable(parent),
                    startedAt,
                    Optional.ofNullable(ending),
                    Optional.ofNullable(unendedReason),
                    messageCount,
                    toolCallCount,
                    tokens,
                    apiCalls,
                    billing,
                    Optional.ofNullable(title),
                    Optional.ofNullable(peer),
                    rewindCount,
                    archived);
        }
    }
}
