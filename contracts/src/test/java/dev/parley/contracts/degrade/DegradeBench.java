package dev.parley.contracts.degrade;

import dev.parley.application.degrade.DegradingStorage;
import dev.parley.application.degrade.Fallback;
import dev.parley.application.degrade.Primary;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Journal;
import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.contracts.hostile.HostilePlugIns;
import dev.parley.contracts.hostile.Mischief;
import dev.parley.contracts.storage.MemoryHarness;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.testing.RecordingEvents;
import dev.parley.testing.memory.MemoryKnowledgeLog;
import dev.parley.testing.memory.MemoryStorage;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A store that degrades, made of a primary that fails at will and a fallback, in one process and with a virtual clock. */
abstract class DegradeBench {
    static final Instant START = Instant.parse("2026-03-10T08:00:00Z");
    static final Duration PROBE = Duration.ofSeconds(5);

    final VirtualClock clock = new VirtualClock(START);
    final SerialExecutor executor = new SerialExecutor();
    final RecordingEvents events = new RecordingEvents();
    final SeededIds ids = new SeededIds(7);
    MemoryHarness data = new MemoryHarness("primary");
    MemoryHarness spill = new MemoryHarness("spill");
    final MemoryKnowledgeLog knowledgeLog = new MemoryKnowledgeLog();
    Optional<List<Lane>> lanesMirrored = Optional.empty();
    VirtualTimers timers = new VirtualTimers(clock, executor);
    SwitchableStorage.State state = SwitchableStorage.State.AVAILABLE;
    SwitchableStorage primary = new SwitchableStorage(data.open(Mode.READ_WRITE));
    /** How many commits the primary still takes. */
    int commitsLeft = Integer.MAX_VALUE;
    /** How many batches the journal still takes. */
    int appendsLeft = Integer.MAX_VALUE;
    /** What a check of the primary finds. */
    List<String> problems = List.of();

    /** What the primary throws at each commit. */
    Optional<Error> failing = Optional.empty();
    /** Why the fallback's journal cannot be opened. */
    Optional<StorageUnavailable> noRoom = Optional.empty();
    /** The events at which the listener throws, after it noted them. */
    Predicate<GatewayEvent> throwing = event -> false;
    /** Hears events after they were noted. */
    Consumer<GatewayEvent> listening = event -> {};

    /** How primary and timers misbehave. */
    Mischief mischief = Mischief.none();
    /** How the fallback misbehaves. */
    Mischief fallbackMischief = Mischief.none();

    int checks;
    /** How often the primary was opened. */
    int openings;
    /** The stores of the primary that are open. */
    final Set<Object> openStores = Collections.synchronizedSet(new HashSet<>());

    DegradingStorage storage = open();
    final Map<String, Long> sequences = new HashMap<>();
    int messages;

    DegradingStorage open() {
        Primary source = new Primary() {
            @Override
            public Storage open() {
                openings++;
                primary = new SwitchableStorage(beforePrimary(limited(data.open(Mode.READ_WRITE))));
                primary.become(state);
                return primary;
            }

            @Override
            public Storage reopen(Consumer<Storage> look) {
                Storage there = open();
                look.accept(there);
                return there;
            }
        };
        Fallback fallback = new Fallback() {
            @Override
            public Journal openJournal() {
                if (noRoom.isPresent()) {
                    throw noRoom.get();
                }
                return limited(spill.openJournal().orElseThrow());
            }

            @Override
            public Storage openOverlay() {
                return new MemoryStorage();
            }

            @Override
            public Optional<List<Lane>> knownLanes() {
                return lanesMirrored;
            }

            @Override
            public Optional<KnowledgeLog> openKnowledgeLog() {
                return Optional.of(knowledgeLog);
            }
        };
        GatewayEvents heard = event -> {
            events.on(event);
            listening.accept(event);
            if (throwing.test(event)) {
                throw new NoSuchMethodError("of a listener made for another release");
            }
        };
        HostilePlugIns hostile = new HostilePlugIns(call -> mischief.at(call));
        return DegradingStorage.open(
                hostile.primary(source),
                new HostilePlugIns(call -> fallbackMischief.at(call)).fallback(fallback),
                hostile.timers(timers),
                Runnable::run,
                ids,
                clock,
                heard,
                PROBE);
    }

    /** Puts something before the primary; by default nothing. */
    Storage beforePrimary(Storage behind) {
        return behind;
    }

    void become(SwitchableStorage.State next) {
        state = next;
        primary.become(next);
    }

    void restart() {
        timers.discard();
        executor.discard();
        timers = new VirtualTimers(clock, executor);
        storage = open();
    }

    void letTimersRun() {
        timers.advance(PROBE.multipliedBy(2));
    }

    Batch batch(String writer, List<Precondition> conditions, Change... changes) {
        long sequence = sequences.merge(writer, 1L, Long::sum);
        return new Batch(new BatchId(writer, sequence), conditions, List.of(changes));
    }

    CommitResult commit(Change... changes) {
        return storage.ledger().commit(batch("w", List.of(), changes));
    }

    static SessionKey key(int n) {
        return SessionKey.of("agent:main:telegram:dm:" + n);
    }

    static SessionSource source(int n) {
        return SessionSource.builder(Platform.TELEGRAM, Integer.toString(n))
                .chatType(ChatType.DM)
                .build();
    }

    static SessionId session(int n, int generation) {
        return SessionId.of("s" + n + "-" + generation);
    }

    static Lane lane(int n, int generation, long epoch) {
        return new Lane(
                SessionEntry.begin(key(n), session(n, generation), source(n), START, Beginning.ordinary()), epoch);
    }

    static Change create(int n, int generation) {
        return new Change.CreateSession(Session.builder(session(n, generation), "telegram", START)
                .peer(new SessionPeer(key(n), Optional.of(source(n))))
                .build());
    }

    Change say(int n, int generation, String text) {
        messages++;
        return new Change.AppendMessages(
                session(n, generation),
                List.of(Message.builder(new MessageId("m" + messages), Role.USER, Content.text(text), START)
                        .build()));
    }

    List<String> said(Storage in, SessionId session) {
        return in.transcripts().load(session).stream()
                .map(m -> m.message().content().plainText())
                .toList();
    }

    void begin(int n) {
        commit(create(n, 1), new Change.PutLane(lane(n, 1, 1)), say(n, 1, "hello " + n));
    }

    /** A store that takes only so many commits more and has problems to be found. */
    private Storage limited(Storage behind) {
        Ledger ledger = batch -> {
            if (failing.isPresent()) {
                throw failing.get();
            }
            if (commitsLeft-- <= 0) {
                throw new StorageUnavailable("The store fails again.", null);
            }
            return behind.ledger().commit(batch);
        };
        Object opened = new Object();
        openStores.add(opened);
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        openStores.remove(opened);
                    }
                    if (method.getName().equals("ledger")) {
                        return ledger;
                    }
                    if (method.getName().equals("maintenance")) {
                        return checked(behind.maintenance());
                    }
                    return method.invoke(behind, arguments);
                });
    }

    @SuppressWarnings("unchecked")
    private StorageMaintenance checked(StorageMaintenance behind) {
        return (StorageMaintenance) Proxy.newProxyInstance(
                StorageMaintenance.class.getClassLoader(),
                new Class<?>[] {StorageMaintenance.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("check")) {
                        checks++;
                        ((BiConsumer<Long, Long>) arguments[0]).accept(1L, 2L);
                        return problems;
                    }
                    return method.invoke(behind, arguments);
                });
    }

    private Journal limited(Journal behind) {
        return (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("append") && appendsLeft-- <= 0) {
                        throw new StorageUnavailable("The journal is full.", null);
                    }
                    return method.invoke(behind, arguments);
                });
    }
}
