package dev.parley.adapter.echo;

import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentTurn;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.util.Optional;

/** What the echo agent says. */
final class Reply {
    static final String RESTORED = "This conversation was restored. What would you like to do next?";
    static final String NOTHING = "(There was nothing to echo.)";

    private static final String NOTE = "[System note";
    private static final String BEHIND_NOTE = "]\n\n";

    private Reply() {}

    /** Returns what was said behind the notes; never blank. */
    static String to(String input) {
        String said = withoutNotes(input);
        if (!said.isBlank()) {
            return said;
        }
        return input.isBlank() ? NOTHING : RESTORED;
    }

    /** The notes that the gateway puts before the user's text are for a model, not for an echo (P7.32). */
    private static String withoutNotes(String input) {
        String rest = input;
        while (rest.startsWith(NOTE)) {
            int end = rest.indexOf(BEHIND_NOTE);
            if (end < 0) {
                return rest.stripTrailing().endsWith("]") ? "" : rest;
            }
            rest = rest.substring(end + BEHIND_NOTE.length());
        }
        return rest;
    }

    /** Returns the answer; the tokens of an echo are words. */
    static AgentAnswer answer(AgentTurn turn, String text) {
        long heard = words(turn.input().content().plainText());
        return new AgentAnswer(
                Content.text(text),
                Reasoning.NONE,
                Optional.of("stop"),
                new TokenUsage(heard, words(text), 0, 0, 0),
                heard,
                1,
                Optional.of(EchoAgent.NAME),
                Billing.NONE,
                Optional.empty());
    }

    private static long words(String text) {
        return text.isBlank() ? 0 : text.strip().split("\\s+").length;
    }
}
