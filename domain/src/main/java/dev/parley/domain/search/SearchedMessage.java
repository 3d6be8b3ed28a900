package dev.parley.domain.search;

import dev.parley.domain.text.Blanks;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import java.util.Optional;

/**
 * A message as search sees and shows it.
 *
 * @param message the message
 */
public record SearchedMessage(Message message) {
    private static final int CONTEXT = 200;
    private static final int BEFORE = 40;
    private static final int EXCERPT = 120;

    /** Returns the text that is searched: the content, the tool's name and the tool calls (storage 1.4). */
    public String indexed() {
        String content = message.content() instanceof Content.Multipart parts
                ? parts.json().text()
                : message.content().plainText();
        return content + " " + message.toolName().orElse("") + " "
                + message.toolCalls().map(SearchedMessage::text).orElse("");
    }

    private static String text(ToolCalls calls) {
        return calls.json().map(RawJson::text).orElseGet(() -> {
            StringBuilder text = new StringBuilder();
            for (ToolCall call : calls.calls()) {
                text.append(call.id()).append(" type function name ").append(call.name());
                text.append(" arguments ").append(call.arguments()).append(' ');
            }
            return text.toString();
        });
    }

    /** Returns what the message says beside a match, at most 200 characters (storage 5.6). */
    public String context() {
        return cut(shown(), CONTEXT);
    }

    /** Returns the part around the first phrase, without marks; nothing where the message has no content (storage 5.4). */
    public Optional<String> excerpt(TextSearch search) {
        if (message.content() instanceof Content.None) {
            return Optional.empty();
        }
        String said = shown();
        int found = search.wanted().isEmpty()
                ? -1
                : said.indexOf(search.wanted().get(0).text());
        int start = Math.max(0, said.codePointCount(0, Math.max(0, found)) - BEFORE);
        return Optional.of(cut(said.substring(said.offsetByCodePoints(0, start)), EXCERPT));
    }

    private String shown() {
        if (message.content() instanceof Content.Multipart parts) {
            String said = Blanks.trim(String.join(" ", parts.textParts()));
            return said.isEmpty() ? "[multimodal content]" : said;
        }
        return message.content().plainText();
    }

    private static String cut(String text, int characters) {
        return text.codePointCount(0, text.length()) <= characters
                ? text
                : text.substring(0, text.offsetByCodePoints(0, characters));
    }
}
