package dev.parley.domain.turn;

import dev.parley.domain.source.Platform;

/**
 * A message as its platform names it: what makes a redelivery recognisable.
 *
 * @param platform the platform
 * @param chatId the chat
 * @param messageId the message's id, unique in its chat
 */
public record PlatformMessage(Platform platform, String chatId, String messageId) {}
