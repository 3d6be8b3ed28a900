package dev.parley.domain.transcript;

import dev.parley.domain.text.Blanks;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A stored conversation in the form it is replayed in (storage 4.4). What is stored stays as it is. */
public final class Conversation {
    private static final Pattern MEMORY = Pattern.compile(
            "<\\s*memory-context\\s*>.*?<\\s*/\\s*memory-context\\s*>", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern RECALLED = Pattern.compile(
            "\\[System note:\\s*The following is recalled memory context,[^\\]]*\\]\\s*", Pattern.CASE_INSENSITIVE);
    private static final Pattern STRAY = Pattern.compile("<\\s*/?\\s*memory-context\\s*>", Pattern.CASE_INSENSITIVE);

    private Conversation() {}

    /** Returns the messages of one session as they are replayed, in the order given. */
    public static List<Message> of(List<StoredMessage> messages) {
        return messages.stream().map(m -> cleaned(m.message())).toList();
    }

    /**
     * Returns the messages of a session and its ancestors as they are replayed, in the order given. A user message is left out
     * where going back an equal one is met before anything the agent said, since continuations repeat what they were asked.
     */
    public static List<Message> withAncestors(List<StoredMessage> messages) {
        List<Message> kept = new ArrayList<>();
        for (Message message : of(messages)) {
            if (!repeats(message, kept)) {
                kept.add(message);
            }
        }
        return List.copyOf(kept);
    }

    /**
     * Returns a text without recalled memory: blocks between memory-context tags, the note that introduces them and stray tags
     * are taken out, then white space at both ends.
     */
    public static String withoutRecalledMemory(String text) {
        String without = text;
        if (text.indexOf('<') >= 0) {
            without = MEMORY.matcher(without).replaceAll("");
        }
        if (without.indexOf('[') >= 0) {
            without = RECALLED.matcher(without).replaceAll("");
        }
        if (without.indexOf('<') >= 0) {
            without = STRAY.matcher(without).replaceAll("");
        }
        return Blanks.trim(without);
    }

    private static Message cleaned(Message message) {
        boolean spoken = message.role().equals(Role.USER) || message.role().equals(Role.ASSISTANT);
        if (!spoken || !(message.content() instanceof Content.Text text)) {
            return message;
        }
        String clean = withoutRecalledMemory(text.text());
        return clean.equals(text.text())
                ? message
                : message.toBuilder().content(Content.text(clean)).build();
    }

    private static boolean repeats(Message message, List<Message> before) {
        if (!message.role().equals(Role.USER)
                || !(message.content() instanceof Content.Text text)
                || text.text().isEmpty()) {
            return false;
        }
        for (int i = before.size() - 1; i >= 0; i--) {
            Message earlier = before.get(i);
            if (earlier.role().equals(Role.USER) && earlier.content().equals(text)) {
                return true;
            }
            if (earlier.role().equals(Role.ASSISTANT) && saysSomething(earlier)) {
                return false;
            }
        }
        return false;
    }

    private static boolean saysSomething(Message message) {
        return message.toolCalls().isPresent()
                || !message.content().plainText().isEmpty()
                || message.content() instanceof Content.Multipart;
    }
}
