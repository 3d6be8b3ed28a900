package dev.parley.adapter.telegram.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.StringJoiner;

/** What messages without a text say: places, contacts, polls and dice in words, as an agent can read them. */
final class Wording {
    private Wording() {}

    /** Returns a message's content in words; empty where it has none of these. */
    static String of(JsonNode message) {
        if (message.has("venue")) {
            JsonNode venue = message.path("venue");
            return "[Venue: " + venue.path("title").asText() + ", "
                    + venue.path("address").asText() + " (" + place(venue.path("location")) + ")]";
        }
        if (message.has("location")) {
            return "[Location: " + place(message.path("location")) + "]";
        }
        if (message.has("contact")) {
            JsonNode contact = message.path("contact");
            String name = contact.path("first_name").asText() + " "
                    + contact.path("last_name").asText();
            return "[Contact: " + name.strip() + ", "
                    + contact.path("phone_number").asText() + "]";
        }
        if (message.has("poll")) {
            StringJoiner poll = new StringJoiner("\n- ", "[Poll: ", "]");
            poll.add(message.path("poll").path("question").asText());
            message.path("poll")
                    .path("options")
                    .forEach(option -> poll.add(option.path("text").asText()));
            return poll.toString();
        }
        if (message.has("dice")) {
            JsonNode dice = message.path("dice");
            return "[" + dice.path("emoji").asText() + " " + dice.path("value").asInt() + "]";
        }
        return "";
    }

    private static String place(JsonNode location) {
        return location.path("latitude").asText() + ", "
                + location.path("longitude").asText();
    }
}
