package dev.parley.home.access;

import java.time.Instant;

/**
 * Somebody who was let in.
 *
 * @param who they
 * @param at when
 */
public record Paired(Person who, Instant at) {}
