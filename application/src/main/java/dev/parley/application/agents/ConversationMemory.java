package dev.parley.application.agents;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.port.Ids;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.StoredTime;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A memory of conversations as libraries of agents have one, kept in transcripts: a conversation is a session, by its id. A conversation that
 * is not stored yet becomes a session that no lane has. What a library remembers no longer is still found by search. Safe for concurrent use.
 */
public final class ConversationMemory {
    private static final Set<Role> KNOWN = Set.of(Role.USER, Role.ASSISTANT, Role.SYSTEM, Role.TOOL);

    private final Storage storage;
    private final Ids ids;
    private final InstantSource clock;
    private final String source;
    private final BatchWriter writer;

    /**
     * A memory in a store that is open.
     *
     * @param source where its own sessions come from, such as {@code spring-ai}, for lists of sessions
     */
    public ConversationMemory(Storage storage, Ids ids, InstantSource clock, String source) {
        this.storage = storage;
        this.ids = ids;
        this.clock = clock;
        this.source = source;
        this.writer = new BatchWriter(ids.unique("memory"));
    }

    /** Returns the ids of all sessions, oldest start first. */
    public List<SessionId> conversations() {
        List<SessionId> found = new ArrayList<>();
        storage.sessions().forEach(session -> found.add(session.id()));
        return found;
    }

    /** Returns a conversation, in order; empty where there is none. */
    public List<Message> load(SessionId conversation) {
        return storage.transcripts().load(conversation).stream()
                .map(StoredMessage::message)
                .filter(message -> !message.role().equals(Role.SESSION_META))
                .toList();
    }

    /**
     * Makes a conversation the given one. Where that begins with what was remembered, perhaps without some of it, the rest is appended; a
     * session that no lane has then leaves out what was left out, so that the next load has the window that the library wants. Where it is
     * another one, the old one is left out as a whole. What is left out is kept for search, as before a summary. Durable on return.
     *
     * @param now the conversation; ids and times of messages do not matter, those that are stored get new ones
     */
    public synchronized void keep(SessionId conversation, List<Message> now) {
        List<Message> before = load(conversation);
        Optional<Session> session = storage.sessions().find(conversation);
        List<Message> known = known(before, now);
        boolean whole = session.flatMap(Session::peer).isPresent() && !known.isEmpty();
        List<Change> changes = new ArrayList<>();
        if (session.isEmpty() && !now.isEmpty()) {
            changes.add(new Change.CreateSession(
                    Session.builder(conversation, source, instant()).build()));
        }
        List<MessageId> leftOut = before.stream()
                .filter(message -> !whole && !known.contains(message))
                .map(Message::id)
                .toList();
        if (!leftOut.isEmpty()) {
            changes.add(new Change.HideMessages(conversation, leftOut, StoredMessage.State.COMPACTED));
        }
        if (known.size() < now.size()) {
            changes.add(new Change.AppendMessages(
                    conversation,
                    now.subList(known.size(), now.size()).stream()
                            .map(this::stored)
                            .toList()));
        }
        if (!changes.isEmpty()) {
            commit(changes);
        }
    }

    /**
     * Forgets a conversation. A session that no lane has is deleted; of another one the messages of its conversation are, and it goes on
     * empty. Durable on return.
     */
    public synchronized void forget(SessionId conversation) {
        Optional<Session> session = storage.sessions().find(conversation);
        if (session.isEmpty()) {
            return;
        }
        Change change = session.get().peer().isPresent()
                ? new Change.ReplaceMessages(conversation, List.of())
                : new Change.DeleteSession(conversation);
        commit(List.of(change));
    }

    private void commit(List<Change> changes) {
        storage.ledger().commit(writer.next(List.of(), changes));
    }

    private Instant instant() {
        return StoredTime.now(clock);
    }

    private Message stored(Message message) {
        return message.toBuilder()
                .id(new MessageId(ids.unique("m")))
                .at(instant())
                .build();
    }

    /** Returns the messages with which {@code now} begins: the end of {@code before}, perhaps with gaps, and as many as possible. */
    private static List<Message> known(List<Message> before, List<Message> now) {
        for (int most = Math.min(before.size(), now.size()); most > 0; most--) {
            List<Message> found = found(before, now.subList(0, most));
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    /** Returns where {@code some} stand in {@code before} as its end with gaps, or nothing. */
    private static List<Message> found(List<Message> before, List<Message> some) {
        int at = before.size() - 1;
        if (!same(before.get(at), some.get(some.size() - 1))) {
            return List.of();
        }
        Deque<Message> found = new ArrayDeque<>();
        for (int next = some.size() - 1; next >= 0; next--) {
            while (at >= 0 && !same(before.get(at), some.get(next))) {
                at--;
            }
            if (at < 0) {
                return List.of();
            }
            found.addFirst(before.get(at));
            at--;
        }
        return List.copyOf(found);
    }

    private static boolean same(Message one, Message other) {
        return spoken(one).equals(spoken(other))
                && one.content().plainText().equals(other.content().plainText())
                && calls(one).equals(calls(other))
                && (!one.role().equals(Role.TOOL) || one.toolCallId().equals(other.toolCallId()));
    }

    /** Roles that libraries do not know are people to them. */
    private static Role spoken(Message message) {
        return KNOWN.contains(message.role()) ? message.role() : Role.USER;
    }

    private static List<ToolCall> calls(Message message) {
        return message.toolCalls().map(each -> each.calls()).orElse(List.of());
    }
}
