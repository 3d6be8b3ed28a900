package dev.parley.contracts.gateway;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.ScriptedTurn.Outcome;
import dev.parley.application.replay.ScriptedTurn.ToolUse;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.spi.Storage;
import dev.parley.contracts.hostile.HostilePlugIns;
import dev.parley.contracts.hostile.Mischief;
import dev.parley.contracts.hostile.Misdeed;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.testing.RecordingPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seeded random lives of a gateway: bursts, commands, questions, redeliveries, crashes, restarts, a store and a platform that come and
 * go. At the end nothing that was acknowledged is missing, nothing ran twice, order per lane holds, every stored answer was
 * delivered, and every change of session is explained. {@code -Pthorough} lives more lives, {@code -Dparley.interleavings=N} N of each
 * kind from {@code -Dparley.first_interleaving} on.
 */
class InterleavingTest {
    private static final Pattern TOKEN = Pattern.compile("<(\\d+)>");
    private static final int STEPS = 120;
    private static final List<Misdeed> FAILURES = List.of(Misdeed.THROW, Misdeed.THROW_ERROR, Misdeed.RETURN_NULL);
    private static final List<Misdeed> CALLS =
            List.of(Misdeed.THROW, Misdeed.THROW_ERROR, Misdeed.THROW_AFTERWARDS, Misdeed.RETURN_NULL, Misdeed.TWICE);
    private static final List<Misdeed> HANG = List.of(Misdeed.HANG);
    private static final List<Misdeed> ANSWERS = List.of(Misdeed.TWICE, Misdeed.LATE, Misdeed.HANG, Misdeed.ENDLESS);

    /** What each kind of plug-in may do wrong. A timer that is lost and a name that is refused leave nothing to hold on to. */
    private static final Map<String, List<Misdeed>> MISDEEDS = Map.ofEntries(
            entry("AgentFactory", List.of(Misdeed.THROW, Misdeed.THROW_ERROR, Misdeed.RETURN_NULL)),
            entry("Agent", CALLS),
            entry("AgentRun", CALLS),
            entry("AgentEvents", ANSWERS),
            entry("SummaryListener", ANSWERS),
            entry("LifecycleHooks", CALLS),
            entry("GatewayEvents", CALLS),
            entry("Authorization", CALLS),
            entry("ChatCommand.run", CALLS),
            entry("ChatPlatform.start", CALLS),
            entry("ChatPlatform.send", CALLS),
            entry("ChatPlatform.traits", CALLS),
            entry("ChatPlatform.stop", CALLS),
            entry("InboundListener", List.of(Misdeed.TWICE, Misdeed.LATE)),
            entry("Timers", List.of(Misdeed.THROW, Misdeed.THROW_ERROR, Misdeed.THROW_AFTERWARDS, Misdeed.RETURN_NULL)),
            entry("Timer", CALLS),
            entry("Runnable", List.of(Misdeed.TWICE, Misdeed.LATE)),
            entry("Ledger", CALLS),
            entry("Lanes", FAILURES),
            entry("Sessions", FAILURES),
            entry("Transcripts", FAILURES),
            entry("TurnQueue", FAILURES),
            entry("Meta", FAILURES),
            entry("ProcessActivity", CALLS),
            entry("GatewayMarkers", FAILURES));

    /** Where plug-ins may hang, and what they may do wrong there besides. */
    private static final Map<String, List<Misdeed>> HANGS = Map.ofEntries(
            entry("AgentFactory.create", HANG),
            entry("Agent", HANG),
            entry("AgentRun", HANG),
            entry("LifecycleHooks", HANG),
            entry("GatewayEvents.on", HANG),
            entry("Authorization.isAdmin", HANG),
            entry("ChatCommand.run", HANG),
            entry("ChatPlatform.start", HANG),
            entry("ChatPlatform.send", HANG),
            entry("ProcessActivity", HANG));

    static IntStream seeds() {
        int first = Integer.getInteger("parley.first_interleaving", 1);
        return IntStream.range(first, first + Integer.getInteger("parley.interleavings", 12));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostOrDoubled(int seed) {
        new Life(seed, false, Spoiling.NOTHING).run();
    }

    /** The same with a fallback, so that everything goes on while the store fails, also across crashes and restarts. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostOrDoubledWhileStorageDegradesAndHeals(int seed) {
        new Life(seed, true, Spoiling.NOTHING).run();
    }

    /** The same with plug-ins of every kind that throw, answer twice, answer late or never, at any of their calls. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostOrDoubledWhateverPlugInsDo(int seed) {
        new Life(seed, seed % 2 == 0, Spoiling.ANSWERS).run();
    }

    /** The same with plug-ins of every kind that hang at their calls, some for minutes, some for good. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostOrDoubledWhateverPlugInsHangAt(int seed) {
        new Life(seed, seed % 2 == 0, Spoiling.HANGS).run();
    }

    /** What plug-ins do wrong in a life. */
    private enum Spoiling {
        NOTHING,
        ANSWERS,
        HANGS
    }

    /** What was handed in. */
    private record Said(int number, SessionKey lane, Received message) {}

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        return root;
    }

    /** A command that answers. */
    private static final class EchoCommand implements ChatCommand {
        @Override
        public String name() {
            return "echo";
        }

        @Override
        public String usage() {
            return "/echo";
        }

        @Override
        public String summary() {
            return "Answers.";
        }

        @Override
        public When when() {
            return When.ALWAYS;
        }

        @Override
        public CommandOutcome run(CommandContext context) {
            return CommandOutcome.reply("echo");
        }
    }

    private static final class Life {
        private final Random random;
        private final Optional<FallingBack> fallback;
        private final Bench bench;
        private final List<SessionSource> people = List.of(
                Bench.ALICE,
                Bench.BOB,
                Bench.inThread("-9", "5", "1", "Alice"),
                Bench.inThread("-9", "5", "2", "Bob"),
                Bench.inGroup("-8", "3", "Carol"));
        private final Map<Integer, Said> said = new LinkedHashMap<>();
        private final Map<Integer, CompletableFuture<Receipt>> receipts = new HashMap<>();
        private final Map<Integer, Receipt> outcomes = new TreeMap<>();
        private final Optional<HostilePlugIns> hostile;
        private final List<Relay> lost = new ArrayList<>();
        private Relay relay = new Relay();
        private final boolean hanging;
        private boolean spoiling = true;
        private int numbers;

        Life(long seed, boolean degrading, Spoiling spoilt) {
            random = new Random(seed);
            fallback = degrading ? Optional.of(new FallingBack(seed)) : Optional.empty();
            bench = fallback.map(f -> f.bench).orElseGet(() -> new Bench(seed));
            bench.agents.withContextLength(random.nextInt(3) == 0 ? 110 : 0);
            bench.isolation = new Isolation(true, random.nextInt(3) == 0);
            hostile = spoilt == Spoiling.NOTHING ? Optional.empty() : Optional.of(plugIns(seed, spoilt));
            hanging = spoilt == Spoiling.HANGS;
            bench.with(s -> s.busy(b -> b.withMode(pick(BusyMode.INTERRUPT, BusyMode.QUEUE, BusyMode.STEER))
                            .withMaxLanes(
                                    random.nextInt(3) == 0 ? Optional.of(1 + random.nextInt(3)) : Optional.empty()))
                    .turns(t -> t.withDrain(Duration.ofSeconds(random.nextInt(60))))
                    .recovery(r -> r.withBootLoopMax(random.nextInt(4)))
                    .turns(t -> t.withWarning(Duration.ofMinutes(random.nextInt(3) * 10L)))
                    .turns(t -> t.withProgress(Duration.ofSeconds(random.nextInt(3) * 40L)))
                    .retention(r -> r.withRows(Duration.ofDays(365)))
                    .delivery(d -> d.withLimit(Duration.ofDays(365)).withNoticeLimit(Duration.ofDays(365))));
        }

        private HostilePlugIns plugIns(long seed, Spoiling spoilt) {
            Mischief drawn = spoilt == Spoiling.HANGS
                    ? Mischief.of(Mischief.seeded(seed, 40, HANGS), Mischief.seeded(seed + 1, 40, MISDEEDS))
                    : Mischief.seeded(seed, 12, MISDEEDS);
            HostilePlugIns all = new HostilePlugIns(
                    call -> spoiling ? drawn.at(call) : Optional.empty(),
                    answer -> bench.later(Duration.ofMinutes(2), answer),
                    () -> relay.hang());
            bench.factory = all.agents(bench.agents);
            bench.hooked = all::hooks;
            bench.authorization = all.authorization(bench.authorization);
            bench.timed = all::timers;
            bench.marked = all::markers;
            bench.watched = all::activity;
            GatewayEvents bad = all.events(event -> {});
            bench.heard = recording -> GatewayEvents.all(List.of(recording, bad));
            Function<Timers, Storage> opened = bench.opened;
            bench.opened = timers -> all.storage(opened.apply(timers));
            bench.commands.add(all.command(new EchoCommand()));
            return all;
        }

        void run() {
            Thread thread = Thread.currentThread();
            Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
            if (hostile.isPresent()) {
                thread.setUncaughtExceptionHandler((of, failure) -> {});
            }
            try {
                live();
            } finally {
                thread.setUncaughtExceptionHandler(before);
            }
        }

        /** Starts; a start that bad plug-ins keep from succeeding is repeated, as a service manager does. */
        private void begin() {
            start();
            while (!bench.isTakingMessages()) {
                crash();
                start();
            }
        }

        /** A start that a platform hangs at goes on without it after a while. */
        private void start() {
            relay.run(bench::start);
            if (hanging) {
                pass(Duration.ofMinutes(2));
            }
        }

        /** What hangs goes down with the process. */
        private void crash() {
            bench.crash();
            lost.add(relay);
            relay = new Relay();
        }

        private void pass(Duration time) {
            Instant until = bench.clock.instant().plus(time);
            int before;
            do {
                before = relay.hanging();
                relay.run(() -> bench.pass(Duration.between(bench.clock.instant(), until)));
            } while (relay.hanging() > before);
        }

        private void settle() {
            pass(Duration.ZERO);
        }

        private CompletableFuture<?> stop(StopMode mode) {
            CompletableFuture<CompletableFuture<?>> exit = new CompletableFuture<>();
            relay.run(() -> exit.complete(bench.running().stop(mode).toCompletableFuture()));
            settle();
            return exit.join();
        }

        private void live() {
            begin();
            for (int i = 0; i < STEPS; i++) {
                step();
                collect();
            }
            settleDown();
            check();
        }

        private void step() {
            switch (random.nextInt(25)) {
                case 0, 1, 2, 3, 4, 5 -> say("");
                case 6, 7 -> say("/queue ");
                case 8 -> say("/steer ");
                case 9 -> command(random.nextBoolean() ? "/new" : "/reset");
                case 10 -> command("/stop");
                case 11 -> {
                    again();
                    relay.release();
                }
                case 22, 23 -> command(pick("yes", "no", "always", "/approve", "/deny"));
                case 24 -> command(pick("/compress", "/echo"));
                case 12, 13 -> script();
                case 14, 15 -> pass(Duration.ofSeconds(random.nextInt(120)));
                case 16 -> pass(Duration.ofHours(random.nextInt(30)));
                case 17 -> {
                    crash();
                    abandon();
                    restart();
                }
                case 18 -> {
                    StopMode mode = pick(StopMode.RESTART, StopMode.SHUTDOWN);
                    CompletableFuture<?> exit = stop(mode);
                    say("");
                    if (random.nextBoolean()) {
                        say("");
                    }
                    store(SwitchableStorage.State.AVAILABLE);
                    pass(Duration.ofMinutes(10));
                    assertThat(exit)
                            .as("the gateway stops, after %s", bench.trouble())
                            .isDone();
                    collect();
                    abandon();
                    crash();
                    restart();
                }
                case 19 ->
                    store(pick(
                            SwitchableStorage.State.AVAILABLE,
                            SwitchableStorage.State.UNAVAILABLE,
                            SwitchableStorage.State.FULL,
                            SwitchableStorage.State.SILENT));
                case 20 -> {
                    if (random.nextBoolean()) {
                        relay.run(bench.telegram::disconnect);
                    } else {
                        relay.run(bench.telegram::connect);
                    }
                }
                default ->
                    bench.telegram.behave(
                            random.nextInt(3) == 0
                                    ? RecordingPlatform.Behaviour.FAIL
                                    : RecordingPlatform.Behaviour.DELIVER);
            }
            if (random.nextInt(3) > 0) {
                settle();
            }
        }

        /** A dead process answers nobody; the platforms will deliver again. */
        private void abandon() {
            receipts.clear();
        }

        private void store(SwitchableStorage.State state) {
            fallback.ifPresentOrElse(f -> f.become(state), () -> bench.storage.become(state));
        }

        private void restart() {
            // What waited in a store that cannot be read at the start runs later than what comes meanwhile.
            if (fallback.filter(FallingBack::isDegraded).isEmpty()) {
                store(SwitchableStorage.State.AVAILABLE);
            }
            int failures = random.nextInt(3) == 0 ? random.nextInt(6) : 0;
            bench.dressed = real ->
                    hostilely(new FailingPlatform(real, failures, new IllegalStateException("The platform is away.")));
            begin();
        }

        private ChatPlatform hostilely(ChatPlatform platform) {
            return hostile.map(all -> all.platform(platform)).orElse(platform);
        }

        @SafeVarargs
        private <T> T pick(T... choices) {
            return choices[random.nextInt(choices.length)];
        }

        private SessionSource somebody() {
            return people.get(random.nextInt(people.size()));
        }

        private void say(String prefix) {
            int number = ++numbers;
            SessionSource from = somebody();
            Received message = new Received(from, prefix + "<" + number + ">", List.of(), Optional.of("id-" + number));
            said.put(number, new Said(number, bench.rules().keyOf(from), message));
            hand(number);
        }

        private void command(String text) {
            Received command = new Received(somebody(), text, List.of(), Optional.of("c-" + ++numbers));
            relay.run(() -> bench.running().receive(command, AnswerListener.NONE));
        }

        private void again() {
            if (!said.isEmpty()) {
                hand(1 + random.nextInt(numbers));
            }
        }

        private void hand(int number) {
            Said message = said.get(number);
            if (message != null && !receipts.containsKey(number)) {
                relay.run(() -> receipts.put(
                        number,
                        bench.running()
                                .receive(message.message(), AnswerListener.NONE)
                                .toCompletableFuture()));
            }
        }

        private void collect() {
            receipts.entrySet().removeIf(e -> {
                Receipt receipt = e.getValue().getNow(null);
                if (receipt instanceof Receipt.Admitted || receipt instanceof Receipt.Duplicate) {
                    outcomes.putIfAbsent(e.getKey(), receipt);
                }
                return receipt != null;
            });
        }

        private void script() {
            Outcome outcome =
                    random.nextInt(5) == 0 ? pick(Outcome.OK, Outcome.EMPTY, Outcome.FAIL, Outcome.HANG) : Outcome.OK;
            ScriptedTurn turn = ScriptedTurn.ending(outcome)
                    .taking(Duration.ofSeconds(random.nextInt(200)))
                    .spending(new TokenUsage(random.nextInt(100), 3, 0, 0, 0));
            if (random.nextBoolean()) {
                turn = turn.using(new ToolUse("write", "{}", "ok"), new ToolUse("read", "{}", "text"));
            }
            if (random.nextInt(4) == 0) {
                turn = turn.ignoringInterrupts();
            }
            if (random.nextInt(3) == 0) {
                turn = turn.refusingToSteer();
            }
            if (random.nextInt(4) == 0) {
                turn = turn.asking(
                        pick(AgentQuestion.Kind.APPROVAL, AgentQuestion.Kind.CLARIFICATION), "What do you think?");
            }
            if (random.nextInt(5) == 0) {
                turn = turn.engagedIn(pick(AgentRun.Engagement.DELEGATING, AgentRun.Engagement.COMPRESSING));
            }
            bench.script(turn);
        }

        private void settleDown() {
            spoiling = false;
            store(SwitchableStorage.State.AVAILABLE);
            bench.telegram.behave(RecordingPlatform.Behaviour.DELIVER);
            relay.run(bench.telegram::connect);
            pass(Duration.ofHours(3));
            collect();
            CompletableFuture<?> exit = stop(StopMode.RESTART);
            pass(Duration.ofMinutes(10));
            assertThat(exit).as("the gateway stops in the end").isDone();
            crash();
            restart();
            pass(Duration.ofHours(3));
        }

        // ---------------------------------------------------------------- checks

        private void check() {
            hostile.ifPresent(all -> assertThat(all.done()).as("misdeeds").hasSizeGreaterThan(30));
            assertThat(bench.events.of(GatewayEvent.Trouble.class))
                    .filteredOn(
                            t -> t.what().contains("task failed") || t.what().contains("given up until"))
                    .extracting(t -> t.lane() + " " + t.what() + " " + t.cause().map(InterleavingTest::root))
                    .as("tasks that failed")
                    .isEmpty();
            assertThat(bench.memory.queue().admitted()).as("still waiting").isEmpty();
            assertThat(bench.memory.queue().claimed()).as("still claimed").isEmpty();
            assertThat(bench.memory.queue().undelivered()).as("undelivered").isEmpty();
            assertThat(outcomes).as("acknowledged messages").hasSizeGreaterThan(5);
            Map<Integer, List<StoredMessage>> rows = rows();
            Map<Integer, Integer> turns = turns();
            Map<Integer, Inbound> inbounds = inbounds();
            for (Map.Entry<Integer, Receipt> e : outcomes.entrySet()) {
                int number = e.getKey();
                Inbound inbound = inbounds.get(number);
                assertThat(inbound)
                        .as("acknowledged message %s is stored", number)
                        .isNotNull();
                List<StoredMessage> mine = rows.getOrDefault(number, List.of());
                assertThat(mine).as("rows of message %s", number).hasSizeLessThanOrEqualTo(1);
                if (inbound != null && inbound.state() == Inbound.State.DONE) {
                    assertThat(mine).as("rows of done message %s", number).hasSize(1);
                } else {
                    assertThat(mine).as("rows of dropped message %s", number).isEmpty();
                }
            }
            turns.forEach((number, count) ->
                    assertThat(count).as("turns of message %s", number).isEqualTo(1));
            order(rows, inbounds);
            deliveries();
            explanations();
        }

        private Map<Integer, List<StoredMessage>> rows() {
            Map<Integer, List<StoredMessage>> rows = new TreeMap<>();
            bench.memory.transcripts().forEach(row -> {
                if (row.message().role().equals(Role.USER)) {
                    tokens(row.message().content().plainText())
                            .forEach(n -> rows.computeIfAbsent(n, x -> new ArrayList<>())
                                    .add(row));
                }
            });
            return rows;
        }

        private Map<Integer, Integer> turns() {
            Map<Integer, Integer> turns = new TreeMap<>();
            bench.events
                    .of(GatewayEvent.TurnStarted.class)
                    .forEach(t -> tokens(t.input()).forEach(n -> turns.merge(n, 1, Integer::sum)));
            return turns;
        }

        private Map<Integer, Inbound> inbounds() {
            Map<Integer, Inbound> found = new TreeMap<>();
            bench.memory
                    .queue()
                    .forEach(
                            Instant.EPOCH,
                            i -> {
                                if (i.kind() != Inbound.Kind.COMMAND) {
                                    tokens(i.text()).forEach(n -> found.put(n, i));
                                }
                            },
                            t -> {},
                            o -> {});
            return found;
        }

        private static List<Integer> tokens(String text) {
            List<Integer> found = new ArrayList<>();
            Matcher matcher = TOKEN.matcher(text);
            while (matcher.find()) {
                found.add(Integer.valueOf(matcher.group(1)));
            }
            return found;
        }

        /** Ordinary messages of one lane keep the order in which they were admitted, and so do queued ones. */
        private void order(Map<Integer, List<StoredMessage>> rows, Map<Integer, Inbound> inbounds) {
            for (Inbound.Kind kind : List.of(Inbound.Kind.MESSAGE, Inbound.Kind.QUEUED)) {
                Map<SessionKey, List<Inbound>> byLane = new TreeMap<>();
                inbounds.values().stream()
                        .filter(i -> i.kind() == kind && i.state() == Inbound.State.DONE)
                        .filter(i -> i.platformMessage().isPresent() || kind == Inbound.Kind.QUEUED)
                        .forEach(i -> byLane.computeIfAbsent(i.lane(), k -> new ArrayList<>())
                                .add(i));
                byLane.forEach((lane, all) -> {
                    all.sort(java.util.Comparator.comparingLong(Inbound::ordinal));
                    List<Long> places = all.stream()
                            .flatMap(i -> tokens(i.text()).stream())
                            .flatMap(n -> rows.getOrDefault(n, List.of()).stream())
                            .map(StoredMessage::sequence)
                            .toList();
                    if (bench.busyMode() != BusyMode.STEER) {
                        assertThat(places).as("order of %s in %s", kind, lane).isSorted();
                    }
                });
            }
        }

        private void deliveries() {
            List<Outgoing> stored = new ArrayList<>();
            bench.memory.queue().forEach(Instant.EPOCH, i -> {}, t -> {}, stored::add);
            List<Object> delivered = new ArrayList<>();
            bench.telegram.delivered().forEach(o -> delivered.add(o.id()));
            for (Outgoing message : stored) {
                boolean falseSoon = message.kind() == Outgoing.Kind.BANNER || message.kind() == Outgoing.Kind.ACK;
                // A question is not asked any more once its turn would be over without an answer.
                boolean isOver = message.expiresAt().isPresent();
                if ((falseSoon || isOver) && message.state() == Outgoing.State.EXPIRED) {
                    continue;
                }
                assertThat(message.state()).as("state of %s", message).isEqualTo(Outgoing.State.DELIVERED);
                assertThat(delivered).contains(message.id());
            }
        }

        private void explanations() {
            bench.memory.lanes().forEach(lane -> {
                List<LaneEvent> history = bench.memory.lanes().history(lane.key(), 10_000);
                Optional<LaneEvent> last = history.stream()
                        .filter(e -> switch (e.kind()) {
                            case CREATED, RESET, RENEWED, SWITCHED, CONTINUED -> true;
                            default -> false;
                        })
                        .findFirst();
                assertThat(last.flatMap(LaneEvent::to))
                        .as("the history of %s leads to its session", lane.key())
                        .contains(lane.entry().sessionId());
            });
        }
    }
}
