package dev.parley.domain.change;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A storage primitive. Everything that is stored is one of these, so a store is one write method over this family; a store
 * implements {@link Visitor}. Changes of a batch take effect in order.
 */
public sealed interface Change {
    /** The version of this family; rises when a change is added. A store declares the one it knows. */
    int VERSION = 1;

    /** Hands this change to the method of its kind. */
    void accept(Visitor visitor);

    /**
     * Stores a session with all its columns; does nothing where its id is stored already (storage 3.1). Counters are stored as
     * given and rise with later messages. Refused where its parent is not stored or its title belongs to another session.
     *
     * @param session the session
     */
    record CreateSession(Session session) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.createSession(this);
        }
    }

    /**
     * Edits a session; does nothing where it does not exist.
     *
     * @param session the session
     * @param edit what changes
     */
    record EditSession(SessionId session, SessionEdit edit) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.editSession(this);
        }
    }

    /**
     * Deletes a session with its messages; its direct children lose their parent and stay (storage 3.8). Does nothing where
     * it does not exist.
     *
     * @param session the session
     */
    record DeleteSession(SessionId session) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.deleteSession(this);
        }
    }

    /**
     * Stores a lane, new or changed, with its epoch.
     *
     * @param lane the lane
     */
    record PutLane(Lane lane) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.putLane(this);
        }
    }

    /**
     * Notes activity on a lane, where it still has this session; otherwise does nothing. Commutes with other touches:
     * activity only rises, usage is added, and a mark is cleared only where it is still the one that was seen. Leaves the
     * epoch alone. Activity makes a finalised entry live again (D15).
     *
     * @param lane the lane
     * @param session the session the activity belongs to
     * @param at when
     * @param tokens tokens used
     * @param costUsd their estimated cost
     * @param lastPromptTokens the size of the last prompt; absent leaves it alone, of several touches the last one applied wins
     * @param clears the mark to clear
     */
    record TouchLane(
            SessionKey lane,
            SessionId session,
            Instant at,
            TokenUsage tokens,
            double costUsd,
            Optional<Long> lastPromptTokens,
            Optional<Standing.ResumePending> clears)
            implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.touchLane(this);
        }

        /** Returns the entry after this touch; the same entry where it does not apply. */
        public SessionEntry applyTo(SessionEntry entry) {
            if (!entry.sessionId().equals(session)) {
                return entry;
            }
            SessionEntry touched = entry.usedAt(at).used(tokens, costUsd, lastPromptTokens);
            return clears.isPresent() && clears.equals(entry.toBeResumed()) ? touched.resumeCleared() : touched;
        }
    }

    /**
     * Removes a lane; its history and its sessions stay. Does nothing where it does not exist.
     *
     * @param lane the lane
     */
    record RemoveLane(SessionKey lane) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.removeLane(this);
        }
    }

    /**
     * Appends messages to a session, in order, and raises its counters (storage 4.1). A message whose id the session has
     * already is skipped and not counted. Refused where the session does not exist.
     *
     * @param session the session
     * @param messages the messages
     */
    record AppendMessages(SessionId session, List<Message> messages) implements Change {
        public AppendMessages {
            messages = List.copyOf(messages);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.appendMessages(this);
        }
    }

    /**
     * Takes messages out of a conversation and keeps them for the record. Counters stay. Ids that the session does not have,
     * and messages that are hidden already, are skipped.
     *
     * @param session the session
     * @param messages the messages
     * @param as how they are hidden: {@link StoredMessage.State#REWOUND} or {@link StoredMessage.State#COMPACTED}; hiding as
     *     rewound raises the session's rewind count by one, also where nothing was left to hide
     */
    record HideMessages(SessionId session, List<MessageId> messages, StoredMessage.State as) implements Change {
        public HideMessages {
            messages = List.copyOf(messages);
            if (as == StoredMessage.State.ACTIVE) {
                throw new IllegalArgumentException("Messages are hidden as rewound or as compacted, not as active.");
            }
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.hideMessages(this);
        }
    }

    /**
     * Replaces the conversation of a session: its active messages are deleted, hidden ones stay (D16), the new ones are
     * appended in order, and both counters become the totals of the new ones (storage 4.2). A new message whose id a hidden
     * one has is skipped and not counted. For a session that does not exist, no messages do nothing and any are refused.
     *
     * @param session the session
     * @param messages the new conversation
     */
    record ReplaceMessages(SessionId session, List<Message> messages) implements Change {
        public ReplaceMessages {
            messages = List.copyOf(messages);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.replaceMessages(this);
        }
    }

    /**
     * Appends messages to their sessions, each as it is and in its own state, for copies and imports. Raises no counters. A message
     * whose id its session has already is skipped. Refused where a session does not exist.
     *
     * @param messages the messages, in the order they are to have; a backend may give them other sequence numbers
     */
    record ImportMessages(List<StoredMessage> messages) implements Change {
        public ImportMessages {
            messages = List.copyOf(messages);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.importMessages(this);
        }
    }

    /**
     * Adds to, or sets, the usage of a session (storage 3.6); does nothing where it does not exist.
     *
     * @param session the session
     * @param usage the usage
     */
    record AddUsage(SessionId session, UsageUpdate usage) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.addUsage(this);
        }
    }

    /**
     * Stores a received message, new or in another state.
     *
     * @param inbound the message
     */
    record PutInbound(Inbound inbound) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.putInbound(this);
        }
    }

    /**
     * Stores a turn, new or in another state.
     *
     * @param turn the turn
     */
    record PutTurn(Turn turn) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.putTurn(this);
        }
    }

    /**
     * Stores an outgoing message, new or in another state.
     *
     * @param outgoing the message
     */
    record PutOutgoing(Outgoing outgoing) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.putOutgoing(this);
        }
    }

    /**
     * Appends a line to a lane's history.
     *
     * @param event the line
     */
    record AppendHistory(LaneEvent event) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.appendHistory(this);
        }
    }

    /**
     * Stores a named value.
     *
     * @param key the name
     * @param value the value
     */
    record PutMeta(String key, String value) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.putMeta(this);
        }
    }

    /**
     * Removes, for retention, turns that ended before a time, done and dropped inbound messages that were received before it,
     * and delivered and expired outgoing messages that were created before it. A lane's greatest ordinal is not forgotten.
     * Lanes' histories are shortened too where a limit is given.
     *
     * @param endedBefore the limit for turns, inbound and outgoing messages
     * @param historyBefore the limit for history
     */
    record Forget(Instant endedBefore, Optional<Instant> historyBefore) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.forget(this);
        }
    }

    /** One method per change; what a store implements. */
    interface Visitor {
        /** Applies the change. */
        void createSession(CreateSession change);

        /** Applies the change. */
        void editSession(EditSession change);

        /** Applies the change. */
        void deleteSession(DeleteSession change);

        /** Applies the change. */
        void putLane(PutLane change);

        /** Applies the change. */
        void touchLane(TouchLane change);

        /** Applies the change. */
        void removeLane(RemoveLane change);

        /** Applies the change. */
        void appendMessages(AppendMessages change);

        /** Applies the change. */
        void hideMessages(HideMessages change);

        /** Applies the change. */
        void replaceMessages(ReplaceMessages change);

        /** Applies the change. */
        void importMessages(ImportMessages change);

        /** Applies the change. */
        void addUsage(AddUsage change);

        /** Applies the change. */
        void putInbound(PutInbound change);

        /** Applies the change. */
        void putTurn(PutTurn change);

        /** Applies the change. */
        void putOutgoing(PutOutgoing change);

        /** Applies the change. */
        void appendHistory(AppendHistory change);

        /** Applies the change. */
        void putMeta(PutMeta change);

        /** Applies the change. */
        void forget(Forget change);
    }
}
