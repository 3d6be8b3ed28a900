package dev.parley.application.lane;

import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.port.AgentQuestion;
import dev.parley.domain.turn.OutgoingId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The answers to choose from under a question. What comes back names the question, so that a button under an earlier one answers
 * nothing. Pure.
 */
final class Choices {
    private Choices() {}

    /** Returns the answers under a question, in order; empty where any words will do. */
    static List<Choice> of(AgentQuestion question, OutgoingId asked) {
        String token = token(asked);
        return switch (question.kind()) {
            case APPROVAL ->
                List.of(
                        choice(token, AgentQuestion.Approval.ONCE, "Once"),
                        choice(token, AgentQuestion.Approval.SESSION, "This session"),
                        choice(token, AgentQuestion.Approval.ALWAYS, "Always"),
                        choice(token, AgentQuestion.Approval.DENY, "No"));
            case CLARIFICATION -> {
                List<Choice> choices = new ArrayList<>();
                for (String label : question.choices()) {
                    choices.add(new Choice(token + "_" + (choices.size() + 1), label));
                }
                yield choices;
            }
        };
    }

    private static Choice choice(String token, AgentQuestion.Approval approval, String label) {
        return new Choice(token + "_" + approval.name().toLowerCase(Locale.ROOT), label);
    }

    private static String token(OutgoingId asked) {
        return Integer.toHexString(asked.value().hashCode());
    }

    /** Returns the decision that a pressed button stands for; absent where it stands under another question. */
    static Optional<AgentQuestion.Approval> approval(AgentQuestion question, OutgoingId asked, String pressed) {
        return question.kind() == AgentQuestion.Kind.APPROVAL && isUnder(question, asked, pressed)
                ? Optional.of(AgentQuestion.Approval.valueOf(
                        pressed.substring(pressed.indexOf('_') + 1).toUpperCase(Locale.ROOT)))
                : Optional.empty();
    }

    /** Returns the words that a pressed button stands for; absent where it stands under another question. */
    static Optional<String> words(AgentQuestion question, OutgoingId asked, String pressed) {
        return question.kind() == AgentQuestion.Kind.CLARIFICATION
                ? of(question, asked).stream()
                        .filter(choice -> choice.value().equals(pressed))
                        .map(Choice::label)
                        .findFirst()
                : Optional.empty();
    }

    /** Returns what people who answer in words are told of the choices. */
    static String inWords(AgentQuestion question) {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < question.choices().size(); i++) {
            words.append('\n')
                    .append(i + 1)
                    .append(". ")
                    .append(question.choices().get(i));
        }
        return words.toString();
    }

    /** Returns what an answer in words means: a number stands for a choice. */
    static String meant(Optional<AgentQuestion> question, String said) {
        List<String> choices = question.map(AgentQuestion::choices).orElse(List.of());
        String number = said.strip();
        return number.matches("[1-9][0-9]?") && Integer.parseInt(number) <= choices.size()
                ? choices.get(Integer.parseInt(number) - 1)
                : said;
    }

    private static boolean isUnder(AgentQuestion question, OutgoingId asked, String pressed) {
        return of(question, asked).stream().anyMatch(choice -> choice.value().equals(pressed));
    }
}
