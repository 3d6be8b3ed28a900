package dev.parley.adapter.signal.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * What a message says, with the people it names.
 *
 * @param text its text, names in the place of the marks that stand for them
 * @param mentioned whether it names the account
 */
record Words(String text, boolean mentioned) {
    private static final char MARK = '\uFFFC';

    /** Reads a message's text; what has none is put into words where that is possible, and empty otherwise. */
    static Words of(JsonNode data, Contacts contacts) {
        String text = data.path("message").asText("");
        if (text.isEmpty()) {
            return new Words(described(data), false);
        }
        List<JsonNode> mentions = new ArrayList<>();
        data.path("mentions").forEach(mentions::add);
        mentions.sort(Comparator.comparingInt(
                        (JsonNode mention) -> mention.path("start").asInt(-1))
                .reversed());
        StringBuilder named = new StringBuilder(text);
        boolean us = false;
        int before = text.length();
        for (JsonNode mention : mentions) {
            int start = mention.path("start").asInt(-1);
            int end = start + mention.path("length").asInt(0);
            if (start < 0 || end <= start || end > before || text.charAt(start) != MARK) {
                continue;
            }
            before = start;
            String number = mention.path("number").asText("");
            String uuid = mention.path("uuid").asText("");
            boolean ours = contacts.isAccount(number, uuid);
            us |= ours;
            String rest = text.substring(end).stripLeading();
            if (ours && start == 0 && rest.startsWith("/")) {
                // A command for the account is a command.
                named.replace(0, named.length() - rest.length(), "");
            } else {
                named.replace(start, end, "@" + name(mention, number, uuid));
            }
        }
        return new Words(named.toString(), us);
    }

    private static String name(JsonNode mention, String number, String uuid) {
        String name = mention.path("name").asText("");
        return !name.isBlank() ? name : !number.isEmpty() ? number : uuid;
    }

    private static String described(JsonNode data) {
        if (data.path("viewOnce").asBoolean(false)) {
            return "[Something that may be viewed once, and is not fetched]";
        }
        StringJoiner words = new StringJoiner("\n");
        if (data.path("sticker").isObject()) {
            words.add("[Sticker]");
        }
        if (data.path("payment").isObject()) {
            words.add("[Payment]");
        }
        for (JsonNode contact : data.path("contacts")) {
            words.add("[Contact: " + contact(contact) + "]");
        }
        return words.toString();
    }

    private static String contact(JsonNode contact) {
        JsonNode name = contact.path("name");
        String display = Optional.of(name.path("display").asText(""))
                .filter(text -> !text.isBlank())
                .orElse((name.path("given").asText("") + " "
                                + name.path("family").asText(""))
                        .strip());
        StringJoiner all = new StringJoiner(", ");
        all.add(display);
        contact.path("phone").forEach(phone -> all.add(phone.path("value").asText("")));
        return all.toString();
    }
}
