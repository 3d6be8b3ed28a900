package dev.parley.application.port;

import java.time.Instant;

/**
 * What the store answers to a beat.
 *
 * @param now the time by the store's clock
 * @param wish what an operator wishes of the life
 */
public record Heard(Instant now, Node.Wish wish) {}
