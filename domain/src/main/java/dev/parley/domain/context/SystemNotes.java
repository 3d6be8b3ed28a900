package dev.parley.domain.context;

import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Standing;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The notes that an agent is given before a user's text (P7.30 to P7.34, G3.19, X9.11). They are given to the agent only and
 * never stored.
 */
public final class SystemNotes {
    private SystemNotes() {}

    /** One kind of note. */
    public enum Kind {
        /** The session before was reset automatically. */
        AUTO_RESET("auto-reset"),
        /** A turn was cut off and the session continues. */
        RESUME("resume"),
        /** The conversation ends with tool results that nobody answered. */
        TOOL_TAIL("tool-tail"),
        /** A session to be resumed, with nothing to answer. */
        RESTORED("restored"),
        /** Nobody has ever talked to the agent. */
        FIRST_CONTACT("first-contact");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Returns the word used in output. */
        public String text() {
            return word;
        }
    }

    /**
     * A note.
     *
     * @param kind what it is about
     * @param text what the agent reads
     */
    public record Note(Kind kind, String text) {}

    /**
     * What the notes of a turn stand on.
     *
     * @param now the clock
     * @param window how old a mark or a transcript may be; zero or less: any age (D12)
     * @param mark the lane's mark to be resumed, where it has effect
     * @param transcriptClock the time of the last message that counts; absent where it is not known, then it counts as fresh
     * @param toolTail whether the replayed conversation ends with a tool result
     * @param blank whether the user's message has neither text nor anything attached
     * @param autoReset why the session before was reset, where this is the first turn after it
     * @param hasHistory whether there is a conversation before
     * @param hasAnySessions whether there was ever a session before this one
     */
    public record Facts(
            Instant now,
            Duration window,
            Optional<Standing.ResumePending> mark,
            Optional<Instant> transcriptClock,
            boolean toolTail,
            boolean blank,
            Optional<ResetReason> autoReset,
            boolean hasHistory,
            boolean hasAnySessions) {}

    /** Returns the notes of a turn, in order; at most one of resume, tool-tail and restored (P7.31). */
    public static List<Note> of(Facts facts) {
        List<Note> notes = new ArrayList<>();
        facts.autoReset().ifPresent(reason -> notes.add(new Note(Kind.AUTO_RESET, autoReset(reason))));
        continuing(facts).ifPresent(notes::add);
        FirstContact.instruction(facts.hasHistory(), facts.hasAnySessions())
                .ifPresent(text -> notes.add(new Note(Kind.FIRST_CONTACT, text)));
        return List.copyOf(notes);
    }

    private static Optional<Note> continuing(Facts facts) {
        boolean transcriptFresh = facts.hasHistory() && isFresh(facts.transcriptClock(), facts.now(), facts.window());
        if (facts.mark().isPresent()) {
            Standing.ResumePending mark = facts.mark().get();
            if (transcriptFresh || isFresh(mark.markedAt(), facts.now(), facts.window())) {
                return Optional.of(new Note(Kind.RESUME, resume(mark.reason(), facts.blank())));
            }
            return facts.blank() ? Optional.of(new Note(Kind.RESTORED, restored())) : Optional.empty();
        }
        return facts.toolTail() && transcriptFresh
                ? Optional.of(new Note(Kind.TOOL_TAIL, toolTail()))
                : Optional.empty();
    }

    /** Returns whether a time is fresh: any time without a window, an unknown one, and one exactly as old (P7.17). */
    public static boolean isFresh(Optional<Instant> time, Instant now, Duration window) {
        return window.isZero()
                || window.isNegative()
                || time.isEmpty()
                || Duration.between(time.get(), now).compareTo(window) <= 0;
    }

    /** Returns the time of the last message that is neither bookkeeping nor an instruction (P7.19). */
    public static Optional<Instant> transcriptClock(List<Message> messages) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            Message message = messages.get(i);
            if (!message.role().equals(Role.SESSION_META) && !message.role().equals(Role.SYSTEM)) {
                return Optional.of(message.at());
            }
        }
        return Optional.empty();
    }

    /** Returns a user's text with notes before it, each followed by a blank line (P7.32). */
    public static String before(List<Note> notes, String text) {
        StringBuilder all = new StringBuilder();
        for (Note note : notes) {
            all.append(note.text()).append("\n\n");
        }
        return notes.isEmpty() ? text : all.append(text).toString().stripTrailing();
    }

    private static String resume(Optional<ResumeReason> reason, boolean blank) {
        String cause = reason.isEmpty() || reason.get().equals(ResumeReason.RESTART_TIMEOUT)
                ? "a gateway restart"
                : reason.get().equals(ResumeReason.SHUTDOWN_TIMEOUT) ? "a gateway shutdown" : "an interruption";
        String task = blank
                ? "Tell the user that the session was restored and ask what they want next."
                : "A new message has arrived: address it first.";
        return note("Your previous turn was cut off by " + cause
                + "; the gateway is back. Restart or shutdown commands in the"
                + " history have run already: do not repeat or verify them. " + task
                + " Do not run old tool calls again, and skip unfinished work unless you are asked for it.");
    }

    private static String toolTail() {
        return note(
                "A new message has arrived. The pending tool results above come from a turn that was cut off: leave them"
                        + " aside, answer the new message first, and do not run old tool calls again.");
    }

    private static String restored() {
        return note(
                "This session was restored after an interruption. Tell the user that it is back and ask what they want"
                        + " next; do not run old tool calls again.");
    }

    private static String autoReset(ResetReason reason) {
        String cause = switch (reason) {
            case SUSPENDED -> "was stopped and suspended";
            case DAILY -> "was reset by the daily schedule";
            case IDLE -> "expired after inactivity";
        };
        return note("The previous session " + cause + ". This is a fresh conversation without its history.");
    }

    private static String note(String text) {
        return "[System note: " + text.replace(']', ')') + "]";
    }
}
