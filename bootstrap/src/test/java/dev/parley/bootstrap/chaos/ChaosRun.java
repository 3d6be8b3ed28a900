package dev.parley.bootstrap.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.chaos.Plan.Happening;
import dev.parley.bootstrap.process.Caller;
import dev.parley.bootstrap.process.ParleyProcess;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.bootstrap.wiring.Providers;
import dev.parley.bootstrap.wiring.Storages;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * One run of a real gateway among a talking crowd, a moody model and a moody platform, to which a plan happens. At the end
 * everything behaves, the gateway gets the time to finish, and what is left is handed over as evidence.
 */
final class ChaosRun implements AutoCloseable {
    private static final String BRIDGE_TOKEN = "chaos-bridge-token";
    private static final String BOT_TOKEN = "4711:chaos-of-telegram";
    private static final String SLACK_BOT_TOKEN = "xoxb-chaos-of-slack";
    private static final String SLACK_APP_TOKEN = "xapp-chaos-of-slack";
    private static final String DEGRADED = "storage is degraded";
    private static final String HEALED = "storage is whole again";

    private final Plan plan;
    private final Chance chance;
    private final Path home;
    private final Path log;
    private final Disk disk;
    private final FakeModel model;
    private final FakePlatform platform;
    private final MoodyTelegram telegram;
    private final MoodySlack slack;
    private final Crowd crowd;
    private final Figures figures = new Figures();
    private final CountDownLatch never = new CountDownLatch(1);
    private Optional<ParleyProcess> gateway = Optional.empty();

    ChaosRun(Path directory, Plan plan) throws Exception {
        this.plan = plan;
        this.chance = new Chance(plan.seed());
        this.home = Files.createDirectories(directory.resolve("home"));
        this.log = directory.resolve("gateway.log");
        this.disk = Disk.at(directory.resolve("disk"), plan.megabytes());
        this.model = new FakeModel(plan.seed() + 1);
        this.platform = new FakePlatform(plan.seed() + 2);
        this.telegram = new MoodyTelegram(plan.seed() + 4, BOT_TOKEN);
        this.slack = new MoodySlack(plan.seed() + 5, SLACK_BOT_TOKEN, SLACK_APP_TOKEN);
        this.crowd = Crowd.everywhere(plan.seed() + 3, plan.lanes(), BRIDGE_TOKEN, telegram.service(), slack.service());
    }

    /** Lets everything happen; returns what is left. */
    Evidence evidence() throws Exception {
        start();
        crowd.begin(plan.perSecond());
        happen();
        windDown();
        try (Storage stored = storage()) {
            List<Delivery> deliveries = new ArrayList<>(platform.log());
            deliveries.addAll(telegram.deliveries(stored, model::hasBegun));
            deliveries.addAll(slack.deliveries(stored, model::hasBegun));
            Evidence evidence = Evidence.of(crowd.said(), deliveries, model.calls(), stored);
            count(evidence);
            return evidence;
        }
    }

    /** What happened, in numbers. */
    Figures figures() {
        return figures;
    }

    /** Where the gateway's log is. */
    Path log() {
        return log;
    }

    Path home() {
        return home;
    }

    // ---- the gateway

    private void configure() throws IOException {
        Files.writeString(home.resolve("parley.yaml"), """
                zone: Etc/UTC
                session_reset:
                  mode: none
                agent:
                  provider: openai
                  restart_drain_timeout: 1
                agents:
                  openai:
                    base_url: %s
                    model: chaos
                    timeout: 2
                    retries: 0
                gateway:
                  max_pending: 1000
                display:
                  busy_input_mode: %s
                storage:
                  url: sqlite:%s
                  busy_patience: 1
                platforms:
                  http:
                    port: 0
                    callback_url: %s
                    bridge_tokens:
                      matrix: %s
                  telegram:
                    enabled: true
                    markdown: false
                    base_url: %s
                    allow: [%s]
                  slack:
                    enabled: true
                    markdown: false
                    base_url: %s
                    allow: [%s]
                """.formatted(
                        model.url(),
                        chance.percent(50) ? "queue" : "interrupt",
                        disk.database(),
                        platform.url(),
                        BRIDGE_TOKEN,
                        telegram.url(),
                        quoted(crowd.peopleInTelegram()),
                        slack.url(),
                        quoted(crowd.peopleInSlack())));
    }

    private static String quoted(List<String> people) {
        return people.stream().map(person -> "\"" + person + "\"").collect(Collectors.joining(", "));
    }

    private void launch() throws IOException {
        configure();
        gateway = Optional.of(ParleyProcess.gateway(
                home,
                Map.of(
                        "PARLEY_LOG",
                        "INFO",
                        "TELEGRAM_BOT_TOKEN",
                        BOT_TOKEN,
                        "SLACK_BOT_TOKEN",
                        SLACK_BOT_TOKEN,
                        "SLACK_APP_TOKEN",
                        SLACK_APP_TOKEN)));
        figures.count("starts");
    }

    private void start() throws Exception {
        long since = System.nanoTime();
        launch();
        crowd.talkTo(new Caller(running().ready(), home));
        figures.most("longest start, ms", millisSince(since));
    }

    private ParleyProcess running() {
        return gateway.orElseThrow();
    }

    private void kill() throws Exception {
        running().kill();
        figures.count("SIGKILL");
        ended();
    }

    private void stop() throws Exception {
        long since = System.nanoTime();
        int code = running().terminate();
        figures.count("SIGTERM");
        figures.most("longest stop, ms", millisSince(since));
        if (code != 0) {
            throw new AssertionError("Asked to stop, the gateway ended with " + code + "; see " + log);
        }
        ended();
    }

    /** Keeps what the process has logged. */
    private void ended() throws IOException {
        String errors = running().errors();
        figures.add("times degraded", occurrences(errors, DEGRADED));
        figures.add("times healed", occurrences(errors, HEALED));
        Files.writeString(
                log,
                errors + "---- ended after " + crowd.acknowledged() + " acknowledgements\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        running().close();
        gateway = Optional.empty();
    }

    private static int occurrences(String text, String of) {
        return text.split(of, -1).length - 1;
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private void letPass(int least, int most) throws InterruptedException {
        never.await(chance.millis(least, most), TimeUnit.MILLISECONDS);
    }

    // ---- what happens to it

    private void happen() throws Exception {
        long end = System.nanoTime() + plan.time().toNanos();
        for (Happening next : plan.script()) {
            letPass(500, 1500);
            happen(next);
        }
        while (System.nanoTime() < end) {
            letPass(500, 8000);
            happen(chance.of(plan.choices()));
        }
    }

    private void happen(Happening what) throws Exception {
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
                telegram.away(true);
                slack.away(true);
                letPass(500, 3000);
                slack.away(false);
                telegram.away(false);
                platform.away(false);
            }
            case LOCKED -> failing(Disk.Fault.LOCKED, this::untilHealed);
            case FULL -> failing(Disk.Fault.FULL, this::untilHealed);
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
        void run() throws Exception;
    }

    private void failing(Disk.Fault fault, Deed then) throws Exception {
        if (!disk.canBe(fault)) {
            return;
        }
        figures.count("times the storage was " + fault.name().toLowerCase(Locale.ROOT));
        disk.become(fault);
        until("storage degrades", this::isDegraded);
        letPass(200, 2500);
        then.run();
        disk.recover();
        untilHealed();
    }

    private void killAndStart() throws Exception {
        kill();
        start();
        letPass(200, 1500);
    }

    private void killWhileStarting() throws Exception {
        launch();
        if (running().endsWithin(chance.millis(0, 2500))) {
            throw new AssertionError("The gateway does not start: " + running().errors());
        }
        kill();
    }

    private void untilHealed() throws Exception {
        disk.recover();
        long since = System.nanoTime();
        until("storage heals", () -> !isDegraded());
        figures.most("longest time until healed, ms", millisSince(since));
    }

    private boolean isDegraded() {
        return caller().get("/healthz").body().path("status").asText().equals("degraded");
    }

    private Caller caller() {
        return crowd.caller().orElseThrow();
    }

    private void until(String what, BooleanSupplier holds) throws Exception {
        running().until(what, holds);
    }

    // ---- the end

    private void windDown() throws Exception {
        platform.calmDown();
        telegram.calmDown();
        slack.calmDown();
        model.calmDown();
        crowd.hush();
        long since = System.nanoTime();
        until("everything is acknowledged", crowd::isContent);
        until("nothing is left to do", this::isDone);
        figures.add("time to finish at the end, ms", millisSince(since));
        stop();
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
        try (Storage stored = storage()) {
            return isQuiet()
                    && MoodySlack.isStored(crowd.said(), stored)
                    && stored.queue().admitted().isEmpty()
                    && stored.queue().claimed().isEmpty()
                    && stored.queue().undelivered().isEmpty();
        }
    }

    private Storage storage() {
        Storages storages = new Storages(
                Providers.find(home.resolve("plugins")),
                new HomeDirectory(home),
                Clock.systemUTC(),
                ZoneOffset.UTC,
                ProcessSurroundings.ids(),
                ProcessSurroundings.threads("evidence"),
                warning -> {});
        return storages.open("sqlite:" + disk.database(), Mode.READ_ONLY, Map.of());
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
        telegram.close();
        slack.close();
        disk.close();
    }
}
