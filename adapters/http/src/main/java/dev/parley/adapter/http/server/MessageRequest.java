package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.Received;
import dev.parley.domain.source.MalformedSourceException;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.turn.Attachment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message in the body of a request. The source stands under {@code source} in its dictionary form (S1.12), or its keys stand
 * beside the text; without a platform it is {@code webhook}.
 *
 * @param received the message
 * @param waits whether the caller wants to wait for the answer
 */
record MessageRequest(Received received, boolean waits) {
    private static final String SOURCE = "source";
    private static final String TEXT = "text";
    private static final String ATTACHMENTS = "attachments";
    private static final String MESSAGE_ID = "message_id";
    private static final String WAIT = "wait";
    private static final String PLATFORM = "platform";
    private static final int LONGEST_ID = 400;
    private static final int LONGEST_NAME = 1_000;
    private static final int LONGEST_URL = 1 << 20;
    private static final int MOST_ATTACHMENTS = 100;

    /** The fields of a source that are only shown. */
    private static final Set<String> NAMES = Set.of("chat_name", "user_name", "chat_topic", "auto_thread_initial_name");

    /** The fields of a source that tell chats and people apart. */
    private static final Set<String> IDS = Set.of(
            PLATFORM,
            MESSAGE_ID,
            "chat_id",
            "chat_type",
            "user_id",
            "thread_id",
            "user_id_alt",
            "chat_id_alt",
            "scope_id",
            "guild_id",
            "parent_chat_id",
            "profile");

    /**
     * Reads the body of a request.
     *
     * @param allowed the platforms in whose names the caller may speak
     * @throws Rejected where it is not a message, or speaks in the name of another platform
     */
    static MessageRequest read(ObjectNode body, Set<Platform> allowed) {
        SessionSource source = source(body, allowed);
        Optional<String> messageId = id(body).or(source::messageId);
        String text = text(body);
        List<Attachment> attachments = attachments(body);
        if (text.isEmpty() && attachments.isEmpty()) {
            throw new Rejected(400, "'text' is missing; a message needs a text or attachments.");
        }
        return new MessageRequest(
                new Received(
                        source.toBuilder().messageId(messageId.orElse(null)).build(), text, attachments, messageId),
                waits(body));
    }

    private static SessionSource source(ObjectNode body, Set<Platform> allowed) {
        JsonNode given = body.get(SOURCE);
        ObjectNode fields;
        if (isAbsent(given)) {
            fields = body.deepCopy();
            fields.remove(List.of(TEXT, ATTACHMENTS, WAIT, SOURCE));
        } else if (given instanceof ObjectNode object) {
            fields = object.deepCopy();
        } else {
            throw new Rejected(
                    400, "'source' must be an object, such as {\"platform\":\"webhook\",\"chat_id\":\"1\"}.");
        }
        if (isAbsent(fields.get(PLATFORM))) {
            fields.put(PLATFORM, Platform.WEBHOOK.name());
        }
        plain(fields);
        SessionSource source = read(fields);
        if (!allowed.contains(source.platform())) {
            throw new Rejected(
                    403,
                    "This token may not speak for the platform '" + source.platform() + "'; leave 'platform' out for '"
                            + Platform.WEBHOOK + "', or set a bridge token for it.");
        }
        return source;
    }

    /** Makes whole numbers text and refuses what no id can be, before anything is made of it. */
    private static void plain(ObjectNode fields) {
        for (Map.Entry<String, JsonNode> field : List.copyOf(fields.properties())) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            if (value.isNumber() || value.isTextual()) {
                if (IDS.contains(name)) {
                    fields.put(name, identifier(name, value));
                } else if (NAMES.contains(name)) {
                    fields.put(name, bounded(name, plain(name, value), LONGEST_NAME));
                }
            }
        }
    }

    /** Ids stand in keys, logs and lines of output, so nothing in them may break a line or hide. */
    private static String identifier(String name, JsonNode value) {
        String text = bounded(name, plain(name, value), LONGEST_ID);
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new Rejected(400, OneLine.quoted(name) + " holds a control character, such as a line break.");
        }
        return text;
    }

    private static String plain(String name, JsonNode value) {
        if (value.isNumber() && !value.isIntegralNumber()) {
            throw new Rejected(
                    400,
                    OneLine.quoted(name) + " must be text or a whole number, written without a point or an exponent.");
        }
        return value.asText();
    }

    private static String bounded(String name, String text, int most) {
        if (text.length() > most) {
            throw new Rejected(
                    400,
                    OneLine.quoted(name) + " has " + text.length() + " characters; at most " + most + " are taken.");
        }
        return text;
    }

    @SuppressWarnings("unchecked")
    private static SessionSource read(ObjectNode fields) {
        try {
            return SourceDictionary.read((Map<String, @Nullable Object>) Json.map(fields), Platforms.builtIn());
        } catch (MalformedSourceException e) {
            throw new Rejected(400, String.valueOf(e.getMessage()));
        }
    }

    private static Optional<String> id(ObjectNode body) {
        JsonNode id = body.get(MESSAGE_ID);
        if (isAbsent(id)) {
            return Optional.empty();
        }
        if (!id.isTextual() && !id.isNumber()) {
            throw new Rejected(400, "'message_id' must be text or a number.");
        }
        return Optional.of(unicode(MESSAGE_ID, identifier(MESSAGE_ID, id))).filter(text -> !text.isEmpty());
    }

    private static String text(ObjectNode body) {
        JsonNode text = body.get(TEXT);
        if (isAbsent(text)) {
            return "";
        }
        if (!text.isTextual()) {
            throw new Rejected(400, "'text' must be text, not " + kind(text) + ".");
        }
        return unicode(TEXT, text.textValue());
    }

    private static List<Attachment> attachments(ObjectNode body) {
        JsonNode list = body.get(ATTACHMENTS);
        if (isAbsent(list)) {
            return List.of();
        }
        if (!list.isArray()) {
            throw new Rejected(400, "'attachments' must be a list, not " + kind(list) + ".");
        }
        if (list.size() > MOST_ATTACHMENTS) {
            throw new Rejected(
                    400, "'attachments' has " + list.size() + " entries; at most " + MOST_ATTACHMENTS + " are taken.");
        }
        List<Attachment> attachments = new ArrayList<>();
        for (JsonNode each : list) {
            attachments.add(attachment(each));
        }
        return attachments;
    }

    private static Attachment attachment(JsonNode node) {
        String location = field(node, "url", LONGEST_URL)
                .or(() -> field(node, "location", LONGEST_URL))
                .orElseThrow(() -> new Rejected(400, "An attachment needs 'url', where it can be fetched."));
        String lower = location.toLowerCase(Locale.ROOT);
        if (!lower.startsWith("https://") && !lower.startsWith("http://") && !lower.startsWith("data:")) {
            throw new Rejected(
                    400, "The 'url' of an attachment must begin with https:, http: or data:; files are not taken.");
        }
        return new Attachment(
                field(node, "kind", LONGEST_ID).orElse("document"),
                location,
                field(node, "name", LONGEST_NAME),
                field(node, "media_type", LONGEST_ID));
    }

    private static Optional<String> field(JsonNode node, String name, int most) {
        JsonNode value = node.get(name);
        if (isAbsent(value)) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw new Rejected(400, "'" + name + "' of an attachment must be text, not " + kind(value) + ".");
        }
        return Optional.of(unicode(name, bounded(name, value.textValue(), most)))
                .filter(text -> !text.isEmpty());
    }

    private static boolean waits(ObjectNode body) {
        JsonNode wait = body.get(WAIT);
        if (isAbsent(wait)) {
            return true;
        }
        if (!wait.isBoolean()) {
            throw new Rejected(400, "'wait' must be true or false.");
        }
        return wait.booleanValue();
    }

    private static String unicode(String name, String text) {
        if (!Unicode.isWellFormed(text)) {
            throw new Rejected(400, "'" + name + "' is not valid Unicode: half a surrogate pair.");
        }
        return text;
    }

    private static boolean isAbsent(@Nullable JsonNode node) {
        return node == null || node.isNull();
    }

    private static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "a list";
            case OBJECT -> "an object";
            case BOOLEAN -> "true or false";
            case NUMBER -> "a number";
            default -> "this kind of value";
        };
    }
}
