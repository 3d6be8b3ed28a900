package dev.parley.fakes.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** What Meta posts, in its form. */
record Posted(String account, String number, String display) {
    static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns a new id of a message with a person. */
    static String id(String person, long count) {
        return "wamid."
                + Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString((person + ":" + count).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a post with one change for each value. */
    ObjectNode post(List<? extends JsonNode> values) {
        ObjectNode post = JSON.createObjectNode().put("object", "whatsapp_business_account");
        ObjectNode entry = post.putArray("entry").addObject().put("id", account);
        var changes = entry.putArray("changes");
        values.forEach(value -> changes.addObject().put("field", "messages").set("value", value));
        return post;
    }

    /** Returns the value of a change in which somebody wrote. */
    ObjectNode written(String person, String name, JsonNode message) {
        ObjectNode value = value();
        value.putArray("contacts")
                .addObject()
                .put("wa_id", person)
                .putObject("profile")
                .put("name", name);
        value.putArray("messages").add(message);
        return value;
    }

    /** Returns the value of a change that tells how far a message has come. */
    ObjectNode status(
            String id, String person, String status, Instant at, Optional<String> opaque, Optional<GraphFault> why) {
        ObjectNode value = value();
        ObjectNode node = value.putArray("statuses")
                .addObject()
                .put("id", id)
                .put("status", status)
                .put("timestamp", String.valueOf(at.getEpochSecond()))
                .put("recipient_id", person);
        opaque.ifPresent(text -> node.put("biz_opaque_callback_data", text));
        why.ifPresent(error -> {
            ObjectNode told = node.putArray("errors").addObject();
            told.put("code", error.code()).put("title", error.getMessage()).put("message", error.getMessage());
            told.putObject("error_data").put("details", String.valueOf(error.getMessage()));
        });
        return value;
    }

    private ObjectNode value() {
        ObjectNode value = JSON.createObjectNode().put("messaging_product", "whatsapp");
        value.putObject("metadata").put("display_phone_number", display).put("phone_number_id", number);
        return value;
    }
}
