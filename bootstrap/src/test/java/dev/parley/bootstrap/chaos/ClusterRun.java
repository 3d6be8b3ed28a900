package dev.parley.bootstrap.chaos;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.chaos.ClusterPlan.Happening;
import dev.parley.bootstrap.process.DatabaseServer;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.bootstrap.wiring.Providers;
import dev.parley.bootstrap.wiring.Storages;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Turn;
import dev.parley.fakes.proof.Delivery;
import dev.parley.fakes.proof.Evidence;
import dev.parley.fakes.proof.Figures;
import dev.parley.fakes.proof.NodeLog;
import dev.parley.fakes.proof.NodeLog.Take;
import dev.parley.fakes.proof.NodeLog.Trouble;
import dev.parley.fakes.proof.NodeLog.Write;
import dev.parley.fakes.proof.NodeProof;
import dev.parley.fakes.proof.Violation;
import dev.parley.fakes.surroundings.Chance;
import dev.parley.fakes.surroundings.Crowd;
import dev.parley.fakes.surroundings.MoodyModel;
import dev.parley.fakes.surroundings.MoodyPlatform;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One run of several nodes on one database server, among a talking crowd, a moody model and a moody platform, to which a plan happens.
 * At the end everything behaves, the nodes get the time to finish, and what is left is handed over as evidence.
 */
final class ClusterRun implements AutoCloseable {
    private static final String BRIDGE_TOKEN = "chaos-bridge-token";
    private static final int TRIES = 200;

    /** What has other nodes take lanes over. */
    private static final Set<Happening> OF_NODES =
            EnumSet.complementOf(EnumSet.of(Happening.SERVER_BREAKS_OFF, Happening.FAILOVER));

    /** How long the nodes may take for what is left to do. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Path directory;
    private final ClusterPlan plan;
    private final Chance chance;
    private final DatabaseServer server;
    private final Witness witness;
    private final MoodyModel model;
    private final MoodyPlatform platform;
    private final Crowd crowd;
    private final List<ChaosNode> nodes = new ArrayList<>();
    private final List<Trouble> troubles = new ArrayList<>();
    private final List<Onset> onsets = new ArrayList<>();
    private final Figures figures = new Figures();
    private final CountDownLatch never = new CountDownLatch(1);

    /**
     * Makes a run.
     *
     * @param flags what Java is told at the start of each node
     */
    ClusterRun(Path directory, ClusterPlan plan, List<String> flags) throws Exception {
        this.directory = directory;
        this.plan = plan;
        this.chance = new Chance(plan.seed());
        this.server = new DatabaseServer(directory.resolve("data"));
        this.witness = new Witness(server);
        this.model = new MoodyModel(plan.seed() + 1, Clock.systemUTC());
        this.platform = new MoodyPlatform(plan.seed() + 2, Clock.systemUTC());
        this.crowd = Crowd.overHttp(plan.seed() + 3, plan.lanes(), BRIDGE_TOKEN);
        for (int i = 1; i <= plan.nodes(); i++) {
            nodes.add(new ChaosNode("n" + i, directory, server.port(), flags, this::settings));
        }
    }

    /** Lets everything happen; returns what is left. */
    Evidence evidence() throws Exception {
        begin();
        long end = System.nanoTime() + plan.time().toNanos();
        for (Happening next : plan.script()) {
            letPass(500, 1500);
            happen(next);
        }
        while (System.nanoTime() < end) {
            letPass(500, 6000);
            happen(chance.of(List.of(Happening.values())));
        }
        windDown();
        try (Storage stored = storage(Mode.READ_ONLY)) {
            List<Trouble> all = new ArrayList<>(troubles);
            all.addAll(witness.deaths());
            List<NodeLog.Effect> effects = new ArrayList<>(model.effects());
            effects.addAll(platform.effects());
            NodeLog log = new NodeLog(witness.writes(), witness.takes(), effects, all, witness.left());
            Evidence evidence = Evidence.of(crowd.said(), platform.log(), model.calls(), stored, log);
            count(evidence);
            return evidence;
        }
    }

    /** Lets people talk to the nodes. */
    void begin() throws Exception {
        storage(Mode.READ_WRITE).close();
        witness.watch();
        for (ChaosNode node : nodes) {
            launch(node);
        }
        for (ChaosNode node : nodes) {
            node.ready();
        }
        talk();
        crowd.begin(plan.perSecond());
    }

    /** Returns what the database saw that no node may do, once the last fault has had a moment to show. */
    List<Violation> violations() throws Exception {
        letPass(300, 600);
        NodeLog log = new NodeLog(witness.writes(), witness.takes(), List.of(), List.of(), List.of());
        return NodeProof.violations(new Evidence(
                List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
                Map.of(), log));
    }

    /** What happened, in numbers. */
    Figures figures() {
        return figures;
    }

    /** Where the nodes' logs are. */
    Path logs() {
        return directory;
    }

    // ---- the nodes

    private String settings(String node, int port) {
        return """
                zone: Etc/UTC
                session_reset:
                  mode: none
                agent:
                  provider: openai
                  restart_drain_timeout: 5
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
                  url: "postgres://127.0.0.1:%d/postgres?user=postgres&sslmode=disable&ApplicationName=%s"
                  options:
                    writers: 8
                    readers: 4
                cluster:
                  enabled: true
                  name: %s
                  lease_seconds: %d
                platforms:
                  http:
                    port: 0
                    callback_url: %s
                    bridge_tokens:
                      matrix: %s
                """.formatted(
                        model.url(node),
                        chance.percent(50) ? "queue" : "interrupt",
                        port,
                        node,
                        node,
                        plan.lease().toSeconds(),
                        platform.url(node),
                        BRIDGE_TOKEN);
    }

    private void launch(ChaosNode node) throws Exception {
        node.launch();
        figures.count("starts");
    }

    private void start(ChaosNode node) throws Exception {
        launch(node);
        node.ready();
        talk();
    }

    private void talk() {
        crowd.talkTo(nodes.stream().flatMap(node -> node.caller().stream()).toList());
    }

    private void letPass(int least, int most) throws InterruptedException {
        letPass(Duration.ofMillis(chance.millis(least, most)));
    }

    private void letPass(Duration time) throws InterruptedException {
        never.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    // ---- what happens to them

    /** Lets something happen; returns when it is over. */
    void happen(Happening what) throws Exception {
        crowd.check();
        figures.count("faults");
        figures.count("faults: " + what.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        ChaosNode node = chance.of(nodes);
        switch (what) {
            case KILL -> {
                kill(node, what);
                start(node);
            }
            case PAUSE -> troubled(node, what, node::pause, node::goOn, beyondTheLease());
            case SHORT_PAUSE ->
                troubled(node, what, node::pause, node::goOn, plan.lease().dividedBy(2));
            case PAUSE_IN_COMMIT -> troubled(node, what, () -> pauseInCommit(node), node::goOn, beyondTheLease());
            case CUT_OFF ->
                troubled(node, what, () -> node.way().sever(), () -> node.way().restore(), beyondTheLease());
            case SILENCE ->
                troubled(
                        node, what, () -> node.way().silence(), () -> node.way().restore(), beyondTheLease());
            case SERVER_BREAKS_OFF -> {
                Instant from = Instant.now();
                server.breakOff();
                letPass(0, 1500);
                server.startAgain();
                nodes.forEach(each -> trouble(each, what, from));
            }
            case FAILOVER -> {
                server.replicate();
                letPass(500, 1500);
                Instant from = Instant.now();
                server.failOver();
                nodes.forEach(each -> each.way().leadTo(server.port()));
                nodes.forEach(each -> trouble(each, what, from));
            }
            case ROLLING_RESTART -> {
                for (ChaosNode each : nodes) {
                    each.running().askToStop();
                    each.hasEnded();
                    start(each);
                }
            }
            case ALL_KILLED -> {
                for (ChaosNode each : nodes) {
                    kill(each, what);
                }
                for (ChaosNode each : nodes) {
                    launch(each);
                }
                for (ChaosNode each : nodes) {
                    each.ready();
                }
                talk();
            }
        }
    }

    private Duration beyondTheLease() {
        return plan.lease().plusMillis(chance.millis(1500, 3000));
    }

    private void kill(ChaosNode node, Happening what) throws Exception {
        Instant from = Instant.now();
        node.kill();
        trouble(node, what, from);
    }

    private void trouble(ChaosNode node, Happening what, Instant from) {
        trouble(node, what, from, from);
    }

    private void trouble(ChaosNode node, Happening what, Instant from, Instant since) {
        Trouble trouble = new Trouble(node.name(), what.name(), from, Instant.now());
        troubles.add(trouble);
        onsets.add(new Onset(trouble, since));
    }

    /** When a trouble set in for good: a node may have been stopped many times before it stays so. */
    private record Onset(Trouble trouble, Instant at) {}

    private void troubled(ChaosNode node, Happening what, Deed begin, Deed end, Duration time) throws Exception {
        Instant from = Instant.now();
        begin.run();
        Instant since = Instant.now();
        letPass(time);
        end.run();
        trouble(node, what, from, since);
    }

    /** Stops it now and then, until a transaction of it stands open. */
    private void pauseInCommit(ChaosNode node) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            node.pause();
            if (witness.isInCommit(node.name())) {
                figures.count("paused between the halves of a commit");
                return;
            }
            node.goOn();
            letPass(1, 20);
        }
        node.pause();
    }

    /** Something that may fail in any way. */
    @FunctionalInterface
    private interface Deed {
        void run() throws Exception;
    }

    // ---- the end

    private void windDown() throws Exception {
        platform.calmDown();
        model.calmDown();
        crowd.hush();
        long since = System.nanoTime();
        until("everything is acknowledged", crowd::isContent);
        try (Storage stored = storage(Mode.READ_ONLY)) {
            until("nothing is left to do", () -> isDone(stored));
        }
        figures.add("time to finish at the end, ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
        for (ChaosNode node : nodes) {
            node.running().askToStop();
        }
        for (ChaosNode node : nodes) {
            node.hasEnded();
        }
    }

    private void until(String what, BooleanSupplier holds) throws Exception {
        long since = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - since > PATIENCE.toNanos()) {
                throw new AssertionError("Not so: " + what + "; the logs are in " + directory);
            }
            letPass(100, 100);
        }
    }

    private static boolean isDone(Storage stored) {
        return stored.queue().admitted().isEmpty()
                && stored.queue().claimed().isEmpty()
                && stored.queue().undelivered().isEmpty();
    }

    private Storage storage(Mode mode) {
        Path home = directory.resolve("evidence");
        Storages storages = new Storages(
                Providers.find(home.resolve("plugins")),
                new HomeDirectory(home),
                Clock.systemUTC(),
                ZoneOffset.UTC,
                ProcessSurroundings.ids(),
                ProcessSurroundings.threads("evidence"),
                warning -> {});
        return storages.open(server.address("parley"), mode, Map.of());
    }

    // ---- figures

    private void count(Evidence evidence) {
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
        figures.add("messages to people stored", evidence.outgoing().size());
        figures.add(
                "deliveries beyond the first",
                evidence.deliveries().size()
                        - evidence.deliveries().stream()
                                .map(Delivery::id)
                                .distinct()
                                .count());
        figures.add(
                "effects of a node whose lane another one had",
                NodeProof.effectsOfStaleNodes(evidence).size());
        figures.add("lives declared dead", countOf(evidence, Witness.DECLARED_DEAD));
        figures.add(
                "lanes taken",
                evidence.nodes().takes().stream()
                        .filter(take -> take.life().isPresent())
                        .count());
        for (Happening what : OF_NODES) {
            List<Duration> takeovers = takeovers(evidence.nodes(), what);
            if (!takeovers.isEmpty()) {
                String how = "takeover, " + what.name().toLowerCase(Locale.ROOT).replace('_', ' ');
                figures.add(how + ", turns", takeovers.size());
                figures.add(
                        how + ", median, ms",
                        takeovers.get(takeovers.size() / 2).toMillis());
                figures.add(
                        how + ", worst, ms", takeovers.get(takeovers.size() - 1).toMillis());
            }
        }
    }

    private static long countOf(Evidence evidence, String what) {
        return evidence.nodes().troubles().stream()
                .filter(trouble -> trouble.what().equals(what))
                .count();
    }

    /**
     * Returns how long each lane waited in which a turn ran that a node was kept from going on with by this, until it was held again,
     * the shortest first. A turn that the node has gone on with itself, or ended before it was declared dead, waited for nobody.
     */
    private List<Duration> takeovers(NodeLog log, Happening what) {
        Map<SessionKey, List<Take>> takes = new HashMap<>();
        log.takes()
                .forEach(take -> takes.computeIfAbsent(take.lane(), lane -> new ArrayList<>())
                        .add(take));
        List<Duration> found = new ArrayList<>();
        for (Onset onset : onsets) {
            if (onset.trouble.what().equals(what.name()) && isDeclaredDead(log, onset.trouble)) {
                for (Write claim : cutOff(log, onset)) {
                    takes.getOrDefault(claim.lane(), List.of()).stream()
                            .filter(take -> take.token() > claim.held()
                                    && take.at().isAfter(onset.at)
                                    && take.life().isPresent())
                            .findFirst()
                            .ifPresent(take -> found.add(Duration.between(onset.at, take.at())));
                }
            }
        }
        found.sort(null);
        return found;
    }

    private boolean isDeclaredDead(NodeLog log, Trouble trouble) {
        Instant end = trouble.to().plus(plan.lease().multipliedBy(2));
        return log.troubles().stream()
                .filter(each -> each.what().equals(Witness.DECLARED_DEAD))
                .anyMatch(death -> death.node().equals(trouble.node())
                        && death.from().isAfter(trouble.from())
                        && death.from().isBefore(end));
    }

    /** Returns the claims of turns that the node worked on when the trouble set in, and that ended under a later token. */
    private static List<Write> cutOff(NodeLog log, Onset onset) {
        Map<String, Write> running = new LinkedHashMap<>();
        List<Write> cutOff = new ArrayList<>();
        for (Write write : log.writes()) {
            if (!write.isTurn()) {
                continue;
            }
            if (write.at().isBefore(onset.at)) {
                running.put(write.id(), write);
            } else {
                Optional.ofNullable(running.remove(write.id()))
                        .filter(claim -> claim.isClaimed()
                                && claim.by().equals(onset.trouble.node())
                                && write.held() > claim.held())
                        .ifPresent(cutOff::add);
            }
        }
        return cutOff;
    }

    @Override
    public void close() throws IOException {
        crowd.close();
        for (ChaosNode node : nodes) {
            node.close();
        }
        model.close();
        platform.close();
        server.close();
    }
}
