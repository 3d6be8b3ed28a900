package dev.parley.adapter.openai;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Whether what a server says repeats what was written to the model. The log shows what servers say, and never what people do.
 */
final class Repeated {
    /** So many characters in a row are hardly the same by chance. */
    private static final int LONG = 12;

    private Repeated() {}

    /** Returns whether a text of a conversation stands in what a server says: a short one as a whole, a longer one in part. */
    static boolean in(String said, JsonNode conversation) {
        return texts(conversation).stream().anyMatch(text -> repeats(said, text.strip()));
    }

    private static List<String> texts(JsonNode conversation) {
        List<String> texts = new ArrayList<>();
        for (String field : List.of("content", "text", "arguments")) {
            conversation.findValues(field).stream()
                    .filter(JsonNode::isTextual)
                    .map(JsonNode::textValue)
                    .forEach(texts::add);
        }
        return texts;
    }

    private static boolean repeats(String said, String text) {
        if (text.length() < LONG) {
            return !text.isEmpty()
                    && Pattern.compile("(?<!\\w)" + Pattern.quote(text) + "(?!\\w)")
                            .matcher(said)
                            .find();
        }
        for (int from = 0; from + LONG <= said.length(); from++) {
            if (text.contains(said.substring(from, from + LONG))) {
                return true;
            }
        }
        return false;
    }
}
