package dev.parley.home.access;

import java.time.Instant;

/**
 * Somebody who asked to be let in.
 *
 * @param who they
 * @param salt what the code is hashed with
 * @param hash the hash of the code
 * @param askedAt when they were given the code
 */
public record Pending(Person who, String salt, String hash, Instant askedAt) {}
