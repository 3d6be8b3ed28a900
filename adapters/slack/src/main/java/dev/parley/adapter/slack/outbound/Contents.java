package dev.parley.adapter.slack.outbound;

import dev.parley.adapter.kit.text.Dialects;
import dev.parley.adapter.kit.text.Measure;
import dev.parley.adapter.kit.text.Splitter;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.application.ability.Asking.Choice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What messages are made of: mrkdwn and blocks. Pure. */
final class Contents {
    /** People are named by their id; nobody names a whole channel. */
    private static final Pattern PERSON = Pattern.compile("&lt;@([UW][A-Z0-9]{1,30})&gt;");

    private static final int LONGEST_SECTION = 2_900;
    private static final int LONGEST_LABEL = 75;

    private Contents() {}

    /** Returns a text as mrkdwn. */
    static String mrkdwn(StyledText text) {
        return PERSON.matcher(Dialects.SLACK.render(text)).replaceAll("<@$1>");
    }

    /** Returns a text with buttons below it. */
    static List<Map<String, Object>> question(StyledText text, List<Choice> choices) {
        List<Map<String, Object>> blocks = new ArrayList<>();
        for (StyledText part : new Splitter(LONGEST_SECTION, Measure.UTF_16, Dialects.SLACK).split(text)) {
            blocks.add(Map.of("type", "section", "text", Map.of("type", "mrkdwn", "text", mrkdwn(part))));
        }
        List<Map<String, Object>> buttons = new ArrayList<>();
        for (Choice choice : choices) {
            Map<String, Object> button = new LinkedHashMap<>();
            button.put("type", "button");
            button.put("action_id", "parley_" + choice.value());
            button.put("text", Map.of("type", "plain_text", "text", label(choice.label())));
            button.put("value", choice.value());
            buttons.add(button);
        }
        blocks.add(Map.of("type", "actions", "block_id", "parley_choices", "elements", buttons));
        return blocks;
    }

    private static String label(String text) {
        if (text.isBlank()) {
            return "\u2026";
        }
        int most = text.offsetByCodePoints(0, Math.min(LONGEST_LABEL, text.codePointCount(0, text.length())));
        return text.substring(0, most);
    }
}
