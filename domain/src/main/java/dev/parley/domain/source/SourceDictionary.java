package dev.parley.domain.source;

import dev.parley.domain.text.OneLine;
import dev.parley.domain.text.Unicode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The dictionary form of a {@link SessionSource}, in which it is stored and in which the command line takes it (S1.9 to
 * S1.13). Reading what was written gives the same source, except for the three components that are never stored (S1.11).
 */
public final class SourceDictionary {
    private static final int MOST_DIGITS = 100;

    private SourceDictionary() {}

    /**
     * The dictionary, in the order in which it is written. The first eight keys are always there, with null for what is
     * absent (S1.9); the others only when they say something (S1.10). The scope stands under both its names.
     */
    public static Map<String, @Nullable Object> write(SessionSource source) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("platform", source.platform().name());
        fields.put("chat_id", source.chatId());
        fields.put("chat_name", source.chatName().orElse(null));
        fields.put("chat_type", source.chatType().value());
        fields.put("user_id", source.userId().orElse(null));
        fields.put("user_name", source.userName().orElse(null));
        fields.put("thread_id", source.threadId().orElse(null));
        fields.put("chat_topic", source.chatTopic().orElse(null));
        source.userIdAlt().ifPresent(value -> fields.put("user_id_alt", value));
        source.chatIdAlt().ifPresent(value -> fields.put("chat_id_alt", value));
        source.scopeId().ifPresent(value -> {
            fields.put("scope_id", value);
            fields.put("guild_id", value);
        });
        source.parentChatId().ifPresent(value -> fields.put("parent_chat_id", value));
        source.messageId().ifPresent(value -> fields.put("message_id", value));
        source.profile().ifPresent(value -> fields.put("profile", value));
        if (source.autoThreadCreated()) {
            fields.put("auto_thread_created", true);
        }
        source.autoThreadInitialName().ifPresent(value -> fields.put("auto_thread_initial_name", value));
        return fields;
    }

    /**
     * The source that a dictionary describes (S1.12). Numbers are taken as text; null and empty text mean absent; a
     * missing chat type means {@code dm}; unknown keys and the keys of S1.11 are ignored.
     *
     * @throws MalformedSourceException if the platform is missing or not among the known ones (S1.13), the chat id is
     *     missing or null, a text field holds something other than text or a number, a number has more than 100 digits, or a text is not
     *     valid Unicode
     */
    public static SessionSource read(Map<String, ? extends @Nullable Object> fields, Platforms known) {
        Platform platform = platform(fields, known);
        String chatId = text(fields, "chat_id")
                .orElseThrow(() -> new MalformedSourceException("A source needs 'chat_id' (text, may be empty)"));
        return SessionSource.builder(platform, chatId)
                .chatName(optional(fields, "chat_name"))
                .chatType(text(fields, "chat_type")
                        .filter(value -> !value.isEmpty())
                        .map(ChatType::of)
                        .orElse(ChatType.DM))
                .userId(optional(fields, "user_id"))
                .userName(optional(fields, "user_name"))
                .threadId(optional(fields, "thread_id"))
                .chatTopic(optional(fields, "chat_topic"))
                .userIdAlt(optional(fields, "user_id_alt"))
                .chatIdAlt(optional(fields, "chat_id_alt"))
                .scopeId(optional(fields, "scope_id"))
                .guildId(optional(fields, "guild_id"))
                .parentChatId(optional(fields, "parent_chat_id"))
                .messageId(optional(fields, "message_id"))
                .profile(optional(fields, "profile"))
                .autoThreadCreated(Boolean.TRUE.equals(fields.get("auto_thread_created")))
                .autoThreadInitialName(optional(fields, "auto_thread_initial_name"))
                .build();
    }

    private static Platform platform(Map<String, ? extends @Nullable Object> fields, Platforms known) {
        Object value = fields.get("platform");
        if (value == null) {
            throw new MalformedSourceException("A source needs 'platform', e.g. 'telegram'");
        }
        if (!(value instanceof String name)) {
            throw new MalformedSourceException("'platform' must be text, not " + kind(value));
        }
        try {
            return known.parse(name);
        } catch (IllegalArgumentException unknown) {
            throw new MalformedSourceException(String.valueOf(unknown.getMessage()));
        }
    }

    private static @Nullable String optional(Map<String, ? extends @Nullable Object> fields, String key) {
        return text(fields, key).orElse(null);
    }

    private static Optional<String> text(Map<String, ? extends @Nullable Object> fields, String key) {
        Object value = fields.get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof BigDecimal number) {
            return Optional.of(plain(key, number));
        }
        if (value instanceof BigInteger number) {
            return Optional.of(plain(key, new BigDecimal(number)));
        }
        if (value instanceof Number) {
            return Optional.of(value.toString());
        }
        if (!(value instanceof String text)) {
            throw new MalformedSourceException(OneLine.quoted(key) + " must be text or a number, not " + kind(value));
        }
        if (!Unicode.isWellFormed(text)) {
            throw new MalformedSourceException(OneLine.quoted(key) + " is not valid Unicode: half a surrogate pair");
        }
        return Optional.of(text);
    }

    /** Writes a number without its exponent; an exponent that makes the text too long is refused before it takes memory. */
    private static String plain(String key, BigDecimal number) {
        if (number.precision() > MOST_DIGITS || Math.abs((long) number.scale()) > MOST_DIGITS) {
            throw new MalformedSourceException(
                    OneLine.quoted(key) + " is a number of more than " + MOST_DIGITS + " digits; write text");
        }
        return number.toPlainString();
    }

    private static String kind(Object value) {
        if (value instanceof Map) {
            return "an object";
        }
        if (value instanceof Iterable) {
            return "a list";
        }
        if (value instanceof Boolean) {
            return "true or false";
        }
        return value instanceof Number ? "a number" : "this kind of value";
    }
}
