package dev.parley.domain.change;

import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.util.Optional;

/**
 * Which changes of sessions are refused, and in which words: the same in every store. Asked with what the changes before it in
 * its batch have left.
 */
public final class Refusals {
    private Refusals() {}

    /** Returns why a new session is refused, or nothing. Not asked for a session that is stored. */
    public static <E extends Exception> Optional<String> ofNew(Session session, SessionFacts<E> facts) throws E {
        Optional<String> parent = ofParent(session.parent(), facts);
        return parent.isPresent() ? parent : ofTitle(session.title(), session.id(), facts);
    }

    /** Returns why an edit of a stored session is refused, or nothing. */
    public static <E extends Exception> Optional<String> ofEdit(
            SessionId session, SessionEdit edit, SessionFacts<E> facts) throws E {
        if (edit instanceof SessionEdit.Retitle retitle) {
            return ofTitle(retitle.title(), session, facts);
        }
        return edit instanceof SessionEdit.Parent parent ? ofParent(parent.parent(), facts) : Optional.empty();
    }

    /** Returns why a store that keeps no titles refuses a change, or nothing where the change gives no session a title. */
    public static Optional<String> ofTitled(Change change) {
        boolean titled = change instanceof Change.CreateSession created
                ? created.session().title().isPresent()
                : change instanceof Change.EditSession edited
                        && edited.edit() instanceof SessionEdit.Retitle retitle
                        && retitle.title().isPresent();
        return titled ? Optional.of("This store keeps no titles; leave the title out.") : Optional.empty();
    }

    /** Returns why messages for a session are refused, or nothing. */
    public static <E extends Exception> Optional<String> ofMessages(SessionId session, SessionFacts<E> facts) throws E {
        return facts.exists(session)
                ? Optional.empty()
                : Optional.of("The session " + session + " is not stored and cannot take messages; create it before.");
    }

    private static <E extends Exception> Optional<String> ofParent(Optional<SessionId> parent, SessionFacts<E> facts)
            throws E {
        return parent.isEmpty() || facts.exists(parent.get())
                ? Optional.empty()
                : Optional.of(
                        "The session " + parent.get() + " is not stored and cannot be a parent; create it before.");
    }

    private static <E extends Exception> Optional<String> ofTitle(
            Optional<String> title, SessionId session, SessionFacts<E> facts) throws E {
        return title.isPresent() && facts.isTitleTaken(title.get(), session)
                ? Optional.of("The title \"" + title.get() + "\" belongs to another session; take another one.")
                : Optional.empty();
    }
}
