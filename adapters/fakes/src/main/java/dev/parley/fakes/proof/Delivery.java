package dev.parley.fakes.proof;

/**
 * A message that a platform took, once for each time.
 *
 * @param id the id it was sent under
 * @param text its text
 */
public record Delivery(String id, String text) {}
