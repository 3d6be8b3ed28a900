package dev.parley.adapter.echo;

import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentTurn;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ReplayCleaning;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.util.Optional;

/** What the echo agent says. */
final class Reply {
    static final String RESTORED = "This conversation was restored. What would you like to do next?";
    static final String NOTHING = "(There was nothing to echo.)";

    private Reply() {}

    /** Returns what was said behind the notes, which are for a model and not for an echo (P7.32); never blank. */
    static String to(String input) {
        String said = ReplayCleaning.withoutNotes(input);
        if (!said.isBlank()) {
            return said;
        }
        return input.isBlank() ? NOTHING : RESTORED;
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
