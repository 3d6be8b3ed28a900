package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What clients put into a body beside what was said. */
final class Texts {
    /** Many clients keep what begins with a slash for themselves. */
    private static final Pattern COMMAND = Pattern.compile("^!([a-z][a-z0-9_-]{0,31})(?=\\s|$)");

    private Texts() {}

    /** Returns a body without the quotation of the message that it replies to. */
    static String withoutQuotation(String body, JsonNode relation) {
        if (!relation.has("m.in_reply_to") || !body.startsWith("> ")) {
            return body;
        }
        int from = 0;
        while (body.startsWith(">", from)) {
            int end = body.indexOf('\n', from);
            if (end < 0) {
                return body;
            }
            from = end + 1;
        }
        String rest = body.substring(body.startsWith("\n", from) ? from + 1 : from);
        return rest.isBlank() ? body : rest;
    }

    /** Returns a text with a command that begins with an exclamation mark as one that begins with a slash. */
    static String command(String text) {
        Matcher command = COMMAND.matcher(text);
        return command.find() ? "/" + text.substring(1) : text;
    }
}
