package dev.parley.domain.source;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a message came from: attached to every inbound message, decides its lane and is told to the agent (S1.1, S1.2).
 * Empty text counts as absent in every optional component (K5.11).
 *
 * @param platform the platform
 * @param chatId the chat, group or channel, after the adapter's own transform; empty if unknown
 * @param chatName the chat's name for people
 * @param chatType the kind of chat
 * @param userId the author
 * @param userName the author's name for people
 * @param threadId the topic or thread inside the chat
 * @param chatTopic the chat's topic or purpose
 * @param userIdAlt a stable id of the author where {@code userId} is not; takes its place in session keys
 * @param chatIdAlt another id of the chat
 * @param isBot whether a bot or webhook wrote it; never stored
 * @param scopeId the guild, workspace or server that the ids belong to
 * @param parentChatId the channel, when {@code chatId} is a thread
 * @param messageId the message
 * @param roleAuthorized whether a role on the platform granted access, not the author's id; never stored
 * @param profile the profile the message is for, where there are several
 * @param autoThreadCreated whether the adapter opened the thread for this message
 * @param autoThreadInitialName the name the adapter gave that thread
 * @param deliveredViaUpstreamRelay whether a trusted relay delivered it; never stored
 */
public record SessionSource(
        Platform platform,
        String chatId,
        Optional<String> chatName,
        ChatType chatType,
        Optional<String> userId,
        Optional<String> userName,
        Optional<String> threadId,
        Optional<String> chatTopic,
        Optional<String> userIdAlt,
        Optional<String> chatIdAlt,
        boolean isBot,
        Optional<String> scopeId,
        Optional<String> parentChatId,
        Optional<String> messageId,
        boolean roleAuthorized,
        Optional<String> profile,
        boolean autoThreadCreated,
        Optional<String> autoThreadInitialName,
        boolean deliveredViaUpstreamRelay) {

    /** Makes empty text absent. */
    public SessionSource {
        chatName = present(chatName);
        userId = present(userId);
        userName = present(userName);
        threadId = present(threadId);
        chatTopic = present(chatTopic);
        userIdAlt = present(userIdAlt);
        chatIdAlt = present(chatIdAlt);
        scopeId = present(scopeId);
        parentChatId = present(parentChatId);
        messageId = present(messageId);
        profile = present(profile);
        autoThreadInitialName = present(autoThreadInitialName);
    }

    private static Optional<String> present(Optional<String> text) {
        return text.filter(value -> !value.isEmpty());
    }

    /** A builder for a direct message with nothing but a chat. */
    public static Builder builder(Platform platform, String chatId) {
        return new Builder(platform, chatId);
    }

    /**
     * A builder that holds this source's values. As the scope wins over the guild (S1.3), {@link Builder#guildId} alone
     * does not replace a scope that is there.
     */
    public Builder toBuilder() {
        return new Builder(platform, chatId)
                .chatName(chatName.orElse(null))
                .chatType(chatType)
                .userId(userId.orElse(null))
                .userName(userName.orElse(null))
                .threadId(threadId.orElse(null))
                .chatTopic(chatTopic.orElse(null))
                .userIdAlt(userIdAlt.orElse(null))
                .chatIdAlt(chatIdAlt.orElse(null))
                .isBot(isBot)
                .scopeId(scopeId.orElse(null))
                .parentChatId(parentChatId.orElse(null))
                .messageId(messageId.orElse(null))
                .roleAuthorized(roleAuthorized)
                .profile(profile.orElse(null))
                .autoThreadCreated(autoThreadCreated)
                .autoThreadInitialName(autoThreadInitialName.orElse(null))
                .deliveredViaUpstreamRelay(deliveredViaUpstreamRelay);
    }

    /** Returns where an answer to this source goes. */
    public Address address() {
        return new Address(platform, chatId, threadId, scopeId, parentChatId, profile);
    }

    /** The {@link #scopeId()} by its other name (S1.3). */
    public Optional<String> guildId() {
        return scopeId;
    }

    /**
     * The source in words, e.g. {@code DM with Alice} or {@code group: My Group, thread: 12345} (S1.5 to S1.8). Holds
     * what users typed, unquoted.
     */
    public String description() {
        if (platform.equals(Platform.LOCAL)) {
            return "CLI terminal";
        }
        return chat() + threadId.map(thread -> ", thread: " + thread).orElse("");
    }

    private String chat() {
        if (chatType.isDm()) {
            return "DM with " + userName.or(() -> userId).orElse("user");
        }
        String chat = chatName.orElse(chatId);
        return chatType.equals(ChatType.GROUP) || chatType.equals(ChatType.CHANNEL) ? chatType + ": " + chat : chat;
    }

    /** Collects the values of a source. Null and empty text mean absent. Not for use by several threads at once. */
    public static final class Builder {
        private Platform platform;
        private String chatId;
        private @Nullable String chatName;
        private ChatType chatType = ChatType.DM;
        private @Nullable String userId;
        private @Nullable String userName;
        private @Nullable String threadId;
        private @Nullable String chatTopic;
        private @Nullable String userIdAlt;
        private @Nullable String chatIdAlt;
        private boolean isBot;
        private @Nullable String scopeId;
        private @Nullable String guildId;
        private @Nullable String parentChatId;
        private @Nullable String messageId;
        private boolean roleAuthorized;
        private @Nullable String profile;
        private boolean autoThreadCreated;
        private @Nullable String autoThreadInitialName;
        private boolean deliveredViaUpstreamRelay;

        private Builder(Platform platform, String chatId) {
            this.platform = platform;
            this.chatId = chatId;
        }

        /** Sets the platform. */
        public Builder platform(Platform value) {
            platform = value;
            return this;
        }

        /** Sets the chat; empty if unknown. */
        public Builder chatId(String value) {
            chatId = value;
            return this;
        }

        /** Sets the chat's name. */
        public Builder chatName(@Nullable String value) {
            chatName = value;
            return this;
        }

        /** Sets the kind of chat; a direct message unless set. */
        public Builder chatType(ChatType value) {
            chatType = value;
            return this;
        }

        /** Sets the author. */
        public Builder userId(@Nullable String value) {
            userId = value;
            return this;
        }

        /** Sets the author's name. */
        public Builder userName(@Nullable String value) {
            userName = value;
            return this;
        }

        /** Sets the thread. */
        public Builder threadId(@Nullable String value) {
            threadId = value;
            return this;
        }

        /** Sets the chat's topic. */
        public Builder chatTopic(@Nullable String value) {
            chatTopic = value;
            return this;
        }

        /** Sets the author's stable id. */
        public Builder userIdAlt(@Nullable String value) {
            userIdAlt = value;
            return this;
        }

        /** Sets the chat's other id. */
        public Builder chatIdAlt(@Nullable String value) {
            chatIdAlt = value;
            return this;
        }

        /** Sets whether a bot wrote the message. */
        public Builder isBot(boolean value) {
            isBot = value;
            return this;
        }

        /** Sets the scope, which wins over the guild (S1.3). */
        public Builder scopeId(@Nullable String value) {
            scopeId = value;
            return this;
        }

        /** Sets the scope by its other name; used only where no scope is set (S1.3). */
        public Builder guildId(@Nullable String value) {
            guildId = value;
            return this;
        }

        /** Sets the channel of a thread. */
        public Builder parentChatId(@Nullable String value) {
            parentChatId = value;
            return this;
        }

        /** Sets the message. */
        public Builder messageId(@Nullable String value) {
            messageId = value;
            return this;
        }

        /** Sets whether a role on the platform granted access. */
        public Builder roleAuthorized(boolean value) {
            roleAuthorized = value;
            return this;
        }

        /** Sets the profile. */
        public Builder profile(@Nullable String value) {
            profile = value;
            return this;
        }

        /** Sets whether the adapter opened the thread. */
        public Builder autoThreadCreated(boolean value) {
            autoThreadCreated = value;
            return this;
        }

        /** Sets the name that the adapter gave the thread it opened. */
        public Builder autoThreadInitialName(@Nullable String value) {
            autoThreadInitialName = value;
            return this;
        }

        /** Sets whether a trusted relay delivered the message. */
        public Builder deliveredViaUpstreamRelay(boolean value) {
            deliveredViaUpstreamRelay = value;
            return this;
        }

        /** The source with the values set so far. */
        public SessionSource build() {
            Optional<String> scope = optional(scopeId).or(() -> optional(guildId));
            return new SessionSource(
                    platform,
                    chatId,
                    optional(chatName),
                    chatType,
                    optional(userId),
                    optional(userName),
                    optional(threadId),
                    optional(chatTopic),
                    optional(userIdAlt),
                    optional(chatIdAlt),
                    isBot,
                    scope,
                    optional(parentChatId),
                    optional(messageId),
                    roleAuthorized,
                    optional(profile),
                    autoThreadCreated,
                    optional(autoThreadInitialName),
                    deliveredViaUpstreamRelay);
        }

        private static Optional<String> optional(@Nullable String text) {
            return Optional.ofNullable(text).filter(value -> !value.isEmpty());
        }
    }
}
