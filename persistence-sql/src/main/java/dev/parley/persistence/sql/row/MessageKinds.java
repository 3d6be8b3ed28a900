package dev.parley.persistence.sql.row;

import dev.parley.domain.transcript.Message;
import java.util.Arrays;

/** What a message is to its transcript, as a column holds it. */
public final class MessageKinds {
    private MessageKinds() {}

    /** Returns the text of the column. */
    public static String write(Message.Kind kind) {
        return Names.of(kind);
    }

    /** Returns what the text stands for; a plain message for a text that nobody here wrote. */
    public static Message.Kind read(String text) {
        return Arrays.stream(Message.Kind.values())
                .filter(kind -> write(kind).equals(text))
                .findFirst()
                .orElse(Message.Kind.PLAIN);
    }
}
