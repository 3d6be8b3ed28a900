package dev.parley.bootstrap.config;

/**
 * One effective setting, for {@code config show}.
 *
 * @param path its full name
 * @param value its value as text
 * @param origin where the value comes from: a file and line, an environment variable, or {@code default}
 */
public record Setting(String path, String value, String origin) {}
