package dev.parley.domain.text;

/**
 * JSON text that is carried unchanged: nothing in the domain reads it. It is not checked either, because text that was
 * stored malformed must be carried as it is.
 *
 * @param text the text exactly as it was received or stored
 */
public record RawJson(String text) {}
