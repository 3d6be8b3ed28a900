package dev.parley.domain.context;

import dev.parley.domain.source.Platform;
import java.util.Optional;

/**
 * The chat of a platform to which the agent delivers when it is not answering anyone.
 *
 * @param platform the platform
 * @param chatId the chat
 * @param name the chat's name for people
 * @param threadId the thread inside the chat
 */
public record HomeChannel(Platform platform, String chatId, Optional<String> name, Optional<String> threadId) {}
