package dev.parley.application.degrade;

import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * A conversation of the primary as far as it is known.
 *
 * @param session its session, as it is imported: an import raises no counts, and titles and parents are matters of the primary
 * @param messages its active messages that are known, in order, behind a note where those are not all
 * @param whole whether those are all
 */
record KnownConversation(Session session, List<StoredMessage> messages, boolean whole) {
    private static final String NOTE =
            "[System note: What was said in this conversation before cannot be read for now, because the"
                    + " storage is not available. It is not lost and will be back. Tell the user so if it matters.]";

    KnownConversation {
        session = session.toBuilder().counts(0, 0).title(null).parent(null).build();
        messages = List.copyOf(messages);
    }

    /** Returns a conversation of which nothing is known but its session. */
    static KnownConversation unread(Session session) {
        return partly(session, List.of());
    }

    /** Returns a conversation of which only the end is known. */
    static KnownConversation partly(Session session, List<StoredMessage> end) {
        List<StoredMessage> said = new ArrayList<>();
        said.add(note(session));
        said.addAll(end);
        return new KnownConversation(session, said, false);
    }

    /** Returns what stores it elsewhere. */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.CreateSession(session));
        if (!messages.isEmpty()) {
            changes.add(new Change.ImportMessages(messages));
        }
        return changes;
    }

    /** Returns whether a message is the note that what was said before cannot be read. */
    static boolean isNote(StoredMessage message) {
        return message.message().content().plainText().equals(NOTE);
    }

    /** The note of a session is always the same, whether it is read or imported. */
    private static StoredMessage note(Session session) {
        Message message = Message.builder(
                        new MessageId("note-" + session.id().value()),
                        Role.USER,
                        Content.text(NOTE),
                        session.startedAt())
                .kind(Message.Kind.SUMMARY)
                .build();
        return new StoredMessage(0, session.id(), message, StoredMessage.State.ACTIVE);
    }
}
