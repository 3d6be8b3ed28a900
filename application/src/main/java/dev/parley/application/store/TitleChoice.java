package dev.parley.application.store;

import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.title.Title;
import dev.parley.domain.title.TitleTooLong;
import java.util.Optional;

/**
 * Whether a session may have a title that somebody asks for (storage 3.3, Z12.5). The commit still requires that it is free.
 */
public sealed interface TitleChoice {
    /**
     * The session may have it.
     *
     * @param title the cleaned title
     * @param takenFrom the compressed ancestor of the session that has the title and gives it up; absent for most
     */
    record Free(String title, Optional<SessionId> takenFrom) implements TitleChoice {}

    /** Nothing remains of the text once it is cleaned. */
    record Empty() implements TitleChoice {}

    /**
     * The session may not have it.
     *
     * @param why one line for the one who asked; names the holder only where they may see it
     */
    record Refused(String why) implements TitleChoice {}

    /** The store keeps no titles. */
    record NotKept() implements TitleChoice {
        /** Returns one line for the person who asked for a title. */
        public String why() {
            return "This store keeps no titles.";
        }
    }

    /** Whether it is taken cannot be looked up now. */
    record Unknown() implements TitleChoice {
        /** Returns one line for the person who asked for a title and gets a session without it. */
        public String why() {
            return "It has no title, because titles cannot be looked up now; /title gives it one later.";
        }
    }

    /**
     * Decides for a session that begins whether it gets a title or not: where titles cannot be read now, that is the answer.
     * Otherwise as {@link #of}.
     */
    static TitleChoice whereKnown(
            String text, SessionId session, Sessions sessions, Lineage.Family family, Viewer viewer) {
        try {
            return of(text, session, sessions, family, viewer);
        } catch (StorageUnavailable e) {
            return new Unknown();
        }
    }

    /**
     * Decides.
     *
     * @param text what was asked for
     * @param session the session that is to have it; it need not be stored yet
     * @param sessions the sessions of the store
     * @param family their relations
     * @param viewer who asks
     */
    static TitleChoice of(String text, SessionId session, Sessions sessions, Lineage.Family family, Viewer viewer) {
        Optional<String> cleaned;
        try {
            cleaned = Title.clean(text);
        } catch (TitleTooLong e) {
            return new Refused(String.valueOf(e.getMessage()));
        }
        if (cleaned.isEmpty()) {
            return new Empty();
        }
        if (!sessions.keepsTitles()) {
            return new NotKept();
        }
        String title = cleaned.get();
        Optional<Session> holder = sessions.findByTitle(title).filter(s -> !s.id().equals(session));
        if (holder.isEmpty()) {
            return new Free(title, Optional.empty());
        }
        SessionId held = holder.get().id();
        boolean ancestor = holder.get().endedBy(Ending.COMPRESSION)
                && Lineage.ancestors(session, family).contains(held);
        if (ancestor) {
            return new Free(title, Optional.of(held));
        }
        String by = viewer.maySee(holder.get()) ? " by session " + held : "";
        return new Refused("Title " + OneLine.quoted(title) + " is already in use" + by + ".");
    }
}
