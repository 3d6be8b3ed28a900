package dev.parley.adapter.whatsappcloud.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.json.Nulls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what Meta posts. Whatever a post holds, everything in it that can be read is, in its order. Safe for concurrent use. */
public final class PostReader {
    private static final String OBJECT = "whatsapp_business_account";
    private static final String FIELD = "messages";
    private static final int LONGEST_FAILURE = 200;

    private final String number;

    /** Reads for the number with this id; what is said to other numbers of the business is passed over. */
    public PostReader(String number) {
        this.number = number;
    }

    /** Returns everything that a post holds; never fails. */
    public List<Incoming> read(byte[] body) {
        JsonNode post = parsed(body);
        if (!post.path("object").asText().equals(OBJECT)) {
            return List.of(new Incoming.Unreadable(
                    post.isObject() ? "it is about no WhatsApp account" : "it is no JSON object"));
        }
        List<Incoming> read = new ArrayList<>();
        for (JsonNode entry : post.path("entry")) {
            for (JsonNode change : entry.path("changes")) {
                if (change.path("field").asText().equals(FIELD)) {
                    change(change.path("value"), read);
                }
            }
        }
        return read;
    }

    private void change(JsonNode value, List<Incoming> read) {
        JsonNode metadata = value.path("metadata");
        String to = metadata.path("phone_number_id").asText();
        if (to.isEmpty()) {
            read.add(new Incoming.Unreadable("it names no number that it is for"));
            return;
        }
        if (!to.equals(number)) {
            read.add(new Incoming.OfAnotherNumber());
            return;
        }
        MessageReader reader =
                new MessageReader(digits(metadata.path("display_phone_number").asText()), names(value));
        for (JsonNode message : value.path("messages")) {
            read.add(reader.read(message));
        }
        for (JsonNode status : value.path("statuses")) {
            read.add(status(status));
        }
        for (JsonNode error : value.path("errors")) {
            read.add(new Incoming.Unreadable("Meta tells of a failure of its own, " + failure(error)));
        }
    }

    private static Map<String, String> names(JsonNode value) {
        Map<String, String> names = new HashMap<>();
        for (JsonNode contact : value.path("contacts")) {
            String name = contact.path("profile").path("name").asText().strip();
            if (!name.isEmpty()) {
                names.put(contact.path("wa_id").asText(), name);
            }
        }
        return names;
    }

    private static Incoming status(JsonNode status) {
        String id = status.path("id").asText();
        if (id.isEmpty()) {
            return new Incoming.Unreadable("a status names no message");
        }
        boolean failed = status.path("status").asText().equals("failed");
        return new Incoming.Status(
                id,
                Optional.of(status.path("biz_opaque_callback_data").asText()).filter(text -> !text.isEmpty()),
                failed ? Optional.of(failure(status.path("errors").path(0))) : Optional.empty());
    }

    private static String failure(JsonNode error) {
        String title = error.path("title").asText(error.path("message").asText());
        String details = error.path("error_data").path("details").asText();
        String text = ("error " + error.path("code").asInt() + ": " + title + (details.isEmpty() ? "" : ": " + details))
                .replaceAll("\\s+", " ");
        return text.length() > LONGEST_FAILURE ? text.substring(0, LONGEST_FAILURE) : text;
    }

    private static String digits(String text) {
        return text.replaceAll("[^0-9]", "");
    }

    private static JsonNode parsed(byte[] body) {
        try {
            JsonNode read = Json.MAPPER.readTree(body);
            return read == null ? MissingNode.getInstance() : Nulls.dropped(read);
        } catch (IOException notJson) {
            return MissingNode.getInstance();
        }
    }
}
