package dev.parley.adapter.discord.api;

/**
 * What is asked of the API.
 *
 * @param name what it is, for messages; holds nothing secret
 * @param verb the HTTP method
 * @param path the path below the API's address
 * @param bucket what shares a limit with it
 */
public record Route(String name, String verb, String path, String bucket) {
    /** Returns a route whose limit is that of its name and of one channel. */
    static Route of(String name, String verb, String channel, String path) {
        return new Route(name, verb, path, name + " " + channel);
    }

    /** Returns a route that is one of its kind. */
    static Route of(String name, String verb, String path) {
        return new Route(name, verb, path, name);
    }

    /** Writes a message in a channel. */
    public static Route post(String channel) {
        return of("post message", "POST", channel, "/channels/" + channel + "/messages");
    }

    /** Changes a message. */
    public static Route change(String channel, String message) {
        return of("change message", "PATCH", channel, "/channels/" + channel + "/messages/" + message);
    }

    /** Deletes a message. */
    public static Route delete(String channel, String message) {
        return of("delete message", "DELETE", channel, "/channels/" + channel + "/messages/" + message);
    }

    /** Reads a channel's messages. */
    public static Route read(String channel, String query) {
        return of("read messages", "GET", channel, "/channels/" + channel + "/messages?" + query);
    }

    /** Puts the bot's reaction on a message, or takes it away. */
    public static Route react(String channel, String message, String emoji, boolean on) {
        return of(
                "react",
                on ? "PUT" : "DELETE",
                channel,
                "/channels/" + channel + "/messages/" + message + "/reactions/" + emoji + "/@me");
    }

    /** Shows that the bot writes. */
    public static Route typing(String channel) {
        return of("show typing", "POST", channel, "/channels/" + channel + "/typing");
    }

    /** Asks what a channel is. */
    public static Route channel(String channel) {
        return of("read channel", "GET", channel, "/channels/" + channel);
    }

    /** Asks what a guild is. */
    public static Route guild(String guild) {
        return of("read guild", "GET", "/guilds/" + guild);
    }

    /** Asks who somebody is in a guild. */
    public static Route member(String guild, String user) {
        return of("read member", "GET", "/guilds/" + guild + "/members/" + user);
    }

    /** Puts commands into the menu. */
    public static Route commands(String application) {
        return of("register commands", "PUT", "/applications/" + application + "/commands");
    }

    /** Says that a command or a press of a button was received. */
    public static Route answer(String interaction, String token) {
        return of("answer interaction", "POST", "/interactions/" + interaction + "/" + token + "/callback");
    }

    /** Puts an answer in the place of what says that one comes. */
    public static Route respond(String application, String token) {
        return of("answer command", "PATCH", "/webhooks/" + application + "/" + token + "/messages/@original");
    }
}
