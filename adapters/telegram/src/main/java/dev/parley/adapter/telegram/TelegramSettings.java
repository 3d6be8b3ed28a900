package dev.parley.adapter.telegram;

import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.flow.Overheard;
import dev.parley.adapter.kit.settings.Secret;
import dev.parley.adapter.kit.settings.SettingsReader;
import dev.parley.application.spi.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of a Telegram bot.
 *
 * @param variable the environment variable that holds the token
 * @param token the token
 * @param base the address of the Bot API, without a slash at its end
 * @param patience how long a poll waits for messages
 * @param markdown whether what is sent is read as Markdown
 * @param gate which messages of groups are for the agent
 * @param observe whether what is not for the agent is kept until something is
 */
record TelegramSettings(
        String variable, Secret token, URI base, Duration patience, boolean markdown, GateRules gate, boolean observe) {
    private static final String TOKEN_VARIABLE = "token_env";
    private static final String BASE_URL = "base_url";
    private static final String WAIT = "poll_timeout";
    private static final String MARKDOWN = "markdown";
    private static final String USUAL_VARIABLE = "TELEGRAM_BOT_TOKEN";
    private static final String USUAL_URL = "https://api.telegram.org";
    private static final int LONGEST_WAIT = 50;
    private static final Pattern FORM = Pattern.compile("[0-9]{1,20}:[A-Za-z0-9._~-]{1,200}");

    /** The names of all settings. */
    static final Set<String> NAMES = names();

    private static Set<String> names() {
        Set<String> names = new HashSet<>(GateRules.SETTINGS);
        // A topic of Telegram is a place of many conversations, not a thread that begins with a mention.
        names.remove("thread_participation");
        names.addAll(Set.of(TOKEN_VARIABLE, BASE_URL, WAIT, MARKDOWN, Overheard.SETTING));
        return Set.copyOf(names);
    }

    static TelegramSettings of(ProviderSettings settings) {
        SettingsReader read = new SettingsReader(settings);
        String variable = read.variable(TOKEN_VARIABLE, USUAL_VARIABLE);
        Secret token = read.secret(
                variable,
                FORM,
                "put the bot's token into it, which @BotFather shows, or name another variable under "
                        + settings.nameOf(TOKEN_VARIABLE),
                "no bot's token, which is a number, a colon and letters; copy it from @BotFather once more");
        return new TelegramSettings(
                variable,
                token,
                read.address(BASE_URL, settings.value(BASE_URL).orElse(USUAL_URL), "the bot's token", USUAL_URL),
                read.seconds(WAIT, 20, 1, LONGEST_WAIT),
                read.flag(MARKDOWN, true),
                GateRules.of(settings, false),
                Overheard.isOn(settings));
    }
}
