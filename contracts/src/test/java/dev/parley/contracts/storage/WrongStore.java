package dev.parley.contracts.storage;

import dev.parley.application.port.EventQuery;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.Page;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQuery;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.UsageUpdate;
import dev.parley.testing.memory.MemoryStorage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store with one thing wrong. Everything else is as in the store behind it. */
class WrongStore implements Storage {
    private static final Lane NO_LANE = Samples.lane("none", "none", 1);

    private final Storage right;

    WrongStore(Storage right) {
        this.right = right;
    }

    // What is wrong with writing

    static WrongStore duplicatingBatches(Storage right) {
        AtomicLong made = new AtomicLong();
        return committing(
                right,
                batch -> right.ledger()
                        .commit(new Batch(
                                new BatchId("again-" + made.incrementAndGet() + "-" + System.identityHashCode(made), 1),
                                batch.preconditions(),
                                batch.changes())));
    }

    /** Applies a batch change by change, and lets others look in between. */
    static WrongStore applyingChangesOneByOne(Storage right) {
        AtomicLong made = new AtomicLong();
        return committing(right, batch -> {
            for (Change change : batch.changes()) {
                letOthersLook();
                CommitResult result = right.ledger()
                        .commit(new Batch(
                                new BatchId("part-" + made.incrementAndGet(), 1),
                                batch.preconditions(),
                                List.of(change)));
                if (!result.isCommitted()) {
                    return result;
                }
            }
            return new CommitResult.Committed();
        });
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private static void letOthersLook() {
        Thread.yield();
    }

    static WrongStore ignoringPreconditions(Storage right, Class<?> kind) {
        return committing(
                right,
                batch -> right.ledger()
                        .commit(new Batch(
                                batch.id(),
                                batch.preconditions().stream()
                                        .filter(p -> !kind.isInstance(p))
                                        .toList(),
                                batch.changes())));
    }

    /**
     * Looks at preconditions of one kind before it locks anything, and lets another thread do the same before it stores, as a
     * database does whose transactions do not see each other.
     */
    static WrongStore lookingBeforeItLocks(Storage right, Class<?> kind) {
        AtomicLong looks = new AtomicLong();
        Exchanger<Boolean> gap = new Exchanger<>();
        return committing(right, batch -> {
            List<Precondition> early =
                    batch.preconditions().stream().filter(kind::isInstance).toList();
            if (!early.isEmpty()) {
                CommitResult look = right.ledger()
                        .commit(new Batch(new BatchId("look-" + looks.incrementAndGet(), 1), early, List.of()));
                if (!look.isCommitted()) {
                    return new CommitResult.Conflict(early.get(0));
                }
                meet(gap);
            }
            return right.ledger()
                    .commit(new Batch(
                            batch.id(),
                            batch.preconditions().stream()
                                    .filter(p -> !kind.isInstance(p))
                                    .toList(),
                            batch.changes()));
        });
    }

    /** Lets two threads find each other, for a short while. */
    private static void meet(Exchanger<Boolean> gap) {
        try {
            gap.exchange(true, 100, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // Nobody else is here.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static WrongStore ignoringChanges(Storage right, Predicate<Change> ignored) {
        return committing(
                right,
                batch -> right.ledger()
                        .commit(new Batch(
                                batch.id(),
                                batch.preconditions(),
                                batch.changes().stream()
                                        .filter(ignored.negate())
                                        .toList())));
    }

    static WrongStore changing(Storage right, Function<Change, List<Change>> wrongly) {
        return committing(
                right,
                batch -> right.ledger()
                        .commit(new Batch(
                                batch.id(),
                                batch.preconditions(),
                                batch.changes().stream()
                                        .flatMap(change -> wrongly.apply(change).stream())
                                        .toList())));
    }

    /** Says that it keeps no titles, and drops those it is given. */
    static WrongStore droppingTitles(Storage right) {
        Storage partial = PartialStore.of(right);
        return changing(partial, change -> {
            if (change instanceof Change.CreateSession created) {
                return List.of(new Change.CreateSession(
                        created.session().toBuilder().title(null).build()));
            }
            return change instanceof Change.EditSession edited && edited.edit() instanceof SessionEdit.Retitle
                    ? List.of()
                    : List.of(change);
        });
    }

    /** Offers no search and answers as if nothing had been said. */
    static WrongStore findingNothing(Storage right) {
        return new WrongStore(right) {
            @Override
            public TranscriptSearch search() {
                return query -> List.of();
            }
        };
    }

    /** The right store, which tells what was committed. */
    static WrongStore noting(Storage right, Consumer<Batch> committed) {
        return committing(right, batch -> {
            CommitResult result = right.ledger().commit(batch);
            if (result.isCommitted()) {
                committed.accept(batch);
            }
            return result;
        });
    }

    /** Each thread keeps the lane as it was first stored and writes its touches over what the others wrote. */
    static WrongStore losingUpdates(Storage right) {
        Map<SessionKey, Lane> stored = new ConcurrentHashMap<>();
        Map<String, Lane> seen = new ConcurrentHashMap<>();
        return committing(right, batch -> {
            List<Change> changes = new ArrayList<>();
            for (Change change : batch.changes()) {
                if (change instanceof Change.TouchLane touch) {
                    String mine = Thread.currentThread().getName() + touch.lane();
                    Lane lane = seen.getOrDefault(mine, stored.getOrDefault(touch.lane(), NO_LANE));
                    Lane touched = new Lane(touch.applyTo(lane.entry()), lane.epoch());
                    seen.put(mine, touched);
                    changes.add(new Change.PutLane(touched));
                } else {
                    if (change instanceof Change.PutLane put) {
                        stored.put(put.lane().key(), put.lane());
                    }
                    changes.add(change);
                }
            }
            return right.ledger().commit(new Batch(batch.id(), batch.preconditions(), changes));
        });
    }

    /** While {@code failing} says so, nothing is stored and nobody is told. */
    static WrongStore swallowingFailures(Storage right, Predicate<Batch> failing) {
        return committing(
                right,
                batch -> failing.test(batch)
                        ? new CommitResult.Committed()
                        : right.ledger().commit(batch));
    }

    /** Stores what {@code leaf} makes of each text, number and time. */
    static WrongStore storing(Storage right, UnaryOperator<Object> leaf) {
        return changing(right, change -> List.of((Change) Rewritten.of(change, leaf)));
    }

    /** Takes writers for one whose names {@code fold} makes equal. */
    static WrongStore foldingWriters(Storage right, UnaryOperator<String> fold) {
        return committing(
                right,
                batch -> right.ledger()
                        .commit(new Batch(
                                new BatchId(
                                        fold.apply(batch.id().writer()),
                                        batch.id().sequence()),
                                batch.preconditions(),
                                batch.changes())));
    }

    /** Applies the changes of large batches one by one, as a database does that takes so many statements at once. */
    static WrongStore splittingLargeBatches(Storage right) {
        WrongStore oneByOne = applyingChangesOneByOne(right);
        return committing(
                right, batch -> (batch.changes().size() > 1000 ? oneByOne.ledger() : right.ledger()).commit(batch));
    }

    /** Remembers the last hundred writers. */
    static WrongStore forgettingWriters(Storage right) {
        Map<String, Integer> known = new LinkedHashMap<>();
        AtomicLong made = new AtomicLong();
        return committing(right, batch -> {
            String writer = batch.id().writer();
            String name = writer + "-" + known.computeIfAbsent(writer, w -> (int) made.incrementAndGet());
            if (known.size() > 100) {
                known.remove(known.keySet().iterator().next());
            }
            return right.ledger()
                    .commit(new Batch(
                            new BatchId(name, batch.id().sequence()), batch.preconditions(), batch.changes()));
        });
    }

    /** Follows a chain for ten links, and lists nothing of a longer one. */
    static WrongStore cuttingChains(Storage right) {
        return new WrongStore(right) {
            @Override
            public Sessions sessions() {
                return altered(Sessions.class, right.sessions(), (method, arguments, answer) -> {
                    if (!method.getName().equals("list") || !(answer instanceof List<?> rows)) {
                        return answer;
                    }
                    return rows.stream()
                            .map(SessionListing.class::cast)
                            .filter(row ->
                                    depth(right, Optional.of(row.session().id())) <= 10)
                            .toList();
                });
            }
        };
    }

    private static int depth(Storage right, Optional<SessionId> parent) {
        return parent.flatMap(id -> right.sessions().find(id))
                .map(session -> 1 + depth(right, session.parent()))
                .orElse(0);
    }

    /** Lets go of its lock behind a stream, and not where the reader fails in it. */
    static WrongStore keepingTheLockOfAFailedStream(Storage right) {
        AtomicLong streaming = new AtomicLong();
        return new WrongStore(right) {
            @Override
            public Ledger ledger() {
                return batch -> {
                    if (streaming.get() > 0) {
                        throw new StorageUnavailable("The store is locked; try again.", null);
                    }
                    return right.ledger().commit(batch);
                };
            }

            @Override
            public Transcripts transcripts() {
                Transcripts all = right.transcripts();
                return (Transcripts) Proxy.newProxyInstance(
                        Transcripts.class.getClassLoader(),
                        new Class<?>[] {Transcripts.class},
                        (proxy, method, arguments) -> {
                            streaming.incrementAndGet();
                            Object answer;
                            try {
                                answer = method.invoke(all, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getTargetException();
                            }
                            streaming.decrementAndGet();
                            return answer;
                        });
            }
        };
    }

    /** Loses its file under everybody once a thread that is interrupted uses it, as file channels do. */
    static WrongStore closingForInterrupts(Storage right) {
        AtomicBoolean lost = new AtomicBoolean();
        return committing(right, batch -> {
            if (lost.get() || Thread.currentThread().isInterrupted()) {
                lost.set(true);
                throw new StorageUnavailable("The file is closed; open it again.", null);
            }
            return right.ledger().commit(batch);
        });
    }

    /** Reads what a session has used before it locks, adds to it, and writes the sum. */
    static WrongStore addingUsageBeforeItLocks(Storage right) {
        Exchanger<Boolean> gap = new Exchanger<>();
        return committing(right, batch -> {
            List<Change> changes = new ArrayList<>();
            for (Change change : batch.changes()) {
                if (change instanceof Change.AddUsage add) {
                    Session seen = right.sessions().find(add.session()).orElseThrow();
                    meet(gap);
                    Session sum = seen.used(add.usage());
                    changes.add(new Change.AddUsage(
                            add.session(),
                            new UsageUpdate(sum.tokens(), sum.apiCalls(), sum.model(), Billing.NONE, true),
                            add.at()));
                } else {
                    changes.add(change);
                }
            }
            return right.ledger().commit(new Batch(batch.id(), batch.preconditions(), changes));
        });
    }

    /** Counts a message that it did not see before it locked, whether or not it is there by then. */
    static WrongStore countingMessagesBeforeItLocks(Storage right) {
        Exchanger<Boolean> gap = new Exchanger<>();
        Object lock = new Object();
        return committing(right, batch -> {
            Optional<Change.AppendMessages> append = batch.changes().stream()
                    .filter(Change.AppendMessages.class::isInstance)
                    .map(Change.AppendMessages.class::cast)
                    .findFirst();
            if (append.isEmpty()) {
                return right.ledger().commit(batch);
            }
            SessionId session = append.get().session();
            List<Message> before = right.transcripts().load(session).stream()
                    .map(StoredMessage::message)
                    .toList();
            boolean unseen = append.get().messages().stream()
                    .anyMatch(message ->
                            before.stream().noneMatch(seen -> seen.id().equals(message.id())));
            meet(gap);
            synchronized (lock) {
                long counted = count(right, session);
                CommitResult result = right.ledger().commit(batch);
                if (unseen && count(right, session) == counted) {
                    right.ledger()
                            .commit(new Batch(
                                    new BatchId(
                                            batch.id().writer() + "-count",
                                            batch.id().sequence()),
                                    List.of(),
                                    List.of(new Change.EditSession(session, new SessionEdit.Counts(counted + 1, 0)))));
                }
                return result;
            }
        });
    }

    private static long count(Storage storage, SessionId session) {
        return storage.sessions().find(session).orElseThrow().messageCount();
    }

    private static WrongStore committing(Storage right, Ledger wrongly) {
        return new WrongStore(right) {
            @Override
            public Ledger ledger() {
                return wrongly;
            }
        };
    }

    // What is wrong with reading

    static WrongStore orderingByTime(Storage right) {
        return transcripts(
                right, (method, arguments, answer) -> answer instanceof List<?> messages ? sorted(messages) : answer);
    }

    private static List<StoredMessage> sorted(List<?> messages) {
        return messages.stream()
                .map(StoredMessage.class::cast)
                .sorted(Comparator.comparing(m -> m.message().at()))
                .toList();
    }

    static WrongStore losingHiddenMessages(Storage right) {
        return transcripts(
                right,
                (method, arguments, answer) -> method.getName().equals("loadAll")
                        ? right.transcripts().load((SessionId) arguments[0])
                        : answer);
    }

    static WrongStore showingHiddenMessages(Storage right) {
        return transcripts(
                right,
                (method, arguments, answer) -> method.getName().equals("load") && arguments[0] instanceof SessionId s
                        ? right.transcripts().loadAll(s)
                        : answer);
    }

    static WrongStore takingTheHeadForTheTail(Storage right) {
        return transcripts(
                right,
                (method, arguments, answer) -> method.getName().equals("tail")
                        ? right.transcripts().load((SessionId) arguments[0]).stream()
                                .limit((int) arguments[1])
                                .toList()
                        : answer);
    }

    static WrongStore listing(Storage right, UnaryOperator<SessionQuery> wrongly) {
        return new WrongStore(right) {
            @Override
            public Sessions sessions() {
                return altered(
                        Sessions.class,
                        right.sessions(),
                        (method, arguments, answer) -> method.getName().equals("list")
                                ? right.sessions().list(wrongly.apply((SessionQuery) arguments[0]))
                                : answer);
            }
        };
    }

    /** Takes the window first and looks who is asking afterwards. */
    static WrongStore hidingRowsAfterTheWindow(Storage right) {
        return new WrongStore(right) {
            @Override
            public Sessions sessions() {
                return altered(Sessions.class, right.sessions(), (method, arguments, answer) -> {
                    if (!method.getName().equals("list")) {
                        return answer;
                    }
                    SessionQuery query = (SessionQuery) arguments[0];
                    List<SessionListing> rows = right.sessions().list(query.seenBy(Viewer.operator()));
                    return rows.stream()
                            .filter(row -> query.viewer().maySee(row.session()))
                            .toList();
                });
            }
        };
    }

    static WrongStore searching(Storage right, UnaryOperator<SearchQuery> wrongly) {
        return new WrongStore(right) {
            @Override
            public TranscriptSearch search() {
                return query -> right.search().search(wrongly.apply(query));
            }
        };
    }

    static WrongStore forgettingTheLastOrdinal(Storage right) {
        return new WrongStore(right) {
            @Override
            public TurnQueue queue() {
                return altered(
                        TurnQueue.class,
                        right.queue(),
                        (method, arguments, answer) -> method.getName().equals("lastOrdinal")
                                ? greatest(right.queue(), (SessionKey) arguments[0])
                                : answer);
            }
        };
    }

    private static long greatest(TurnQueue queue, SessionKey lane) {
        List<Inbound> kept = new ArrayList<>();
        queue.forEach(Instant.EPOCH, kept::add, turn -> {}, outgoing -> {});
        return kept.stream()
                .filter(i -> i.lane().equals(lane))
                .mapToLong(Inbound::ordinal)
                .max()
                .orElse(0);
    }

    /** The index is filled from what is committed from now on, and hears nothing of messages that are taken back. */
    static WrongStore searchingAnIndexOfItsOwn(Storage right) {
        Storage index = new MemoryStorage();
        return new WrongStore(right) {
            @Override
            public Ledger ledger() {
                return batch -> {
                    CommitResult result = right.ledger().commit(batch);
                    index.ledger()
                            .commit(new Batch(
                                    batch.id(),
                                    List.of(),
                                    batch.changes().stream()
                                            .filter(change -> !(change instanceof Change.HideMessages))
                                            .toList()));
                    return result;
                };
            }

            @Override
            public TranscriptSearch search() {
                return index.search();
            }
        };
    }

    /** Begins each page behind the first one a row too late. */
    static WrongStore skippingARowBetweenPages(Storage right) {
        Alteration tooLate = (method, arguments, answer) ->
                answer instanceof Page<?> page && !page.rows().isEmpty() && goesOn(arguments[0])
                        ? new Page<>(page.rows().subList(1, page.rows().size()), page.next())
                        : answer;
        return new WrongStore(right) {
            @Override
            public Lanes lanes() {
                return altered(Lanes.class, right.lanes(), tooLate);
            }

            @Override
            public TurnQueue queue() {
                return altered(TurnQueue.class, right.queue(), tooLate);
            }
        };
    }

    /** Ends a search for lanes behind the first lanes that it looked at. */
    static WrongStore endingASearchEarly(Storage right) {
        return new WrongStore(right) {
            @Override
            public Lanes lanes() {
                return altered(
                        Lanes.class,
                        right.lanes(),
                        (method, arguments, answer) -> answer instanceof Page<?> page
                                        && arguments[0] instanceof LaneQuery query
                                        && page.rows().size() < query.looks()
                                ? new Page<>(page.rows(), Optional.empty())
                                : answer);
            }
        };
    }

    private static boolean goesOn(@Nullable Object query) {
        return (query instanceof LaneQuery lanes && lanes.after().isPresent())
                || (query instanceof EventQuery events && events.after().isPresent())
                || (query instanceof TurnQuery turns && turns.after().isPresent())
                || (query instanceof OutgoingQuery outgoing && outgoing.after().isPresent());
    }

    private static WrongStore transcripts(Storage right, Alteration alteration) {
        return new WrongStore(right) {
            @Override
            public Transcripts transcripts() {
                return altered(Transcripts.class, right.transcripts(), alteration);
            }
        };
    }

    /** What a port answers instead. */
    interface Alteration {
        @Nullable
        Object instead(Method method, @Nullable Object[] arguments, @Nullable Object answer);
    }

    private static <T> T altered(Class<T> port, T right, Alteration alteration) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(right, arguments);
                        return arguments == null ? answer : alteration.instead(method, arguments, answer);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
    }

    @Override
    public Ledger ledger() {
        return right.ledger();
    }

    @Override
    public Lanes lanes() {
        return right.lanes();
    }

    @Override
    public Sessions sessions() {
        return right.sessions();
    }

    @Override
    public Transcripts transcripts() {
        return right.transcripts();
    }

    @Override
    public TranscriptSearch search() {
        return right.search();
    }

    @Override
    public TurnQueue queue() {
        return right.queue();
    }

    @Override
    public Meta meta() {
        return right.meta();
    }

    @Override
    public StorageMaintenance maintenance() {
        return right.maintenance();
    }

    @Override
    public String location() {
        return right.location();
    }

    @Override
    public void close() {
        right.close();
    }
}
