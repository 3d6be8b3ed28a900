package dev.parley.adapter.console;

import dev.parley.domain.session.Session;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A conversation as Markdown. All that somebody else wrote stands in fences and code spans that it cannot close, so no reader of
 * Markdown makes a link, a picture or markup of it.
 *
 * @param session the conversation
 * @param times the zone and the time
 */
record TranscriptText(Session session, Times times) {
    private static final Pattern FENCES = Pattern.compile("`+");
    private static final int LINE = 300;

    /** Returns what stands before the messages. */
    String head() {
        StringBuilder text = new StringBuilder("# Session\n\n");
        fact(text, "Session", session.id().value());
        session.title().filter(title -> !title.isBlank()).ifPresent(title -> fact(text, "Title", title));
        session.peer().ifPresent(peer -> fact(text, "Lane", peer.key().value()));
        session.model().ifPresent(model -> fact(text, "Model", model));
        session.parent().ifPresent(parent -> fact(text, "Comes from", parent.value()));
        fact(text, "Began", times.exact(session.startedAt()));
        session.ending().ifPresent(end -> fact(text, "Ended", times.exact(end.at())));
        fact(text, "Zone", times.zone().getId());
        return text.toString();
    }

    /** Returns a message. */
    String of(StoredMessage stored) {
        Message message = stored.message();
        StringBuilder text = new StringBuilder("\n## ");
        text.append(
                        message.kind() == Message.Kind.SUMMARY
                                ? "summary"
                                : word(message.role().name()))
                .append(", ")
                .append(times.exact(message.at()))
                .append('\n');
        message.reasoning()
                .text()
                .or(() -> message.reasoning().content())
                .filter(reasoning -> !reasoning.isBlank())
                .ifPresent(reasoning -> fenced(text.append("\nReasoning:\n"), reasoning));
        String said = message.content().plainText();
        if (!said.isEmpty()) {
            message.toolName()
                    .ifPresent(tool ->
                            text.append("\nAnswer of ").append(code(tool)).append(":\n"));
            fenced(text, said);
        }
        message.toolCalls().ifPresent(calls -> calls.calls().forEach(call -> called(text, call)));
        return text.toString();
    }

    private static void called(StringBuilder text, ToolCall call) {
        text.append("\nCalled ").append(code(call.name())).append(":\n");
        fenced(text, call.arguments());
    }

    private static void fact(StringBuilder text, String name, String value) {
        text.append("- ").append(name).append(": ").append(code(value)).append('\n');
    }

    /** Returns a text in one line as a code span, which ends only where it has as many backticks as it began with. */
    private static String code(String text) {
        String line = OneLine.of(text, LINE);
        String ticks = "`".repeat(longest(line) + 1);
        return ticks + " " + line + " " + ticks;
    }

    private static String word(String role) {
        return role.replaceAll("[^A-Za-z0-9_-]", "?");
    }

    /** Adds a text in a fence that is longer than any in it. */
    private static void fenced(StringBuilder text, String said) {
        String fence = "`".repeat(Math.max(3, longest(said) + 1));
        text.append('\n').append(fence).append("text\n").append(said);
        if (!said.endsWith("\n")) {
            text.append('\n');
        }
        text.append(fence).append('\n');
    }

    private static int longest(String text) {
        Matcher fences = FENCES.matcher(text);
        int longest = 0;
        while (fences.find()) {
            longest = Math.max(longest, fences.end() - fences.start());
        }
        return longest;
    }
}
