/**
 * What some platforms can do beside receiving and sending. A platform implements what it can; the gateway asks for it with {@link
 * dev.parley.application.port.ChatPlatform#as}, so that nobody has to refuse.
 */
@NullMarked
package dev.parley.application.ability;

import org.jspecify.annotations.NullMarked;
