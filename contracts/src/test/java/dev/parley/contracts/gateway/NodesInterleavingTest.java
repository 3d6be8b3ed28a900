package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.ScriptedTurn.ToolUse;
import dev.parley.application.settings.BusyMode;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seeded random lives of three gateways on one store and one clock: messages at any of them, some at two at once; pauses, partitions, kills,
 * stops, and machines whose clocks are off. At the end each acknowledged message ran in exactly one turn, in the order in which it
 * was stored, nothing was written under an older token than before, nothing is held, and nothing waits.
 */
class NodesInterleavingTest {
    private static final int STEPS = 150;

    static IntStream seeds() {
        int first = Integer.getInteger("parley.first_interleaving", 1);
        return IntStream.range(first, first + Integer.getInteger("parley.interleavings", 10));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostOrDoubledWhicheverNodeFails(int seed) {
        new Lives(seed).run();
    }

    private static final class Lives {
        private final Random random;
        private final Nodes nodes;
        private final List<Nodes.Node> all = new ArrayList<>();
        private final Set<Nodes.Node> gone = new LinkedHashSet<>();
        private final List<SessionSource> people = List.of(
                Bench.ALICE, Bench.BOB, Bench.inGroup("-8", "3", "Carol"), Bench.inThread("-9", "5", "1", "Alice"));
        private final Map<String, CompletableFuture<Receipt>> receipts = new LinkedHashMap<>();
        private final Set<String> acknowledged = new TreeSet<>();
        private final Map<String, SessionSource> said = new LinkedHashMap<>();

        Lives(long seed) {
            random = new Random(seed);
            nodes = new Nodes(seed);
            for (String name : List.of("one", "two", "three")) {
                Nodes.Node node = nodes.node(name);
                node.skew = Duration.ofSeconds(random.nextInt(50) - 25L);
                BusyMode mode = random.nextBoolean() ? BusyMode.QUEUE : BusyMode.INTERRUPT;
                Optional<Integer> places = random.nextBoolean() ? Optional.of(1 + random.nextInt(2)) : Optional.empty();
                node.settings = node.settings
                        .busy(b -> b.withMode(mode).withMaxLanes(places))
                        .turns(t -> t.withDrain(Duration.ofSeconds(random.nextInt(20))))
                        .recovery(r -> r.withBootLoopMax(0).withStuckLoopThreshold(1_000))
                        .delivery(d -> d.withLimit(Duration.ofDays(365)).withNoticeLimit(Duration.ofDays(365)));
                all.add(node.start());
            }
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                step();
                collect();
            }
            settleDown();
            check();
        }

        private Nodes.Node any() {
            return all.get(random.nextInt(all.size()));
        }

        private void step() {
            Nodes.Node node = any();
            switch (random.nextInt(20)) {
                case 0, 1, 2, 3, 4, 5, 6 -> say(node);
                case 7 -> again(node);
                case 8, 9 -> script(node);
                case 10, 11, 12 -> nodes.pass(Duration.ofMillis(random.nextInt(4_000)));
                case 13 -> nodes.pass(Duration.ofSeconds(random.nextInt(60)));
                case 14 -> {
                    node.pause();
                    nodes.pass(Duration.ofMillis(random.nextInt(15_000)));
                    node.resume();
                }
                case 15 -> node.cutOff();
                case 16 -> node.heal();
                case 17 -> {
                    if (gone.add(node)) {
                        node.kill();
                    }
                }
                case 18 -> {
                    if (gone.add(node)) {
                        var unused = node.stop(StopMode.SHUTDOWN);
                        nodes.pass(Duration.ofMinutes(2));
                        node.kill();
                    }
                }
                default -> back(node);
            }
            if (random.nextBoolean()) {
                nodes.settle();
            }
        }

        private void back(Nodes.Node node) {
            if (gone.contains(node)) {
                node.heal();
                node.start();
                if (!node.started.isCompletedExceptionally()) {
                    gone.remove(node);
                }
            }
        }

        private void say(Nodes.Node node) {
            String id = "<" + said.size() + ">";
            SessionSource from = people.get(random.nextInt(people.size()));
            said.put(id, from);
            hand(node, id);
        }

        private void again(Nodes.Node node) {
            if (!said.isEmpty()) {
                hand(node, new ArrayList<>(said.keySet()).get(random.nextInt(said.size())));
            }
        }

        private void hand(Nodes.Node node, String id) {
            if (!gone.contains(node)) {
                receipts.put(id + "@" + receipts.size(), node.hand(Objects.requireNonNull(said.get(id)), id, id));
            }
        }

        private void collect() {
            receipts.forEach((name, receipt) -> {
                Receipt known = receipt.getNow(null);
                if (known instanceof Receipt.Admitted || known instanceof Receipt.Duplicate) {
                    acknowledged.add(name.substring(0, name.indexOf('@')));
                }
            });
        }

        private void script(Nodes.Node node) {
            ScriptedTurn turn = ScriptedTurn.echo().taking(Duration.ofMillis(random.nextInt(20_000)));
            if (random.nextBoolean()) {
                turn = turn.using(new ToolUse("write", "{}", "ok"), new ToolUse("read", "{}", "text"));
            }
            if (random.nextInt(4) == 0) {
                turn = turn.ignoringInterrupts();
            }
            node.script(turn);
        }

        private void settleDown() {
            all.forEach(Nodes.Node::heal);
            nodes.pass(Duration.ofMinutes(2));
            List.copyOf(gone).forEach(this::back);
            assertThat(gone).isEmpty();
            nodes.pass(Duration.ofMinutes(2));
            said.keySet().forEach(id -> {
                hand(any(), id);
                // Who is turned away by a node without a place comes again once it has one.
                nodes.pass(Duration.ofMinutes(1));
            });
            nodes.pass(Duration.ofHours(1));
            collect();
        }

        private void check() {
            assertThat(acknowledged).containsExactlyInAnyOrderElementsOf(said.keySet());
            Map<InboundId, Inbound> inbound = new HashMap<>();
            List<Turn> turns = new ArrayList<>();
            List<Outgoing> open = new ArrayList<>();
            nodes.memory.queue().forEach(Instant.EPOCH, in -> inbound.put(in.id(), in), turns::add, out -> {
                if (out.state().isOpen()) {
                    open.add(out);
                }
            });
            String trouble = all.stream()
                    .flatMap(node -> node.events.of(GatewayEvent.Trouble.class).stream())
                    .map(each -> each.what())
                    .distinct()
                    .toList()
                    .toString();
            assertThat(inbound.values().stream()
                            .filter(in -> said.containsKey(in.text()))
                            .map(Inbound::text))
                    .as("each message is stored once")
                    .containsExactlyInAnyOrderElementsOf(said.keySet());
            assertThat(inbound.values().stream().filter(in -> in.state() != Inbound.State.DONE))
                    .as("nothing waits or was dropped; %s", trouble)
                    .allMatch(in -> in.kind() == Inbound.Kind.RESUME && in.state() == Inbound.State.DROPPED);
            Map<SessionKey, Long> tokens = new HashMap<>();
            Map<SessionKey, Long> places = new HashMap<>();
            List<String> ran = new ArrayList<>();
            for (Turn turn : turns) {
                assertThat(turn.state()).as("turns end; %s", trouble).isNotEqualTo(Turn.State.CLAIMED);
                assertThat(turn.token())
                        .as("no turn stands under an older token than the one before")
                        .isGreaterThanOrEqualTo(tokens.getOrDefault(turn.lane(), 0L));
                tokens.put(turn.lane(), turn.token());
                for (InboundId input : turn.inputs()) {
                    Inbound in = Objects.requireNonNull(inbound.get(input));
                    if (in.kind() == Inbound.Kind.MESSAGE) {
                        ran.add(in.text());
                        assertThat(in.ordinal())
                                .as("messages run in the order of their places")
                                .isGreaterThan(places.getOrDefault(turn.lane(), 0L));
                        places.put(turn.lane(), in.ordinal());
                    }
                }
            }
            assertThat(ran)
                    .as("each message ran in one turn; %s", trouble)
                    .containsExactlyInAnyOrderElementsOf(said.keySet());
            assertThat(open).as("everything is delivered").isEmpty();
            assertThat(nodes.memory.cluster().orElseThrow().nodes().stream()
                            .flatMap(node ->
                                    nodes.memory.cluster().orElseThrow().holdsOf(node.life()).keySet().stream()))
                    .as("nothing is held")
                    .isEmpty();
        }
    }
}
