package dev.parley.adapter.whatsappcloud.outbound;

import dev.parley.application.ability.Asking.Choice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Answers to choose from, as WhatsApp shows them: up to three as buttons, up to ten as a list. */
final class Choices {
    /** The most answers that can be shown. */
    static final int MOST = 10;
    /** The most characters of a question with buttons. */
    static final int LONGEST_QUESTION = 1024;

    private static final int MOST_BUTTONS = 3;
    private static final int LONGEST_BUTTON = 20;
    private static final int LONGEST_ROW = 24;
    private static final int LONGEST_DESCRIPTION = 72;

    private Choices() {}

    /** Returns the value of {@code interactive} for a question. */
    static Map<String, Object> interactive(Piece.Question question) {
        boolean buttons = question.choices().size() <= MOST_BUTTONS;
        Map<String, Object> interactive = new LinkedHashMap<>();
        interactive.put("type", buttons ? "button" : "list");
        interactive.put("body", Map.of("text", question.text()));
        interactive.put("action", buttons ? buttons(question.choices()) : list(question.choices()));
        return interactive;
    }

    private static Map<String, Object> buttons(List<Choice> choices) {
        List<String> titles = titles(choices, LONGEST_BUTTON);
        List<Object> buttons = new ArrayList<>();
        for (int i = 0; i < choices.size(); i++) {
            buttons.add(
                    Map.of("type", "reply", "reply", Map.of("id", choices.get(i).value(), "title", titles.get(i))));
        }
        return Map.of("buttons", buttons);
    }

    private static Map<String, Object> list(List<Choice> choices) {
        List<String> titles = titles(choices, LONGEST_ROW);
        List<Object> rows = new ArrayList<>();
        for (int i = 0; i < choices.size(); i++) {
            Choice choice = choices.get(i);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("id", choice.value());
            row.put("title", titles.get(i));
            if (!titles.get(i).equals(choice.label())) {
                row.put("description", cut(choice.label(), LONGEST_DESCRIPTION));
            }
            rows.add(row);
        }
        return Map.of("button", "Choose", "sections", List.of(Map.of("rows", rows)));
    }

    /** Returns what stands on each; WhatsApp takes no two alike, so those that would be are numbered. */
    private static List<String> titles(List<Choice> choices, int longest) {
        List<String> titles = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (Choice choice : choices) {
            String label =
                    choice.label().isBlank() ? choice.value() : choice.label().strip();
            String title = cut(label, longest);
            titles.add(taken.add(title) ? title : cut((titles.size() + 1) + " " + label, longest));
        }
        return titles;
    }

    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 2)) ? longest - 2 : longest - 1;
        return text.substring(0, end) + "\u2026";
    }
}
