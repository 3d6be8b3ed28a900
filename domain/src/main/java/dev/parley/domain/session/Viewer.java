package dev.parley.domain.session;

import dev.parley.domain.key.KeyRules;
import dev.parley.domain.source.SessionSource;
import java.util.Optional;

/** Who reads, and so what a read may show (Z12.4). Every read that a chat user can cause takes one. */
public sealed interface Viewer {
    /** Returns the operator, who sees everything. */
    static Viewer operator() {
        return new Operator();
    }

    /** Returns whether this viewer may see a session. */
    boolean maySee(Session session);

    /** The operator's command line, or a configured admin who asked for everything. */
    record Operator() implements Viewer {
        @Override
        public boolean maySee(Session session) {
            return true;
        }
    }

    /**
     * Somebody in a chat: sees the sessions of the same platform, chat and thread, and where lanes are per user only their own.
     * Knowing an id or a title gives no right. Whatever is unknown on either side denies.
     *
     * @param source where the request comes from
     * @param rules how lanes are told apart
     */
    record ChatUser(SessionSource source, KeyRules rules) implements Viewer {
        @Override
        public boolean maySee(Session session) {
            Optional<SessionSource> origin = session.peer().flatMap(SessionPeer::origin);
            return origin.isPresent() ? sharesLane(origin.get()) : ownsStored(session);
        }

        private boolean sharesLane(SessionSource other) {
            return source.platform().equals(other.platform())
                    && source.chatType().equals(other.chatType())
                    && rules.chatOf(source).equals(rules.chatOf(other))
                    && (source.chatType().isDm() || !rules.chatOf(source).isEmpty())
                    && source.threadId().equals(other.threadId())
                    && (!needsParticipant() || sameParticipant(other));
        }

        private boolean needsParticipant() {
            return source.chatType().isDm() ? rules.chatOf(source).isEmpty() : !rules.isShared(source);
        }

        private boolean sameParticipant(SessionSource other) {
            Optional<String> mine = rules.participantOf(source);
            return mine.isPresent() && mine.equals(rules.participantOf(other));
        }

        /** A session of which only platform and user are stored: chats other than a person's own cannot be told apart. */
        private boolean ownsStored(Session session) {
            return source.chatType().isDm()
                    && source.threadId().isEmpty()
                    && source.userIdAlt().isEmpty()
                    && source.platform().name().equals(session.source())
                    && source.userId().isPresent()
                    && source.userId().equals(session.userId());
        }
    }
}
