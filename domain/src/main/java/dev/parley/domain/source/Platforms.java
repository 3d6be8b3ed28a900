package dev.parley.domain.source;

import dev.parley.domain.text.Nearest;
import dev.parley.domain.text.OneLine;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The platform names that are known: the built-in ones and those that adapters bring. Immutable. */
public final class Platforms {
    private static final Platforms BUILT_IN = of(
            "api_server",
            "bluebubbles",
            "dingtalk",
            "discord",
            "email",
            "feishu",
            "google_chat",
            "homeassistant",
            "imessage",
            "irc",
            "line",
            "local",
            "matrix",
            "mattermost",
            "msgraph_webhook",
            "ntfy",
            "qqbot",
            "signal",
            "simplex",
            "slack",
            "sms",
            "teams",
            "telegram",
            "webhook",
            "wecom",
            "wecom_callback",
            "weixin",
            "whatsapp",
            "whatsapp_cloud",
            "yuanbao");

    private final SortedSet<Platform> known;

    private Platforms(SortedSet<Platform> known) {
        this.known = Collections.unmodifiableSortedSet(known);
    }

    private static Platforms of(String... names) {
        SortedSet<Platform> known = new TreeSet<>();
        for (String name : names) {
            known.add(Platform.of(name));
        }
        return new Platforms(known);
    }

    /** The names that are known without any adapter. */
    public static Platforms builtIn() {
        return BUILT_IN;
    }

    /** These names and the given ones. */
    public Platforms plus(Collection<Platform> more) {
        SortedSet<Platform> all = new TreeSet<>(known);
        all.addAll(more);
        return new Platforms(all);
    }

    /** The known platform of that name, trimmed and in any case (S1.13); empty if the name is blank or unknown. */
    public Optional<Platform> find(String name) {
        if (name.isBlank()) {
            return Optional.empty();
        }
        Platform platform = Platform.of(name);
        return known.contains(platform) ? Optional.of(platform) : Optional.empty();
    }

    /**
     * The known platform of that name, trimmed and in any case (S1.13).
     *
     * @throws IllegalArgumentException if the name is blank or unknown; its message is one line and suggests the
     *     nearest known name, or lists all of them
     */
    public Platform parse(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        name.isBlank() ? "The platform name is empty; " + list() : unknown(name)));
    }

    /** All known platforms by name. */
    public Collection<Platform> all() {
        return known;
    }

    private String unknown(String name) {
        return "Unknown platform " + OneLine.quoted(name.strip()) + "; "
                + Nearest.to(name, known.stream().map(Platform::name).toList())
                        .map(platform -> "did you mean '" + platform + "'?")
                        .orElseGet(this::list);
    }

    private String list() {
        StringBuilder list = new StringBuilder("known are ");
        String separator = "";
        for (Platform platform : known) {
            list.append(separator).append(platform);
            separator = ", ";
        }
        return list.toString();
    }
}
