package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import java.util.List;
import java.util.Optional;

/**
 * Told about the life of sessions; runs at least once for each, keyed by session id. Failures are counted by the caller. Calls for one
 * lane come one at a time and in the order in which things happened, those for different lanes from several threads at once. A call that
 * takes longer than a minute is told as trouble, and the next of its lane follows.
 */
public interface LifecycleHooks {
    /** A session has begun and its first turn is about to run (G3.22). */
    default void sessionStarted(SessionKey lane, SessionId session) {}

    /** A session is over: its lane goes on with {@code next}, or will begin anew with its next message (W10.4, Z12.1). */
    default void sessionFinalized(SessionKey lane, SessionId session, Optional<SessionId> next, String reason) {}

    /** A person began a session anew (Z12.1). */
    default void sessionReset(SessionKey lane, SessionId session) {}

    /**
     * Returns what the agent is to see in this run only, such as memories, surroundings or a working directory: messages placed
     * before {@code input}, in this order. Asked anew before every run, also of a resumed turn; nothing of it is stored, so none
     * of it is in the next run's history (storage 7.8). Empty where there is nothing. Called while the agent begins, beside its lane, and part of
     * the time that an agent has to begin, so it returns soon; where it fails, the turn runs without and the operator is told.
     *
     * @param input the user's message as it is stored
     */
    default List<Message> beforeRun(SessionKey lane, SessionId session, Message input) {
        return List.of();
    }

    /** Returns hooks that are several: a gateway calls each of them independently of the others. */
    static LifecycleHooks all(List<? extends LifecycleHooks> hooks) {
        return hooks.size() == 1 ? hooks.get(0) : new Several(List.copyOf(hooks));
    }

    /** Returns the hooks that {@link #all} has put together; the hooks themselves where they are one. */
    static List<LifecycleHooks> each(LifecycleHooks hooks) {
        return hooks instanceof Several several ? several.hooks() : List.of(hooks);
    }

    /**
     * Several hooks.
     *
     * @param hooks called in this order
     */
    record Several(List<LifecycleHooks> hooks) implements LifecycleHooks {
        /** Copies the list. */
        public Several {
            hooks = List.copyOf(hooks);
        }

        @Override
        public void sessionStarted(SessionKey lane, SessionId session) {
            hooks.forEach(each -> each.sessionStarted(lane, session));
        }

        @Override
        public void sessionFinalized(SessionKey lane, SessionId session, Optional<SessionId> next, String reason) {
            hooks.forEach(each -> each.sessionFinalized(lane, session, next, reason));
        }

        @Override
        public void sessionReset(SessionKey lane, SessionId session) {
            hooks.forEach(each -> each.sessionReset(lane, session));
        }

        @Override
        public List<Message> beforeRun(SessionKey lane, SessionId session, Message input) {
            return hooks.stream()
                    .flatMap(each -> each.beforeRun(lane, session, input).stream())
                    .toList();
        }
    }

    /** Nothing is told. */
    LifecycleHooks NONE = new LifecycleHooks() {};
}
