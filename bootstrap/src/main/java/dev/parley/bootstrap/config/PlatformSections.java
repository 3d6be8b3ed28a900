package dev.parley.bootstrap.config;

import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the sections of platforms. */
final class PlatformSections {
    private final ConfigReader read;
    private final Platforms platforms;
    private final Map<String, Set<String>> platformSettings;

    /**
     * Reads nothing yet.
     *
     * @param platforms the names of platforms
     * @param platformSettings the settings of each adapter, by the name of its section
     */
    PlatformSections(ConfigReader read, Platforms platforms, Map<String, Set<String>> platformSettings) {
        this.read = read;
        this.platforms = platforms;
        this.platformSettings = platformSettings;
    }

    /** Returns the sections that stand there, by their names. */
    Map<String, PlatformConfiguration> sections() {
        Map<String, PlatformConfiguration> sections = new LinkedHashMap<>();
        for (String name : read.namesIn("platforms", names())) {
            String path = "platforms." + name;
            if (!names().contains(name)) {
                read.know(path);
                read.error(path, "no platform is called \"" + name + "\"" + ConfigReader.suggestion(name, names()));
            } else if (read.isList(path)) {
                read.know(path);
                read.error(
                        path,
                        path + " is a list; a gateway has one account of each platform: write its settings right below "
                                + path + ", and give another account a gateway with a home of its own");
            } else if (read.hasSection(path)) {
                sections.put(name, platform(name, path));
            }
        }
        return sections;
    }

    private PlatformConfiguration platform(String name, String path) {
        String enabled = read.word(path + ".enabled", "", Set.of("true", "false", "yes", "no", "on", "off", "1", "0"));
        boolean on = Set.of("true", "yes", "on", "1").contains(enabled);
        if (on && !platformSettings.containsKey(name)) {
            // Which settings it has only the adapter knows.
            read.know(path);
            read.error(
                    path + ".enabled",
                    "there is no adapter for " + name + "; put its jar into plugins/, or set " + path
                            + ".enabled to false");
        }
        Optional<HomeChannel> home = homeChannel(platformOf(name), path + ".home_channel");
        List<String> allow = read.texts(path + ".allow", List.of());
        List<String> admins = read.texts(path + ".allow_admin_from", List.of());
        boolean notification = read.bool(path + ".gateway_restart_notification", true);
        return new PlatformConfiguration(
                name,
                Platform.of(platformOf(name)),
                enabled.isEmpty() ? Optional.empty() : Optional.of(on),
                home,
                allow,
                read.bool(path + ".pairing", false),
                admins,
                notification,
                read.valuesOf(path, platformSettings.getOrDefault(name, Set.of())));
    }

    /** A home channel is a chat id, or a section with chat_id, name and thread_id. */
    private Optional<HomeChannel> homeChannel(String platform, String path) {
        Optional<String> chat;
        Optional<String> name = Optional.empty();
        Optional<String> thread = Optional.empty();
        if (read.isSection(path)) {
            chat = read.text(path + ".chat_id");
            name = read.text(path + ".name");
            thread = read.text(path + ".thread_id");
            if (chat.isEmpty()) {
                read.error(path, path + ".chat_id is missing; write the chat that the operator reads");
            }
        } else {
            chat = read.text(path);
        }
        Optional<String> channelName = name;
        Optional<String> channelThread = thread;
        return chat.map(c -> new HomeChannel(Platform.of(platform), c, channelName, channelThread));
    }

    private Set<String> platformNames() {
        return platforms.all().stream().map(Platform::name).collect(Collectors.toSet());
    }

    /** The names that may stand under {@code platforms}: those of platforms, and the sections of adapters. */
    Set<String> names() {
        Set<String> sections = new LinkedHashSet<>(platformNames());
        sections.addAll(platformSettings.keySet());
        return sections;
    }

    /** The platform behind a section; the adapter of the generic webhook has its settings under {@code platforms.http}. */
    static String platformOf(String section) {
        return section.equals("http") ? Platform.WEBHOOK.name() : section;
    }
}
