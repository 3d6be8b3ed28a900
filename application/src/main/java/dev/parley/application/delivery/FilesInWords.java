package dev.parley.application.delivery;

import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.ChatPlatform;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.util.List;
import java.util.StringJoiner;

/** Names files in words, where the files themselves cannot stand. Pure. */
public final class FilesInWords {
    private static final int NAME = 200;
    private static final String NOT_HERE = "Files cannot be shown here.";

    private FilesInWords() {}

    /** Returns what is stored of an answer in the transcript: what it says, or the names of its files where it says nothing. */
    public static Content content(AgentAnswer answer) {
        return answer.content().isBlank() && !answer.attachments().isEmpty()
                ? Content.text(named(answer.attachments()).toString())
                : answer.content();
    }

    /** Returns a message as a platform can send it: where it carries no files, they are named below the text, and left out. */
    static Outgoing sendable(Outgoing message, ChatPlatform.Traits traits) {
        if (message.attachments().isEmpty() || traits.carriesFiles()) {
            return message;
        }
        StringJoiner text = new StringJoiner("\n\n");
        if (!message.text().isBlank()) {
            text.add(message.text());
        }
        text.add(named(message.attachments()).add(NOT_HERE).toString());
        return message.inWords(text.toString());
    }

    private static StringJoiner named(List<Attachment> attachments) {
        StringJoiner lines = new StringJoiner("\n");
        attachments.forEach(each -> lines.add("[" + OneLine.of(each.kind(), NAME)
                + each.name().map(name -> ": " + OneLine.of(name, NAME)).orElse("") + "]"));
        return lines;
    }
}
