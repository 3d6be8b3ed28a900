package dev.parley.application.transfer;

import dev.parley.application.port.Ids;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.title.Title;
import dev.parley.domain.title.TitleLineage;
import dev.parley.domain.title.TitleTooLong;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds exported sessions to a store (storage 6). All of them are checked before anything is stored, and all are stored in one batch:
 * whatever goes wrong, the store is as it was. So all of them are held; {@link SteppedImport} takes more than that. Reading and writing
 * the files is not done here.
 */
public final class SessionImport {
    private final Storage storage;
    private final Ids ids;
    private final Limits limits;

    /**
     * A session as it was read.
     *
     * @param session the session with its counters and its parent
     * @param messages its messages; those of all sessions are stored in the order of their sequence numbers, which are not kept
     * @param bytes how large it was where it was read
     */
    public record Item(Session session, List<StoredMessage> messages, long bytes) {
        public Item {
            messages = List.copyOf(messages);
        }
    }

    /**
     * What decides whether and where a session is taken in, without its messages.
     *
     * @param id its id
     * @param parent its parent
     * @param title its title as it was read
     * @param messages how many messages it has
     * @param first the lowest sequence number of them; 0 where there are none
     * @param bytes how large it was where it was read
     */
    public record Outline(
            SessionId id, Optional<SessionId> parent, Optional<String> title, int messages, long first, long bytes) {
        /** Returns the outline of a session. */
        public static Outline of(Item item) {
            return new Outline(
                    item.session().id(),
                    item.session().parent(),
                    item.session().title(),
                    item.messages().size(),
                    item.messages().stream()
                            .mapToLong(StoredMessage::sequence)
                            .min()
                            .orElse(0),
                    item.bytes());
        }
    }

    /**
     * How much is taken at once.
     *
     * @param sessions sessions
     * @param messagesEach messages of one session
     * @param messages messages of all sessions
     * @param bytesEach bytes of one session
     * @param bytes bytes of all sessions
     */
    public record Limits(int sessions, int messagesEach, int messages, long bytesEach, long bytes) {
        private static final long MIB = 1024L * 1024;

        /** The limits where nothing is configured. */
        public static final Limits DEFAULT = new Limits(500, 10_000, 50_000, 5 * MIB, 25 * MIB);

        /** No limits. */
        public static final Limits NONE =
                new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** What became of an import. */
    public sealed interface Outcome {
        /**
         * Everything is stored.
         *
         * @param imported sessions added
         * @param messages their messages
         * @param skipped sessions that were there already, and stay as they are
         * @param detached sessions that lost their parent, because it is not there or would have been its own ancestor
         * @param renamed sessions whose title got another number, because it is taken
         */
        record Done(int imported, int messages, int skipped, int detached, int renamed) implements Outcome {}

        /**
         * Nothing is stored.
         *
         * @param problems all that is wrong
         */
        record Refused(List<Problem> problems) implements Outcome {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /**
     * Why an import is refused.
     *
     * @param index the session's place, from 0; -1 where it is about all of them
     * @param session its id; absent where it is about all of them
     * @param error what is wrong and what to do
     */
    public record Problem(int index, Optional<SessionId> session, String error) {}

    /**
     * Makes an import.
     *
     * @param storage where sessions are added
     * @param ids names the messages and the batch
     * @param limits how much is taken at once
     */
    public SessionImport(Storage storage, Ids ids, Limits limits) {
        this.storage = storage;
        this.ids = ids;
        this.limits = limits;
    }

    /** Adds the sessions; all of them, or none where anything is wrong. */
    public Outcome add(List<Item> items) {
        Target target = new Target(storage);
        List<Problem> problems =
                new ArrayList<>(target.problems(items.stream().map(Outline::of).toList(), limits));
        for (int i = 0; i < items.size(); i++) {
            SessionId id = items.get(i).session().id();
            if (items.get(i).messages().stream().anyMatch(m -> !m.session().equals(id))) {
                problems.add(new Problem(i, Optional.of(id), "It holds a message of another session."));
            }
        }
        if (!problems.isEmpty()) {
            return new Outcome.Refused(problems);
        }
        Map<SessionId, Item> fresh = new LinkedHashMap<>();
        for (Item item : items) {
            if (!target.has(item.session().id())) {
                fresh.put(item.session().id(), item);
            }
        }
        Map<SessionId, SessionId> parents =
                target.parents(fresh.values().stream().map(Outline::of).toList());
        int detached = (int) fresh.values().stream()
                .filter(item -> item.session().parent().isPresent()
                        && !parents.containsKey(item.session().id()))
                .count();
        List<Precondition> preconditions = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        int renamed = 0;
        Set<String> given = new HashSet<>();
        for (Item item : fresh.values()) {
            Session session = item.session();
            Optional<String> wanted = session.title().flatMap(Title::clean);
            Optional<String> title = wanted.map(t -> target.free(t, given));
            renamed += title.equals(wanted) ? 0 : 1;
            title.ifPresent(given::add);
            preconditions.addAll(Target.preconditions(session.id(), title));
            changes.add(Target.creation(session, title));
        }
        parents.forEach((child, parent) ->
                changes.add(new Change.EditSession(child, new SessionEdit.Parent(Optional.of(parent)))));
        List<StoredMessage> messages = Target.messages(
                fresh.values().stream()
                        .flatMap(item -> item.messages().stream())
                        .toList(),
                ids);
        if (!messages.isEmpty()) {
            changes.add(new Change.ImportMessages(messages));
        }
        if (!changes.isEmpty()
                && !storage.ledger()
                        .commit(new Batch(new BatchId(ids.unique("import"), 1), preconditions, changes))
                        .isCommitted()) {
            throw new StorageUnavailable(
                    "The store was changed by others during the import; nothing was imported, try again.", null);
        }
        return new Outcome.Done(fresh.size(), messages.size(), items.size() - fresh.size(), detached, renamed);
    }

    /** What a store says of sessions that are to be added to it, and what becomes of each (storage 6). Changes nothing. */
    static final class Target {
        private final Storage storage;

        Target(Storage storage) {
            this.storage = storage;
        }

        boolean has(SessionId session) {
            return storage.sessions().find(session).isPresent();
        }

        /** Returns all that is wrong with the sessions; empty where they may be added. */
        List<Problem> problems(List<Outline> outlines, Limits limits) {
            List<Problem> problems = new ArrayList<>();
            over(problems, "sessions", outlines.size(), limits.sessions());
            over(
                    problems,
                    "messages",
                    outlines.stream().mapToLong(Outline::messages).sum(),
                    limits.messages());
            over(problems, "bytes", outlines.stream().mapToLong(Outline::bytes).sum(), limits.bytes());
            Set<SessionId> seen = new HashSet<>();
            for (int i = 0; i < outlines.size(); i++) {
                Outline outline = outlines.get(i);
                Optional<SessionId> id = Optional.of(outline.id());
                if (!seen.add(outline.id())) {
                    problems.add(new Problem(i, id, "The session " + outline.id() + " is there twice."));
                }
                if (outline.messages() > limits.messagesEach()) {
                    problems.add(new Problem(
                            i,
                            id,
                            "It has " + outline.messages() + " messages; at most " + limits.messagesEach()
                                    + " are taken."));
                }
                if (outline.bytes() > limits.bytesEach()) {
                    problems.add(new Problem(
                            i,
                            id,
                            "It has " + outline.bytes() + " bytes; at most " + limits.bytesEach() + " are taken."));
                }
                try {
                    if (outline.title().flatMap(Title::clean).isPresent()
                            && !storage.sessions().keepsTitles()) {
                        problems.add(
                                new Problem(i, id, "It has a title, and this store keeps none; leave its title out."));
                    }
                } catch (TitleTooLong e) {
                    problems.add(new Problem(i, id, String.valueOf(e.getMessage())));
                }
            }
            return problems;
        }

        private static void over(List<Problem> problems, String what, long number, long limit) {
            if (number > limit) {
                problems.add(new Problem(
                        -1,
                        Optional.empty(),
                        "There are " + number + " " + what + "; at most " + limit
                                + " are taken at once. Import in parts."));
            }
        }

        /** Returns by child the parents that are there, or will be, and do not lead back to their child. */
        Map<SessionId, SessionId> parents(List<Outline> fresh) {
            Set<SessionId> coming = new HashSet<>();
            fresh.forEach(outline -> coming.add(outline.id()));
            Map<SessionId, SessionId> parents = new LinkedHashMap<>();
            for (Outline outline : fresh) {
                Optional<SessionId> parent = outline.parent();
                if (parent.isPresent()
                        && (coming.contains(parent.get()) || has(parent.get()))
                        && !leadsTo(outline.id(), parent.get(), parents)) {
                    parents.put(outline.id(), parent.get());
                }
            }
            return parents;
        }

        private static boolean leadsTo(SessionId child, SessionId parent, Map<SessionId, SessionId> parents) {
            SessionId at = parent;
            while (!at.equals(child)) {
                SessionId next = parents.get(at);
                if (next == null) {
                    return false;
                }
                at = next;
            }
            return true;
        }

        /**
         * Returns the title where it is free, else the next of its lineage.
         *
         * @param given titles of sessions that are not stored yet
         */
        String free(String title, Set<String> given) {
            if (!given.contains(title) && storage.sessions().findByTitle(title).isEmpty()) {
                return title;
            }
            List<String> taken = new ArrayList<>(given);
            storage.sessions()
                    .titledLike(TitleLineage.base(title))
                    .forEach(s -> s.title().ifPresent(taken::add));
            return TitleLineage.next(title, taken);
        }

        /** Returns what must hold when a session is created. */
        static List<Precondition> preconditions(SessionId session, Optional<String> title) {
            List<Precondition> preconditions = new ArrayList<>();
            preconditions.add(new Precondition.SessionAbsent(session));
            title.ifPresent(t -> preconditions.add(new Precondition.TitleFree(t, session)));
            return preconditions;
        }

        /** Returns what creates a session, without its parent, under this title. */
        static Change creation(Session session, Optional<String> title) {
            return new Change.CreateSession(session.toBuilder()
                    .parent(null)
                    .title(title.orElse(null))
                    .rewindCount(0)
                    .build());
        }

        /** Returns messages in the order of their sequence numbers, with ids of their own. */
        static List<StoredMessage> messages(List<StoredMessage> read, Ids ids) {
            return read.stream()
                    .sorted(Comparator.comparingLong(StoredMessage::sequence))
                    .map(m -> new StoredMessage(
                            m.sequence(),
                            m.session(),
                            m.message().toBuilder()
                                    .id(new MessageId(ids.unique("m")))
                                    .build(),
                            m.state()))
                    .toList();
        }
    }
}
