package dev.parley.domain.change;

import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.text.RawJson;
import java.util.Optional;

/** One edit of a stored session. An edit of a session that does not exist does nothing. */
public sealed interface SessionEdit {
    /** Returns the session after this edit. */
    Session applyTo(Session session);

    /**
     * Ends the session; does nothing where it has ended (storage 3.2).
     *
     * @param ending when and why
     */
    record End(Ending ending) implements SessionEdit {
        @Override
        public Session applyTo(Session session) {
            return session.isLive() ? session.toBuilder().ending(ending).build() : session;
        }
    }

    /** Makes an ended session live again. */
    record Reopen() implements SessionEdit {
        @Override
        public Session applyTo(Session session) {
            return session.toBuilder().ending(null).build();
        }
    }

    /**
     * Gives the session a title, or takes it away. The caller checks that the title is free; one that belongs to
     * another session is refused.
     *
     * @param title the cleaned title
     */
    record Retitle(Optional<String> title) implements SessionEdit {
        @Override
        public Session applyTo(Session session) {
            return session.toBuilder().title(title.orElse(null)).build();
        }
    }

    /**
     * Sets the system prompt.
     *
     * @param text the prompt
     */
    record SystemPrompt(String text) implements SessionEdit {
        @Override
        public Session applyTo(Session session) {
            return session.toBuilder().systemPrompt(text).build();
        }
    }

    /**
     * Sets the model and its configuration.
     *
     * @param model the model
     * @param config its configuration; absent leaves the stored one
     */
    record Model(String model, Optional<RawJson> config) implements SessionEdit {
        @Override
        public Session applyTo(Session session) {
            return session.toBuilder()
                    .model(model)
                    .modelConfig(config.or(session::modelConfig).orElse(null))
                    .build();
        }
    }

    /**
     * Sets or removes the parent; refused where that is not stored.
     *
     * @param parent an existing session, or nothing
     */
    record Parent(Optional<SessionId> parent) implements SessionEdit {
        @Override
        public Session applyTo(Session session) {
            return session.toBuilder().parent(parent.orElse(null)).build();
        }
    }

    /**
     * Records whom the session talks to.
     *
     * @param peer lane and source
     */
    record Peer(SessionPeer peer) implements SessionEdit {
        @Override
        public Session applyTo(Session session) {
            return session.toBuilder().peer(peer).build();
        }
    }

    /**
     * Sets both message counters, for copies that must keep what their origin counted.
     *
     * @param messages messages
     * @param toolCalls tool calls
     */
    record Counts(long messages, long toolCalls) implements SessionEdit {
        @Override
        public Session applyTo(Session session) {
            return session.toBuilder().counts(messages, toolCalls).build();
        }
    }
}
