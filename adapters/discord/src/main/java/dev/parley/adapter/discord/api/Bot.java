package dev.parley.adapter.discord.api;

/**
 * The account that the token belongs to.
 *
 * @param id its user
 */
public record Bot(String id) {}
