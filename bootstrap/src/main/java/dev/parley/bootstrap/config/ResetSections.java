package dev.parley.bootstrap.config;

import dev.parley.domain.reset.AppliedPolicy;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads what ends sessions: {@code session_reset}, and the policies of platforms and of types of chats. */
final class ResetSections {
    private static final Set<String> MODES = Set.of("none", "idle", "daily", "both");
    private static final List<String> CHAT_TYPES = List.of("dm", "group", "channel", "thread");

    private final ConfigReader read;
    private final Platforms platforms;
    private final Set<String> platformSections;

    /**
     * Reads nothing yet.
     *
     * @param platformSections the names that may stand under {@code platforms}
     */
    ResetSections(ConfigReader read, Platforms platforms, Set<String> platformSections) {
        this.read = read;
        this.platforms = platforms;
        this.platformSections = platformSections;
    }

    /** Returns the general policy, and those of platforms and of types of chats. */
    ResetPolicies policies() {
        ResetPolicy general = policy("session_reset");
        general = fromVariables(general);
        Map<Platform, AppliedPolicy> byPlatform = new LinkedHashMap<>();
        Map<ChatType, ResetPolicy> byType = new LinkedHashMap<>();
        for (String type : read.namesIn("reset_by_type", Set.copyOf(CHAT_TYPES))) {
            String path = "reset_by_type." + type;
            if (!CHAT_TYPES.contains(type)) {
                read.know(path);
                read.warn(
                        path,
                        "\"" + type + "\" is not a chat type (" + String.join(", ", CHAT_TYPES)
                                + "); its policy is ignored");
            } else if (read.hasSection(path)) {
                byType.put(new ChatType(type), policy(path));
            }
        }
        for (String name : read.namesIn("reset_by_platform", Set.of())) {
            putPolicy(byPlatform, name, "reset_by_platform." + name);
        }
        for (String name : read.namesIn("platforms", platformSections)) {
            String path = "platforms." + name + ".session_reset";
            if (read.hasSection(path)) {
                putPolicy(byPlatform, PlatformSections.platformOf(name), path);
            }
        }
        return new ResetPolicies(general, byPlatform, byType);
    }

    private void putPolicy(Map<Platform, AppliedPolicy> byPlatform, String name, String path) {
        Optional<Platform> platform = platforms.find(name);
        if (platform.isEmpty()) {
            read.know(path);
            read.warn(
                    path,
                    "no platform is called \"" + name + "\"; its policy is ignored"
                            + ConfigReader.suggestion(name, platformNames()));
        } else if (read.hasSection(path)) {
            byPlatform.put(platform.get(), new AppliedPolicy(policy(path), path));
        }
    }

    /** A policy is read as a whole: what it does not say takes the built-in default, not the general policy (R6.8, F13.3). */
    private ResetPolicy policy(String path) {
        ResetPolicy standard = ResetPolicy.DEFAULT;
        read.hasSection(path);
        String mode = read.word(path + ".mode", standard.mode().name().toLowerCase(Locale.ROOT), MODES);
        return new ResetPolicy(
                ResetMode.valueOf(mode.toUpperCase(Locale.ROOT)),
                (int) read.wholeWithin(path + ".at_hour", standard.atHour(), 0, 23),
                Duration.ofMinutes(read.wholeWithin(
                        path + ".idle_minutes", standard.idle().toMinutes(), 1, ConfigReader.MINUTES_MOST)),
                read.bool(path + ".notify", standard.notifyUser()),
                new LinkedHashSet<>(read.texts(
                        path + ".notify_exclude_platforms",
                        standard.notifyExcludePlatforms().stream().sorted().toList())),
                Duration.ofSeconds(Math.max(
                        0,
                        Math.round(read.number(
                                        path + ".bg_process_max_age_hours",
                                        standard.backgroundProcessMaxAge().toSeconds() / 3600.0)
                                * 3600))));
    }

    /** The two variables that override the general policy (F13.1); numbers that cannot be read are ignored. */
    private ResetPolicy fromVariables(ResetPolicy general) {
        ResetPolicy policy = general;
        OptionalInt minutes = number(read.variableNamed("SESSION_IDLE_MINUTES"));
        if (minutes.isPresent() && minutes.getAsInt() > 0) {
            policy = policy.withIdle(Duration.ofMinutes(minutes.getAsInt()));
            read.override("session_reset.idle_minutes", minutes.getAsInt() + "", "environment SESSION_IDLE_MINUTES");
        }
        OptionalInt hour = number(read.variableNamed("SESSION_RESET_HOUR"));
        if (hour.isPresent() && hour.getAsInt() >= 0 && hour.getAsInt() < 24) {
            policy = policy.withAtHour(hour.getAsInt());
            read.override("session_reset.at_hour", hour.getAsInt() + "", "environment SESSION_RESET_HOUR");
        }
        return policy;
    }

    private static OptionalInt number(Optional<String> text) {
        try {
            return text.isPresent() ? OptionalInt.of(Integer.parseInt(text.get())) : OptionalInt.empty();
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    private Set<String> platformNames() {
        return platforms.all().stream().map(Platform::name).collect(Collectors.toSet());
    }
}
