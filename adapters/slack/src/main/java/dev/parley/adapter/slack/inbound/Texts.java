package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What was said, out of Slack's markup. */
final class Texts {
    private static final Pattern MARK = Pattern.compile("<([@#!]?)([^<>|]*)(?:\\|([^<>]*))?>");
    private static final int DEEPEST = 12;

    private Texts() {}

    /** Returns the text of a message as it stands in Slack's markup: of its text, or where it has none of its blocks; and of what was forwarded in it. */
    static String of(JsonNode message) {
        StringJoiner all = new StringJoiner("\n");
        String text = message.path("text").asText();
        all.add(text.isBlank() ? blocks(message.path("blocks"), 0) : text);
        for (JsonNode attachment : message.path("attachments")) {
            boolean unfurled =
                    attachment.has("from_url") && !attachment.path("is_share").asBoolean(false);
            if (!unfurled) {
                String inside = attachment.path("text").asText();
                String words = inside.isBlank() ? attachment.path("fallback").asText() : inside;
                String author = attachment.path("author_name").asText();
                if (!words.isBlank()) {
                    all.add(author.isBlank() ? words : author + ": " + words);
                }
            }
        }
        return all.toString().strip();
    }

    private static String blocks(JsonNode blocks, int depth) {
        StringJoiner all = new StringJoiner("\n");
        if (depth < DEEPEST) {
            for (JsonNode block : blocks) {
                String text = block.path("text").isTextual()
                        ? block.path("text").asText()
                        : block.path("text").path("text").asText();
                if (!text.isBlank()) {
                    all.add(text);
                }
                for (String inside : new String[] {"elements", "fields"}) {
                    String below = blocks(block.path(inside), depth + 1);
                    if (!below.isBlank()) {
                        all.add(below);
                    }
                }
            }
        }
        return all.toString();
    }

    /** Returns whether a text in Slack's markup names a user. */
    static boolean names(String text, String user) {
        return text.contains("<@" + user + ">") || text.contains("<@" + user + "|");
    }

    /** Returns a text without a user's name: the whole text where nothing else would be left. */
    static String without(String text, String user) {
        String rest = text.replaceAll("<@" + Pattern.quote(user) + "(\\|[^>]*)?>[:,]?[ \\t]*", "")
                .strip();
        return rest.isEmpty() ? text.strip() : rest;
    }

    /** Returns a text in Slack's markup as people see it. */
    static String plain(String text, Function<String, Optional<String>> people) {
        Matcher marks = MARK.matcher(text);
        StringBuilder plain = new StringBuilder();
        while (marks.find()) {
            marks.appendReplacement(plain, Matcher.quoteReplacement(shown(marks, people)));
        }
        marks.appendTail(plain);
        return plain.toString().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }

    private static String shown(Matcher mark, Function<String, Optional<String>> people) {
        String target = mark.group(2);
        Optional<String> label = Optional.ofNullable(mark.group(3)).filter(words -> !words.isEmpty());
        return switch (mark.group(1)) {
            case "@" -> "@" + label.or(() -> people.apply(target)).orElse(target);
            case "#" -> "#" + label.orElse(target);
            case "!" -> label.orElse("@" + target.replaceFirst("\\^.*", ""));
            default ->
                label.filter(words -> !words.equals(target) && !target.equals("mailto:" + words))
                        .map(words -> words + " (" + target + ")")
                        .orElse(label.orElse(target));
        };
    }
}
