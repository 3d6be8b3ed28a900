package dev.parley.domain.source;

import java.util.Optional;

/**
 * Where a message goes, with everything a platform needs to find the place. Empty text counts as absent in every optional
 * component.
 *
 * @param platform the platform
 * @param chatId the chat, group or channel
 * @param threadId the topic or thread inside the chat
 * @param scopeId the guild, workspace or server that the ids belong to
 * @param parentChatId the channel, when {@code chatId} is a thread
 * @param profile the profile that speaks, where a platform has several accounts
 */
public record Address(
        Platform platform,
        String chatId,
        Optional<String> threadId,
        Optional<String> scopeId,
        Optional<String> parentChatId,
        Optional<String> profile) {

    /** Makes empty text absent. */
    public Address {
        threadId = present(threadId);
        scopeId = present(scopeId);
        parentChatId = present(parentChatId);
        profile = present(profile);
    }

    private static Optional<String> present(Optional<String> text) {
        return text.filter(value -> !value.isEmpty());
    }

    /** Returns the address of a chat. */
    public static Address of(Platform platform, String chatId) {
        return of(platform, chatId, Optional.empty());
    }

    /** Returns the address of a thread in a chat, or of the chat. */
    public static Address of(Platform platform, String chatId, Optional<String> threadId) {
        return new Address(platform, chatId, threadId, Optional.empty(), Optional.empty(), Optional.empty());
    }
}
