package dev.parley.adapter.discord;

import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.settings.Secret;
import dev.parley.adapter.kit.settings.SettingsReader;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of a Discord bot.
 *
 * @param variable the environment variable that holds the token
 * @param token the bot's token
 * @param base the API's address, without a slash at its end
 * @param gateway the gateway's address; absent where Discord is asked for it
 * @param answerTimeout how long an answer may take
 * @param backfill how many messages of one channel are read at most after an absence
 * @param markdown whether what is sent is read as Markdown
 * @param replies whether an answer refers to the message that it answers
 * @param commands whether the gateway's commands are registered as slash commands
 * @param roles the roles whose members may talk to the agent, by their ids
 * @param gate which messages of channels are for the agent
 */
record DiscordSettings(
        String variable,
        Secret token,
        URI base,
        Optional<URI> gateway,
        Duration answerTimeout,
        int backfill,
        boolean markdown,
        boolean replies,
        boolean commands,
        Set<String> roles,
        GateRules gate) {
    private static final String VARIABLE = "token_env";
    private static final String BASE = "base_url";
    private static final String GATEWAY = "gateway_url";
    private static final String ANSWER = "answer_timeout";
    private static final String BACKFILL = "backfill_limit";
    private static final String MARKDOWN = "markdown";
    private static final String REPLIES = "reply_to_message";
    private static final String COMMANDS = "register_commands";
    private static final String ROLES = "allow_roles";
    private static final String USUAL_BASE = "https://discord.com/api/v10";
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,512}");

    /** The names of all settings. */
    static final Set<String> NAMES = names();

    private static Set<String> names() {
        Set<String> names = new HashSet<>(GateRules.SETTINGS);
        names.addAll(Set.of(VARIABLE, BASE, GATEWAY, ANSWER, BACKFILL, MARKDOWN, REPLIES, COMMANDS, ROLES));
        return Set.copyOf(names);
    }

    static DiscordSettings of(ProviderSettings settings) {
        SettingsReader read = new SettingsReader(settings);
        String variable = read.variable(VARIABLE, "DISCORD_BOT_TOKEN");
        return new DiscordSettings(
                variable,
                read.secret(
                        variable,
                        TOKEN,
                        "put the bot's token into it, or name another variable under " + settings.nameOf(VARIABLE),
                        "no token of a bot; copy it once more from the application's page, under Bot"),
                read.address(BASE, settings.value(BASE).orElse(USUAL_BASE), "the bot's token", USUAL_BASE),
                settings.value(GATEWAY).map(text -> gateway(settings, text)),
                read.seconds(ANSWER, 15, 1, 120),
                read.number(BACKFILL, 1_000, 1, 100_000),
                read.flag(MARKDOWN, true),
                read.flag(REPLIES, true),
                read.flag(COMMANDS, true),
                read.list(ROLES),
                GateRules.of(settings, true));
    }

    private static URI gateway(ProviderSettings settings, String text) {
        try {
            URI uri = URI.create(text.replaceAll("[/?]+$", ""));
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && (scheme.equals("ws") || scheme.equals("wss"))) {
                return uri;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Said below, together with addresses of another kind.
        }
        throw new InvalidRequest(settings.nameOf(GATEWAY)
                + " is not an address that begins with ws:// or wss://, such as wss://gateway.discord.gg.");
    }
}
