package dev.parley.domain.context;

/**
 * What of a context prompt does not come from the conversation.
 *
 * @param redaction which ids are hidden
 * @param home the gateway's home directory as people write it, e.g. {@code ~/.parley}
 * @param discordTools whether the agent has tools that take Discord ids
 */
public record PromptSettings(Redaction redaction, String home, boolean discordTools) {
    /** Nothing hidden, the default home directory, no Discord tools. */
    public static final PromptSettings DEFAULT = new PromptSettings(Redaction.off(), "~/.parley", false);

    /** These settings with other ids hidden. */
    public PromptSettings withRedaction(Redaction other) {
        return new PromptSettings(other, home, discordTools);
    }

    /** These settings with another home directory. */
    public PromptSettings withHome(String other) {
        return new PromptSettings(redaction, other, discordTools);
    }

    /** These settings with Discord tools or without. */
    public PromptSettings withDiscordTools(boolean other) {
        return new PromptSettings(redaction, home, other);
    }
}
