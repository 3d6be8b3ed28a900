package dev.parley.adapter.whatsappcloud.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.StringJoiner;

/** What is no text, in words. */
final class Wording {
    private Wording() {}

    /** Returns a place, or the cards of people, as a line each. */
    static String of(JsonNode message) {
        if (message.path("location").isObject()) {
            return place(message.path("location"));
        }
        StringJoiner cards = new StringJoiner("\n");
        message.path("contacts").forEach(card -> cards.add(card(card)));
        return cards.toString();
    }

    private static String place(JsonNode location) {
        StringJoiner words = new StringJoiner(", ", "[Location: ", "]");
        for (String part : new String[] {"name", "address", "latitude", "longitude"}) {
            String text = location.path(part).asText();
            if (!text.isEmpty()) {
                words.add(text);
            }
        }
        return words.toString();
    }

    private static String card(JsonNode card) {
        StringJoiner words = new StringJoiner(", ", "[Contact: ", "]");
        words.add(card.path("name").path("formatted_name").asText());
        card.path("phones")
                .forEach(phone ->
                        words.add(phone.path("phone").asText(phone.path("wa_id").asText())));
        card.path("emails").forEach(email -> words.add(email.path("email").asText()));
        return words.toString();
    }
}
