package dev.parley.fakes.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.spi.Storage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.fakes.chaos.Plan.Happening;
import dev.parley.fakes.proof.Delivery;
import dev.parley.fakes.proof.Evidence;
import dev.parley.fakes.proof.Figures;
import dev.parley.fakes.proof.Proof;
import dev.parley.fakes.proof.Violation;
import dev.parley.fakes.surroundings.Caller;
import dev.parley.fakes.surroundings.Chance;
import dev.parley.fakes.surroundings.Crowd;
import dev.parley.fakes.surroundings.MoodyModel;
import dev.parley.fakes.surroundings.MoodyPlatform;
import dev.parley.fakes.surroundings.MoodySlack;
import dev.parley.fakes.surroundings.MoodyTelegram;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * One run of a gateway as a process, among a talking crowd, a moody model and moody platforms, to which a plan happens. At the end
 * everything behaves, the gateway gets the time to finish, and what is left is looked at. Needs no test framework.
 */
public final class ChaosRun implements AutoCloseable {
    private static final String BRIDGE_TOKEN = "chaos-bridge-token";
    private static final String BOT_TOKEN = "4711:chaos-of-telegram";
    private static final String SLACK_BOT_TOKEN = "xoxb-chaos-of-slack";
    private static final String SLACK_APP_TOKEN = "xapp-chaos-of-slack";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Set<Integer> CLEAN_EXITS = Set.of(0, 143);
    private static final int MOST_LOOKS = 20;
    private static final int MUCH = 20;

    private final Plan plan;
    private final Program program;
    private final InstantSource clock;
    private final Chance chance;
    private final Path home;
    private final Path log;
    private final Disk disk;
    private final MoodyModel model;
    private final MoodyPlatform platform;
    private final Optional<MoodyTelegram> telegram;
    private final Optional<MoodySlack> slack;
    private final Crowd crowd;
    private final Figures figures = new Figures();
    private final CountDownLatch never = new CountDownLatch(1);
    private Optional<Around> around = Optional.empty();
    private Optional<RunningProgram> gateway = Optional.empty();

    /**
     * A run that has not begun.
     *
     * @param directory where everything is kept: the home, the store, the log
     * @param program the gateway
     * @param clock time, for what is written down
     * @throws IOException where the directory cannot be used
     */
    public ChaosRun(Path directory, Plan plan, Program program, InstantSource clock) throws IOException {
        this.plan = plan;
        this.program = program;
        this.clock = clock;
        this.chance = new Chance(plan.seed());
        this.home = Files.createDirectories(directory.resolve("home"));
        this.log = directory.resolve("gateway.log");
        this.disk = Disk.at(directory.resolve("disk"), plan.megabytes(), has(Ability.SQLITE));
        this.model = new MoodyModel(plan.seed() + 1, clock);
        this.platform = new MoodyPlatform(plan.seed() + 2, clock);
        this.telegram = has(Ability.TELEGRAM)
                ? Optional.of(new MoodyTelegram(plan.seed() + 4, BOT_TOKEN, clock))
                : Optional.empty();
        this.slack = has(Ability.SLACK)
                ? Optional.of(new MoodySlack(plan.seed() + 5, SLACK_BOT_TOKEN, SLACK_APP_TOKEN, clock))
                : Optional.empty();
        this.crowd = Crowd.everywhere(
                plan.seed() + 3,
                plan.lanes(),
                has(Ability.BRIDGE) ? Optional.of(BRIDGE_TOKEN) : Optional.empty(),
                telegram.map(MoodyTelegram::service),
                slack.map(MoodySlack::service));
    }

    private boolean has(Ability ability) {
        return program.abilities().contains(ability);
    }

    /**
     * Lets everything happen, and fails where the gateway broke a promise: the error names each one that it broke, in words.
     *
     * @throws AssertionError where a promise is broken, or the gateway does not start, stop, heal or finish
     * @throws IOException where a file cannot be used
     * @throws InterruptedException where the caller is interrupted
     */
    public void prove() throws IOException, InterruptedException {
        Evidence evidence = evidence();
        List<Violation> violations = Proof.violations(evidence);
        if (!violations.isEmpty()) {
            throw new AssertionError(violations.stream()
                    .map(Violation::toString)
                    .collect(Collectors.joining(
                            "\n",
                            violations.size() + " promises are broken, with the seed " + plan.seed() + "; the log is "
                                    + log + "\n",
                            "\n")));
        }
    }

    /**
     * Lets everything happen; returns what is left.
     *
     * @throws AssertionError where the gateway does not start, stop, heal or finish
     * @throws IOException where a file cannot be used
     * @throws InterruptedException where the caller is interrupted
     */
    public Evidence evidence() throws IOException, InterruptedException {
        start();
        crowd.begin(plan.perSecond());
        happen();
        windDown();
        try (Storage stored = program.stored(around.orElseThrow())) {
            List<Delivery> deliveries = new ArrayList<>(platform.log());
            telegram.ifPresent(service -> deliveries.addAll(service.deliveries(stored, model::hasBegun)));
            slack.ifPresent(service -> deliveries.addAll(service.deliveries(stored, model::hasBegun)));
            Evidence evidence = Evidence.of(crowd.said(), deliveries, model.calls(), stored);
            count(evidence);
            return evidence;
        }
    }

    /** Returns what happened, in numbers. */
    public Figures figures() {
        return figures;
    }

    /** Returns where the gateway's log is: what its processes wrote to their standard error, one after the other. */
    public Path log() {
        return log;
    }

    // ---- the gateway

    private Around surroundings() {
        return new Around(
                home,
                disk.directory(),
                URI.create(model.url()),
                URI.create(platform.url()),
                BRIDGE_TOKEN,
                chance.percent(50) ? BusyMode.QUEUE : BusyMode.INTERRUPT,
                telegram.map(service -> new Around.Bot(service.url(), BOT_TOKEN, crowd.peopleInTelegram())),
                slack.map(service ->
                        new Around.App(service.url(), SLACK_BOT_TOKEN, SLACK_APP_TOKEN, crowd.peopleInSlack())),
                clock);
    }

    private void launch() throws IOException {
        around = Optional.of(surroundings());
        gateway = Optional.of(new RunningProgram(program.start(around.get())));
        figures.count("starts");
    }

    private void start() throws IOException, InterruptedException {
        long since = System.nanoTime();
        launch();
        crowd.talkTo(new Caller(running().ready(), home, PATIENCE));
        figures.most("longest start, ms", millisSince(since));
    }

    private RunningProgram running() {
        return gateway.orElseThrow();
    }

    private void kill() throws IOException, InterruptedException {
        running().kill();
        figures.count("SIGKILL");
        ended();
    }

    private void stop() throws IOException, InterruptedException {
        long since = System.nanoTime();
        running().askToStop();
        int code = running().exit();
        figures.count("SIGTERM");
        figures.most("longest stop, ms", millisSince(since));
        if (!CLEAN_EXITS.contains(code)) {
            throw new AssertionError("Asked to stop, the gateway ended with " + code + "; see " + log + "\n"
                    + running().errors());
        }
        ended();
    }

    /** Keeps what the process has logged. */
    private void ended() throws IOException {
        Files.writeString(
                log,
                running().errors() + "---- ended after " + crowd.acknowledged() + " acknowledgements\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        running().close();
        gateway = Optional.empty();
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private void letPass(int least, int most) throws InterruptedException {
        never.await(chance.millis(least, most), TimeUnit.MILLISECONDS);
    }

    // ---- what happens to it

    private void happen() throws IOException, InterruptedException {
        long end = System.nanoTime() + plan.time().toNanos();
        for (Happening next : plan.script()) {
            talk(1500);
            happen(next);
        }
        while (System.nanoTime() < end) {
            talk(8000);
            happen(chance.of(plan.choices()));
        }
        until("there is more than one message for each lane", () -> crowd.acknowledged() > plan.lanes());
    }

    /** Lets people talk for so long at most, and longer where the gateway has heard and asked little by then. */
    private void talk(int most) throws IOException, InterruptedException {
        int more = Math.min(MUCH, Math.max(1, plan.lanes() / 4));
        int heard = crowd.acknowledged() + more;
        int asked = has(Ability.MODEL) ? model.calls().size() + more : 0;
        letPass(500, most);
        until("people are heard", () -> crowd.acknowledged() >= heard);
        until("the model is asked", () -> model.calls().size() >= asked);
    }

    private void happen(Happening what) throws IOException, InterruptedException {
        crowd.check();
        switch (what) {
            case KILL -> {
                kill();
                start();
            }
            case KILL_TWICE -> {
                kill();
                killWhileStarting();
                start();
            }
            case STOP -> {
                stop();
                start();
            }
            case STOP_AND_KILL -> {
                running().askToStop();
                figures.count("SIGTERM");
                if (running().endsWithin(chance.millis(0, 1200))) {
                    ended();
                } else {
                    kill();
                }
                start();
            }
            case PLATFORM_AWAY -> {
                figures.count("times the platform was away");
                platform.away(true);
                telegram.ifPresent(service -> service.away(true));
                slack.ifPresent(service -> service.away(true));
                letPass(500, 3000);
                slack.ifPresent(service -> service.away(false));
                telegram.ifPresent(service -> service.away(false));
                platform.away(false);
            }
            case LOCKED -> failing(Disk.Fault.LOCKED, () -> {});
            case FULL -> failing(Disk.Fault.FULL, () -> {});
            case LOCKED_AND_KILL -> failing(Disk.Fault.LOCKED, this::killAndStart);
            case FULL_AND_KILL -> failing(Disk.Fault.FULL, this::killAndStart);
            case LOCKED_AND_STOP ->
                failing(Disk.Fault.LOCKED, () -> {
                    stop();
                    disk.recover();
                    start();
                });
            case FULL_AND_KILL_WHILE_HEALING ->
                failing(Disk.Fault.FULL, () -> {
                    kill();
                    disk.recover();
                    killWhileStarting();
                    start();
                });
        }
    }

    /** Something that may fail in any way. */
    private interface Deed {
        void run() throws IOException, InterruptedException;
    }

    private void failing(Disk.Fault fault, Deed then) throws IOException, InterruptedException {
        String what = fault.name().toLowerCase(Locale.ROOT);
        if (!disk.canBe(fault)) {
            figures.count("times the storage could not be made " + what);
            return;
        }
        figures.count("times the storage was " + what);
        disk.become(fault);
        if (!has(Ability.FALLBACK)) {
            letPass(200, 2500);
            disk.recover();
            return;
        }
        until("storage degrades", this::isDegraded);
        figures.count("times degraded");
        letPass(200, 2500);
        then.run();
        disk.recover();
        untilHealed();
    }

    private void killAndStart() throws IOException, InterruptedException {
        kill();
        start();
        letPass(200, 1500);
    }

    private void killWhileStarting() throws IOException, InterruptedException {
        launch();
        if (running().endsWithin(chance.millis(0, 2500))) {
            throw new AssertionError("The gateway does not start:\n" + running().errors());
        }
        kill();
    }

    private void untilHealed() throws IOException, InterruptedException {
        disk.recover();
        long since = System.nanoTime();
        until("storage heals", () -> !isDegraded());
        figures.count("times healed");
        figures.most("longest time until healed, ms", millisSince(since));
    }

    private boolean isDegraded() {
        return caller().get("/healthz").body().path("status").asText().equals("degraded");
    }

    private Caller caller() {
        return crowd.caller().orElseThrow();
    }

    private void until(String what, BooleanSupplier holds) throws IOException, InterruptedException {
        running().until(what, holds);
    }

    // ---- the end

    private void windDown() throws IOException, InterruptedException {
        platform.calmDown();
        telegram.ifPresent(MoodyTelegram::calmDown);
        slack.ifPresent(MoodySlack::calmDown);
        model.calmDown();
        crowd.hush();
        long since = System.nanoTime();
        until("everything is acknowledged", crowd::isContent);
        if (has(Ability.READ_BESIDE_WRITER)) {
            until("nothing is left to do", () -> isQuiet() && isDone());
            figures.add("time to finish at the end, ms", millisSince(since));
            stop();
        } else {
            finishInSteps();
            figures.add("time to finish at the end, ms", millisSince(since));
        }
    }

    /** Stops it to look whether it is done, and starts it again where it is not. */
    private void finishInSteps() throws IOException, InterruptedException {
        for (int looks = 1; ; looks++) {
            until("no lane has anything to do", this::isQuiet);
            stop();
            if (isDone()) {
                return;
            }
            if (looks == MOST_LOOKS) {
                throw new AssertionError(
                        "After " + MOST_LOOKS + " starts something in the store is still left to do; see " + log);
            }
            start();
        }
    }

    private boolean isQuiet() {
        for (JsonNode lane : caller().get("/v1/lanes").body()) {
            if (lane.path("running").asBoolean() || lane.path("depth").asInt() > 0) {
                return false;
            }
        }
        return true;
    }

    private boolean isDone() {
        try (Storage stored = program.stored(around.orElseThrow())) {
            return (slack.isEmpty() || MoodySlack.isStored(crowd.said(), stored))
                    && stored.queue().admitted().isEmpty()
                    && stored.queue().claimed().isEmpty()
                    && stored.queue().undelivered().isEmpty();
        }
    }

    private void count(Evidence evidence) {
        evidence.outgoing()
                .forEach(message -> figures.most(
                        "most attempts at a message of " + message.platform().name(), message.attempts()));
        figures.add("lanes", evidence.lanes().size());
        figures.add("sessions", evidence.sessions().size());
        figures.add("messages and commands acknowledged", crowd.acknowledged());
        figures.add("redeliveries of acknowledged ones", crowd.redelivered());
        figures.add("refused with 503, handed in again", crowd.refused());
        figures.add("without an answer, handed in again", crowd.unanswered());
        figures.add("calls of the model", evidence.calls().size());
        for (Turn.State state : Turn.State.values()) {
            figures.add(
                    "turns " + state.name().toLowerCase(Locale.ROOT),
                    evidence.turns().stream()
                            .filter(turn -> turn.state() == state)
                            .count());
        }
        figures.add(
                "turns that resumed one cut off",
                evidence.inbounds().stream()
                        .filter(inbound ->
                                inbound.kind() == Inbound.Kind.RESUME && inbound.state() == Inbound.State.DONE)
                        .count());
        figures.add("messages to people stored", evidence.outgoing().size());
        figures.add(
                "delivered",
                evidence.deliveries().stream().map(Delivery::id).distinct().count());
        figures.add(
                "deliveries beyond the first",
                evidence.deliveries().size()
                        - evidence.deliveries().stream()
                                .map(Delivery::id)
                                .distinct()
                                .count());
        figures.add(
                "expired",
                evidence.outgoing().stream()
                        .filter(message -> message.state() == Outgoing.State.EXPIRED)
                        .count());
    }

    @Override
    public void close() throws IOException {
        crowd.close();
        if (gateway.isPresent()) {
            ended();
        }
        model.close();
        platform.close();
        telegram.ifPresent(MoodyTelegram::close);
        slack.ifPresent(MoodySlack::close);
        disk.close();
    }
}
