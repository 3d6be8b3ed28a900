package dev.parley.fakes.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks what is handed in to be shown, as the Cloud API does. */
final class SentMessage {
    private static final int LONGEST_TEXT = 4096;
    private static final int LONGEST_CAPTION = 1024;
    private static final int MOST_BUTTONS = 3;
    private static final int LONGEST_BUTTON = 20;
    private static final int MOST_ROWS = 10;
    private static final int LONGEST_ROW = 24;
    private static final int LONGEST_DESCRIPTION = 72;
    private static final int LONGEST_OPAQUE = 512;

    private SentMessage() {}

    /** Refuses what the Cloud API would not take. */
    static void check(JsonNode message) throws GraphFault {
        need(message.path("messaging_product").asText().equals("whatsapp"), "messaging_product");
        need(message.path("to").asText().matches("\\+?[0-9]{5,20}"), "to");
        need(message.path("biz_opaque_callback_data").asText().length() <= LONGEST_OPAQUE, "biz_opaque_callback_data");
        if (message.has("context")) {
            need(message.path("context").path("message_id").asText().startsWith("wamid."), "context.message_id");
        }
        String type = message.path("type").asText("text");
        switch (type) {
            case "text" -> length(message.path("text").path("body").asText(), LONGEST_TEXT, "text.body");
            case "interactive" -> interactive(message.path("interactive"));
            case "reaction" -> need(message.path("reaction").path("message_id").isTextual(), "reaction.message_id");
            case "image", "video", "document", "audio", "sticker" -> {
                JsonNode file = message.path(type);
                need(file.path("id").isTextual() || file.path("link").isTextual(), type + ".id");
                need(file.path("caption").asText().length() <= LONGEST_CAPTION, type + ".caption");
                need(!type.equals("audio") || !file.has("caption"), "audio.caption");
            }
            default -> throw GraphFault.of(400, 131051, "(#131051) Message type is currently not supported.");
        }
    }

    private static void interactive(JsonNode interactive) throws GraphFault {
        boolean list = interactive.path("type").asText().equals("list");
        String body = interactive.path("body").path("text").asText();
        length(body, list ? LONGEST_TEXT : LONGEST_CAPTION, "interactive.body");
        Set<String> ids = new HashSet<>();
        Set<String> titles = new HashSet<>();
        for (JsonNode each : choices(interactive)) {
            String title = each.path("title").asText();
            length(title, list ? LONGEST_ROW : LONGEST_BUTTON, "interactive title");
            need(each.path("description").asText().length() <= LONGEST_DESCRIPTION, "interactive description");
            need(ids.add(each.path("id").asText()) && titles.add(title), "interactive choices that are alike");
        }
        need(!ids.isEmpty() && ids.size() <= (list ? MOST_ROWS : MOST_BUTTONS), "interactive choices");
        if (list) {
            length(interactive.path("action").path("button").asText(), LONGEST_BUTTON, "interactive.action.button");
        }
    }

    /** Returns the buttons or rows of a question, each with an id and a title. */
    static List<JsonNode> choices(JsonNode interactive) {
        List<JsonNode> choices = new ArrayList<>();
        JsonNode action = interactive.path("action");
        action.path("buttons").forEach(button -> choices.add(button.path("reply")));
        action.path("sections").forEach(section -> section.path("rows").forEach(choices::add));
        return choices;
    }

    private static void length(String text, int most, String what) throws GraphFault {
        need(!text.isBlank() && text.length() <= most, what);
    }

    private static void need(boolean holds, String what) throws GraphFault {
        if (!holds) {
            throw GraphFault.parameter(what);
        }
    }
}
