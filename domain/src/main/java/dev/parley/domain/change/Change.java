package dev.parley.domain.change;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.domain.usage.UsageUpdate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A storage primitive. Everything that is stored is one of these, so a store is one write method over this family; a store
 * implements {@link Visitor}. Changes of a batch take effect in order.
 */
public sealed interface Change {
    /** The version of this family; rises when a change, a precondition, an edit or a part of one is added. A store declares the one it knows. */
    int VERSION = 2;

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
     * @param messages the messages, in the order they are to have; a backend may give them other sequence numbers where theirs do not rise above all before
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
     * Adds to, or sets, the usage of a session (storage 3.6), and adds to the slot of its time, source and model; does nothing
     * where the session does not exist. Slots outlive their sessions.
     *
     * @param session the session
     * @param usage the usage
     * @param at when it was used; absent where that is not known, then it belongs to no slot
     */
    record AddUsage(SessionId session, UsageUpdate usage, Optional<Instant> at) implements Change {
        /** Usage of a time that is not known. */
        public AddUsage(SessionId session, UsageUpdate usage) {
            this(session, usage, Optional.empty());
        }

        /** Returns the slot this belongs to, given its session's source and model before; absent where it belongs to none. */
        public Optional<UsageSlot.Key> slot(String source, Optional<String> model) {
            return usage.absolute()
                    ? Optional.empty()
                    : at.map(
                            when -> UsageSlot.Key.at(when, source, usage.model().or(() -> model)));
        }

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
     * Stores a turn, new or in another state. A turn that was claimed and has ended is counted in the slot of its end, where its
     * session is stored; one that is stored already ended, as copies are, is not.
     *
     * @param turn the turn
     */
    record PutTurn(Turn turn) implements Change {
        /** Returns whether this ends a turn of which {@code before} is stored. */
        public boolean ends(Optional<Turn> before) {
            return turn.endedAt().isPresent()
                    && before.filter(t -> t.state() == Turn.State.CLAIMED).isPresent();
        }

        /** Returns the slot of its end, given its session's source and model; absent while it has none. */
        public Optional<UsageSlot.Key> slot(String source, Optional<String> model) {
            return turn.endedAt()
                    .map(end ->
                            UsageSlot.Key.at(end, source, turn.usage().model().or(() -> model)));
        }

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
        /** Returns whether the turn is forgotten. */
        public boolean covers(Turn turn) {
            return turn.endedAt().filter(end -> end.isBefore(endedBefore)).isPresent();
        }

        /** Returns whether the received message is forgotten. */
        public boolean covers(Inbound inbound) {
            return (inbound.state() == Inbound.State.DONE || inbound.state() == Inbound.State.DROPPED)
                    && inbound.receivedAt().isBefore(endedBefore);
        }

        /** Returns whether the outgoing message is forgotten. */
        public boolean covers(Outgoing outgoing) {
            return !outgoing.state().isOpen() && outgoing.createdAt().isBefore(endedBefore);
        }

        /** Returns whether the line of history is forgotten. */
        public boolean covers(LaneEvent event) {
            return historyBefore.filter(limit -> event.at().isBefore(limit)).isPresent();
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.forget(this);
        }
    }

    /**
     * Sets a platform's cursor, or takes it away. Does not rise by itself: the last one stored counts.
     *
     * @param name the cursor
     * @param value where it stands, as the platform says it; absent takes the cursor away
     */
    record PutCursor(CursorName name, Optional<String> value) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.putCursor(this);
        }
    }

    /**
     * Overwrites a slot of usage, for copies.
     *
     * @param slot the slot
     */
    record PutUsage(UsageSlot slot) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.putUsage(this);
        }
    }

    /**
     * Gives a lane to a gateway under the next token, also if another gateway held it. The caller says with
     * {@link Precondition.HoldFree} or {@link Precondition.HeldBy} what it saw.
     *
     * @param lane the lane, which need not exist
     * @param holder the gateway
     */
    record TakeLane(SessionKey lane, LifeId holder) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.takeLane(this);
        }
    }

    /**
     * Makes a lane free; its token stays used. Does nothing where no gateway holds it. The caller says with
     * {@link Precondition.HeldBy} that it holds the lane, and with {@link Precondition.LastOrdinal} that it has seen all its
     * messages.
     *
     * @param lane the lane
     */
    record LeaveLane(SessionKey lane) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.leaveLane(this);
        }
    }

    /**
     * Stores a received message behind all others of its lane, for the gateway that holds the lane: it gets the ordinal after the greatest one.
     *
     * @param inbound the message; its ordinal is not looked at
     */
    record PostInbound(Inbound inbound) implements Change {
        @Override
        public void accept(Visitor visitor) {
            visitor.postInbound(this);
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

        /** Applies the change. */
        void putCursor(PutCursor change);

        /** Applies the change. */
        void putUsage(PutUsage change);

        /** Applies the change. */
        void takeLane(TakeLane change);

        /** Applies the change. */
        void leaveLane(LeaveLane change);

        /** Applies the change. */
        void postInbound(PostInbound change);
    }
}
