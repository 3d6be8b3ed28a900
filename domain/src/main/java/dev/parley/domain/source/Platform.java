package dev.parley.domain.source;

import java.util.Locale;

/**
 * The name of a messaging platform, trimmed and in lower case. A platform need not be {@linkplain Platforms known} to
 * have a name.
 *
 * @param name never blank
 */
public record Platform(String name) implements Comparable<Platform> {
    public static final Platform LOCAL = new Platform("local");
    public static final Platform TELEGRAM = new Platform("telegram");
    public static final Platform DISCORD = new Platform("discord");
    public static final Platform SLACK = new Platform("slack");
    public static final Platform SIGNAL = new Platform("signal");
    public static final Platform WHATSAPP = new Platform("whatsapp");
    public static final Platform WHATSAPP_CLOUD = new Platform("whatsapp_cloud");
    public static final Platform MATRIX = new Platform("matrix");
    public static final Platform BLUEBUBBLES = new Platform("bluebubbles");
    public static final Platform IMESSAGE = new Platform("imessage");
    public static final Platform YUANBAO = new Platform("yuanbao");
    public static final Platform FEISHU = new Platform("feishu");
    public static final Platform GOOGLE_CHAT = new Platform("google_chat");
    public static final Platform WEBHOOK = new Platform("webhook");
    public static final Platform API_SERVER = new Platform("api_server");

    /**
     * Trims the name and puts it in lower case (S1.13).
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public Platform {
        name = name.strip().toLowerCase(Locale.ROOT);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("A platform needs a name, e.g. 'telegram'");
        }
    }

    /** The platform of that name; see the constructor. */
    public static Platform of(String name) {
        return new Platform(name);
    }

    /** The name for people: each word with a capital, underscores as spaces ({@code google_chat}: Google Chat). */
    public String displayName() {
        StringBuilder display = new StringBuilder(name.length());
        boolean wordStarts = true;
        for (int point : name.codePoints().toArray()) {
            boolean separator = point == '_' || point == ' ';
            display.appendCodePoint(separator ? ' ' : wordStarts ? Character.toTitleCase(point) : point);
            wordStarts = separator || point == '-';
        }
        return display.toString();
    }

    /** By name. */
    @Override
    public int compareTo(Platform other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
