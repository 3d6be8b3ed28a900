package dev.parley.bootstrap.config;

import java.util.regex.Pattern;

/**
 * One effective setting, for {@code config show}.
 *
 * @param path its full name
 * @param value its value as text
 * @param origin where the value comes from: a file and line, an environment variable, or {@code default}
 */
public record Setting(String path, String value, String origin) {
    private static final String HIDDEN = "(hidden)";
    private static final Pattern SECRET =
            Pattern.compile("\\.(bridge_tokens\\..+|token|password|secret|[a-z_]+_(token|password|secret))$");
    private static final Pattern USER_INFO = Pattern.compile("(://)[^/@\\s]+@");
    private static final Pattern PASSWORD = Pattern.compile("(?i)([?&]password=)[^&\\s]+");

    /** Returns the value without what nobody should read over a shoulder: secrets, and users and passwords in addresses. */
    public String shown() {
        if (SECRET.matcher(path).find() && !value.isEmpty()) {
            return HIDDEN;
        }
        String named = USER_INFO.matcher(value).replaceAll("$1" + HIDDEN + "@");
        return PASSWORD.matcher(named).replaceAll("$1" + HIDDEN);
    }
}
