package dev.parley.adapter.slack.api;

/**
 * The account that the bot token belongs to.
 *
 * @param team its workspace
 * @param userId its user
 * @param botId its bot; empty where Slack does not say
 */
public record Bot(String team, String userId, String botId) {
    /** Returns the name under which places in its conversations are kept. */
    public String account() {
        return (team.isEmpty() ? "" : team + "/") + userId;
    }

    /** Returns whether a message of this user or bot is the bot's own. */
    public boolean wrote(String user, String bot) {
        return user.equals(userId) || (!bot.isEmpty() && bot.equals(botId));
    }
}
