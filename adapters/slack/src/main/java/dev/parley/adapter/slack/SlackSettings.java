package dev.parley.adapter.slack;

import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.settings.Secret;
import dev.parley.adapter.kit.settings.SettingsReader;
import dev.parley.application.spi.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of a Slack app.
 *
 * @param botVariable the environment variable that holds the bot token
 * @param botToken the token that everything but the connection is done with
 * @param appVariable the environment variable that holds the app-level token
 * @param appToken the token that connections are opened with
 * @param base the Web API's address, without a slash at its end
 * @param answerTimeout how long an answer may take
 * @param silence how long a connection may say nothing before it counts as dead
 * @param backfill how many messages of one conversation are read at most after an absence
 * @param markdown whether what is sent is read as Markdown
 * @param channelThreads whether what is said to the app in a channel begins a thread
 * @param directThreads whether each message of a direct chat begins a thread
 * @param command the slash command whose first word is the command that is meant
 * @param gate which messages of channels are for the agent
 */
record SlackSettings(
        String botVariable,
        Secret botToken,
        String appVariable,
        Secret appToken,
        URI base,
        Duration answerTimeout,
        Duration silence,
        int backfill,
        boolean markdown,
        boolean channelThreads,
        boolean directThreads,
        String command,
        GateRules gate) {
    private static final String BOT_VARIABLE = "bot_token_env";
    private static final String APP_VARIABLE = "app_token_env";
    private static final String BASE = "base_url";
    private static final String ANSWER = "answer_timeout";
    private static final String SILENCE = "silence_timeout";
    private static final String BACKFILL = "backfill_limit";
    private static final String MARKDOWN = "markdown";
    private static final String CHANNEL_THREADS = "reply_in_thread";
    private static final String DIRECT_THREADS = "dm_threads";
    private static final String COMMAND = "slash_command";
    private static final String USUAL_BASE = "https://slack.com/api/";
    private static final String USUAL_COMMAND = "parley";
    private static final Pattern BOT_TOKEN = Pattern.compile("xox[a-z](?:\\.xox[a-z])?-[\\x21-\\x7e]{1,512}");
    private static final Pattern APP_TOKEN = Pattern.compile("xapp-[\\x21-\\x7e]{1,512}");

    /** The names of all settings. */
    static final Set<String> NAMES = names();

    private static Set<String> names() {
        Set<String> names = new HashSet<>(GateRules.SETTINGS);
        // Which of the users that a message names are bots would have to be asked for each.
        names.remove("exclusive_mentions");
        names.addAll(Set.of(
                BOT_VARIABLE,
                APP_VARIABLE,
                BASE,
                ANSWER,
                SILENCE,
                BACKFILL,
                MARKDOWN,
                CHANNEL_THREADS,
                DIRECT_THREADS,
                COMMAND));
        return Set.copyOf(names);
    }

    static SlackSettings of(ProviderSettings settings) {
        SettingsReader read = new SettingsReader(settings);
        String botVariable = read.variable(BOT_VARIABLE, "SLACK_BOT_TOKEN");
        String appVariable = read.variable(APP_VARIABLE, "SLACK_APP_TOKEN");
        return new SlackSettings(
                botVariable,
                read.secret(
                        botVariable,
                        BOT_TOKEN,
                        "put the app's Bot User OAuth Token into it, or name another variable under "
                                + settings.nameOf(BOT_VARIABLE),
                        "no bot token, which begins with xoxb-; copy it once more from OAuth & Permissions"),
                appVariable,
                read.secret(
                        appVariable,
                        APP_TOKEN,
                        "put an app-level token with the scope connections:write into it, or name another variable under "
                                + settings.nameOf(APP_VARIABLE),
                        "no app-level token, which begins with xapp-; copy it once more from Basic Information"),
                read.address(BASE, settings.value(BASE).orElse(USUAL_BASE), "the app's tokens", USUAL_BASE),
                read.seconds(ANSWER, 15, 1, 120),
                read.seconds(SILENCE, 75, 1, 600),
                read.number(BACKFILL, 1_000, 1, 100_000),
                read.flag(MARKDOWN, true),
                read.flag(CHANNEL_THREADS, true),
                read.flag(DIRECT_THREADS, false),
                settings.value(COMMAND).orElse(USUAL_COMMAND).replaceFirst("^/", ""),
                GateRules.of(settings, true));
    }
}
