package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.StringJoiner;

/** What was said. Whom it names stays as ids, which an agent needs to name them too. */
final class Texts {
    private Texts() {}

    /** Returns the text of a message, of what it forwards, and the names of its stickers. */
    static String of(JsonNode message) {
        StringJoiner all = new StringJoiner("\n");
        add(all, message.path("content").asText(""));
        for (JsonNode each : message.path("message_snapshots")) {
            add(all, each.path("message").path("content").asText(""));
        }
        for (JsonNode each : message.path("sticker_items")) {
            add(all, "(sticker: " + each.path("name").asText("") + ")");
        }
        return all.toString().strip();
    }

    private static void add(StringJoiner all, String text) {
        if (!text.isBlank()) {
            all.add(text);
        }
    }

    /** Returns whether a text names a user. */
    static boolean names(String text, String user) {
        return text.contains("<@" + user + ">") || text.contains("<@!" + user + ">");
    }

    /** Returns a text without a user's name: the whole text where nothing else would be left. */
    static String without(String text, String user) {
        String rest = text.replaceAll("<@!?" + user + ">[:,]?[ \\t]*", "").strip();
        return rest.isEmpty() ? text.strip() : rest;
    }
}
