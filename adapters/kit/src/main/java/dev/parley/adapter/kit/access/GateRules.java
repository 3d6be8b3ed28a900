package dev.parley.adapter.kit.access;

import dev.parley.adapter.kit.settings.SettingsReader;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Which messages of a group are for the agent. Direct chats pass whatever these say, but for other bots.
 *
 * @param requireMention whether a message of a group must name the agent, answer it, or be a command for it
 * @param freeChats groups in which nothing need be named
 * @param allowedChats the only groups listened to; empty means all
 * @param ignoredChats groups never listened to
 * @param allowedThreads the only threads or topics listened to; empty means all
 * @param ignoredThreads threads or topics never listened to
 * @param mentionPatterns words that count as naming the agent, as regular expressions without regard to case
 * @param bots what other bots say
 * @param threadParticipation whether a thread in which the agent has spoken needs no further mention
 * @param exclusiveMentions whether a message that names other bots but not this one is for them alone
 */
public record GateRules(
        boolean requireMention,
        Set<String> freeChats,
        Set<String> allowedChats,
        Set<String> ignoredChats,
        Set<String> allowedThreads,
        Set<String> ignoredThreads,
        List<Pattern> mentionPatterns,
        Bots bots,
        boolean threadParticipation,
        boolean exclusiveMentions) {
    /** The names of the settings, for {@code PlatformProvider.settings()}. */
    public static final Set<String> SETTINGS = Set.of(
            "require_mention",
            "free_chats",
            "allowed_chats",
            "ignored_chats",
            "allowed_threads",
            "ignored_threads",
            "mention_patterns",
            "allow_bots",
            "thread_participation",
            "exclusive_mentions");

    /** Copies the lists. */
    public GateRules {
        freeChats = Set.copyOf(freeChats);
        allowedChats = Set.copyOf(allowedChats);
        ignoredChats = Set.copyOf(ignoredChats);
        allowedThreads = Set.copyOf(allowedThreads);
        ignoredThreads = Set.copyOf(ignoredThreads);
        mentionPatterns = List.copyOf(mentionPatterns);
    }

    /** What other bots may say to the agent. */
    public enum Bots {
        /** Nothing: two agents that answer each other never end. */
        NONE,
        /** What names the agent. */
        MENTIONS,
        /** Everything that a person may say. */
        ALL
    }

    /**
     * Reads the rules of a platform's section.
     *
     * @param settings the section
     * @param requireMention whether a mention is required where the section does not say
     * @throws InvalidRequest where a value is none of those it may be, naming the setting
     */
    public static GateRules of(ProviderSettings settings, boolean requireMention) {
        SettingsReader read = new SettingsReader(settings);
        return new GateRules(
                read.flag("require_mention", requireMention),
                read.list("free_chats"),
                read.list("allowed_chats"),
                read.list("ignored_chats"),
                read.list("allowed_threads"),
                read.list("ignored_threads"),
                patterns(settings),
                bots(settings),
                read.flag("thread_participation", true),
                read.flag("exclusive_mentions", true));
    }

    private static List<Pattern> patterns(ProviderSettings settings) {
        String name = "mention_patterns";
        return settings.value(name).stream()
                .flatMap(text -> text.lines())
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(line -> pattern(settings, name, line))
                .toList();
    }

    private static Pattern pattern(ProviderSettings settings, String name, String text) {
        try {
            return Pattern.compile(text, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        } catch (PatternSyntaxException e) {
            throw new InvalidRequest(
                    settings.nameOf(name) + ": '" + text + "' is no regular expression: " + e.getDescription() + ".");
        }
    }

    private static Bots bots(ProviderSettings settings) {
        String text = settings.value("allow_bots").orElse("none").toLowerCase(Locale.ROOT);
        return switch (text) {
            case "none", "false" -> Bots.NONE;
            case "mentions" -> Bots.MENTIONS;
            case "all", "true" -> Bots.ALL;
            default ->
                throw new InvalidRequest(
                        settings.nameOf("allow_bots") + ": '" + text + "' is none of none, mentions, all.");
        };
    }
}
