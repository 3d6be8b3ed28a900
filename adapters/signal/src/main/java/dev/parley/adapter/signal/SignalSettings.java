package dev.parley.adapter.signal;

import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.flow.Overheard;
import dev.parley.adapter.kit.settings.SettingsReader;
import dev.parley.adapter.signal.inbound.Place;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings of an account in Signal.
 *
 * @param base the address of the signal-cli daemon, without a slash at its end
 * @param account the account's number, as {@code +} and digits
 * @param answerTimeout how long the daemon may take for an answer
 * @param markdown whether what is sent is read as Markdown
 * @param quotes whether an answer quotes the message that it replies to
 * @param gate which messages of groups are for the agent
 * @param observe whether what is not for the agent is kept until something is
 */
record SignalSettings(
        URI base,
        String account,
        Duration answerTimeout,
        boolean markdown,
        boolean quotes,
        GateRules gate,
        boolean observe) {
    private static final String BASE_URL = "base_url";
    private static final String ACCOUNT = "account";
    private static final String REMOTE = "allow_remote";
    private static final String ANSWER = "answer_timeout";
    private static final String MARKDOWN = "markdown";
    private static final String QUOTES = "reply_to_message";
    private static final String USUAL_URL = "http://127.0.0.1:8080";
    private static final Pattern NUMBER = Pattern.compile("\\+[1-9][0-9]{3,17}");

    /** The names of all settings. */
    static final Set<String> NAMES = Set.of(
            BASE_URL,
            ACCOUNT,
            REMOTE,
            ANSWER,
            MARKDOWN,
            QUOTES,
            "require_mention",
            "free_chats",
            "allowed_chats",
            "ignored_chats",
            "mention_patterns",
            Overheard.SETTING);

    static SignalSettings of(ProviderSettings settings) {
        SettingsReader read = new SettingsReader(settings);
        String account = settings.value(ACCOUNT)
                .map(text -> text.replaceAll("[ ()./-]", ""))
                .orElseThrow(() -> new InvalidRequest(settings.nameOf(ACCOUNT)
                        + " is not set; write the number that signal-cli has an account for, in quotes, such as"
                        + " \"+15550100\"."));
        if (!NUMBER.matcher(account).matches()) {
            throw new InvalidRequest(settings.nameOf(ACCOUNT)
                    + " is no telephone number with its country code, in quotes, such as \"+15550100\".");
        }
        URI base = read.address(
                BASE_URL, settings.value(BASE_URL).orElse(USUAL_URL), "everything that people write", USUAL_URL);
        if (!read.flag(REMOTE, false) && !SettingsReader.isLoopback(base.getHost())) {
            throw new InvalidRequest(settings.nameOf(BASE_URL)
                    + " is not on this machine, and a signal-cli daemon lets everybody in who reaches it; use "
                    + USUAL_URL + ", or set " + settings.nameOf(REMOTE)
                    + ": true where something before it guards it.");
        }
        return new SignalSettings(
                base,
                account,
                read.seconds(ANSWER, 30, 1, 120),
                read.flag(MARKDOWN, true),
                read.flag(QUOTES, true),
                groups(GateRules.of(settings, false)),
                Overheard.isOn(settings));
    }

    /** Groups may be named by their ids alone, as signal-cli lists them. */
    private static GateRules groups(GateRules rules) {
        return new GateRules(
                rules.requireMention(),
                chats(rules.freeChats()),
                chats(rules.allowedChats()),
                chats(rules.ignoredChats()),
                rules.allowedThreads(),
                rules.ignoredThreads(),
                rules.mentionPatterns(),
                rules.bots(),
                rules.threadParticipation(),
                rules.exclusiveMentions());
    }

    private static Set<String> chats(Set<String> ids) {
        return ids.stream()
                .map(id -> id.startsWith(Place.GROUP) ? id : Place.GROUP + id)
                .collect(Collectors.toUnmodifiableSet());
    }
}
