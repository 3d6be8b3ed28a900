package dev.parley.application.transfer;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.transfer.SessionImport.Item;
import dev.parley.application.transfer.SessionImport.Limits;
import dev.parley.application.transfer.SessionImport.Outcome;
import dev.parley.application.transfer.SessionImport.Outline;
import dev.parley.application.transfer.SessionImport.Problem;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.title.Title;
import dev.parley.domain.transcript.StoredMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Adds more exported sessions than are held at once (storage 6). All of them are checked before anything is stored. Then they are stored in
 * short steps, the one whose messages begin first before the others and each behind its parent. Where that is interrupted, the same
 * import adds the rest: a session that is there is there with all its messages, but for a long one that was under way, which is named in
 * the store and begun again. For one run.
 */
public final class SteppedImport {
    /** The value that names the session under way; empty where none is. */
    static final String UNDER_WAY = "import_under_way";

    /** So many messages are stored in one step, and so many characters. */
    private static final int MOST_MESSAGES = 200;

    private static final long MOST_CHARACTERS = 200_000;

    private final Storage storage;
    private final Ledger ledger;
    private final Ids ids;
    private final Limits limits;
    private final SessionImport.Target target;
    private final BatchWriter writer;
    private final List<Precondition> preconditions = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<StoredMessage> messages = new ArrayList<>();
    private final Set<String> titles = new HashSet<>();
    private long characters;

    /** Reads a session with its messages. */
    @FunctionalInterface
    public interface Source {
        /** Returns the session at this place, from 0, of those whose outlines were given. */
        Item read(int place);
    }

    /**
     * Makes an import.
     *
     * @param storage where sessions are added
     * @param ledger takes its batches
     * @param ids names the messages and the batches
     * @param limits how much is taken
     */
    public SteppedImport(Storage storage, Ledger ledger, Ids ids, Limits limits) {
        this.storage = storage;
        this.ledger = ledger;
        this.ids = ids;
        this.limits = limits;
        this.target = new SessionImport.Target(storage);
        this.writer = new BatchWriter(ids.unique("import"));
    }

    /**
     * Adds the sessions; none where anything is wrong with any.
     *
     * @param outlines all sessions
     * @param source reads each of them once more
     * @param progress told after each step how many messages are done, of how many
     */
    public Outcome add(List<Outline> outlines, Source source, BiConsumer<Long, Long> progress) {
        List<Problem> problems = target.problems(outlines, limits);
        if (!problems.isEmpty()) {
            return new Outcome.Refused(problems);
        }
        takeBackUnfinished();
        List<Outline> fresh =
                outlines.stream().filter(outline -> !target.has(outline.id())).toList();
        Map<SessionId, SessionId> parents = target.parents(fresh);
        long total = fresh.stream().mapToLong(Outline::messages).sum();
        long stored = 0;
        int renamed = 0;
        for (int place : order(outlines, fresh, parents)) {
            Item item = source.read(place);
            Optional<String> wanted = item.session().title().flatMap(Title::clean);
            Optional<String> title = wanted.map(each -> target.free(each, titles));
            renamed += title.equals(wanted) ? 0 : 1;
            store(item, title, Optional.ofNullable(parents.get(item.session().id())));
            stored += item.messages().size();
            progress.accept(stored, total);
        }
        flush();
        int detached = (int) fresh.stream()
                .filter(outline -> outline.parent().isPresent() && !parents.containsKey(outline.id()))
                .count();
        return new Outcome.Done(
                fresh.size(), Math.toIntExact(total), outlines.size() - fresh.size(), detached, renamed);
    }

    /** Removes the session of which an interrupted import has stored a part. */
    private void takeBackUnfinished() {
        storage.meta().get(UNDER_WAY).filter(id -> !id.isEmpty()).ifPresent(id -> {
            changes.add(new Change.DeleteSession(SessionId.of(id)));
            changes.add(new Change.PutMeta(UNDER_WAY, ""));
            flush();
        });
    }

    /** Returns the places of the new sessions, by their first messages and each behind its parent. */
    private static List<Integer> order(List<Outline> outlines, List<Outline> fresh, Map<SessionId, SessionId> parents) {
        Set<SessionId> wanted = new HashSet<>();
        fresh.forEach(outline -> wanted.add(outline.id()));
        Map<SessionId, Integer> places = new HashMap<>();
        IntStream.range(0, outlines.size())
                .filter(place -> wanted.contains(outlines.get(place).id()))
                .forEach(place -> places.put(outlines.get(place).id(), place));
        List<Integer> order = new ArrayList<>();
        Set<SessionId> placed = new HashSet<>();
        fresh.stream().sorted(Comparator.comparingLong(Outline::first)).forEach(outline -> {
            Deque<SessionId> waiting = new ArrayDeque<>();
            for (SessionId at = outline.id();
                    at != null && places.containsKey(at) && !placed.contains(at);
                    at = parents.get(at)) {
                waiting.push(at);
            }
            waiting.forEach(id -> {
                placed.add(id);
                order.add(places.get(id));
            });
        });
        return order;
    }

    private void store(Item item, Optional<String> title, Optional<SessionId> parent) {
        SessionId id = item.session().id();
        if (!fits(item)) {
            flush();
        }
        boolean inParts = !fits(item);
        title.ifPresent(titles::add);
        preconditions.addAll(SessionImport.Target.preconditions(id, title));
        changes.add(SessionImport.Target.creation(item.session(), title));
        parent.ifPresent(of -> changes.add(new Change.EditSession(id, new SessionEdit.Parent(Optional.of(of)))));
        if (inParts) {
            changes.add(new Change.PutMeta(UNDER_WAY, id.value()));
        }
        for (StoredMessage message : SessionImport.Target.messages(item.messages(), ids)) {
            if (messages.size() >= MOST_MESSAGES || characters >= MOST_CHARACTERS) {
                flush();
            }
            messages.add(message);
            characters += characters(message);
        }
        if (inParts) {
            changes.add(new Change.PutMeta(UNDER_WAY, ""));
            flush();
        }
    }

    private boolean fits(Item item) {
        return changes.size() < MOST_MESSAGES
                && messages.size() + item.messages().size() <= MOST_MESSAGES
                && characters
                                + item.messages().stream()
                                        .mapToLong(SteppedImport::characters)
                                        .sum()
                        <= MOST_CHARACTERS;
    }

    private static long characters(StoredMessage message) {
        return message.message().content().plainText().length();
    }

    private void flush() {
        if (!messages.isEmpty()) {
            changes.add(new Change.ImportMessages(List.copyOf(messages)));
        }
        if (changes.isEmpty()) {
            return;
        }
        Batch batch = writer.next(List.copyOf(preconditions), changes);
        if (!ledger.commit(batch).isCommitted()) {
            throw new StorageUnavailable(
                    "The store was changed by others during the import; what is imported stays, import the same again"
                            + " to add the rest.",
                    null);
        }
        preconditions.clear();
        changes.clear();
        messages.clear();
        titles.clear();
        characters = 0;
    }
}
