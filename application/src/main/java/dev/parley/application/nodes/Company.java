package dev.parley.application.nodes;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.Node;
import dev.parley.domain.turn.LifeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Whom a gateway finds in its store when it begins a life there, and whether they get on: a gateway that wants the store to itself with
 * nobody, and nodes with nodes of the same configuration.
 *
 * @param cluster the gateways that share the store
 * @param store the store's address, for messages
 * @param settings how the gateway is one of several
 * @param kind how it uses the store
 */
public record Company(Cluster cluster, String store, NodeSettings settings, Newcomer.Kind kind) {
    private static final int MOST_PLACES = 1_000;

    /** Begins a life; others may live beside it that it does not get on with. */
    public void join(LifeId life) {
        cluster.join(life, settings.self(kind), settings.lease());
    }

    /**
     * Ends the lives that began on the same machine and home: a home has one gateway at a time, so theirs are over. Their lanes are free
     * without waiting for their lease. To be asked once at the start of a process, which has the home.
     */
    public void replace(LifeId life) {
        if (!settings.place().isEmpty()) {
            live(life).stream().filter(this::isHere).forEach(other -> cluster.forget(other.life()));
            cluster.reap();
        }
    }

    /** Returns the others that live; a gateway that is alone, or whom one that wants to be finds, only while its lease runs. */
    public List<Node> others(LifeId life) {
        Instant now = cluster.now();
        return live(life).stream()
                .filter(other -> !isHere(other))
                .filter(other -> (!kind.isAlone() && !other.self().isAlone()) || isHeardOf(other, now))
                .toList();
    }

    /** Returns whether a life began on this home: then it is over, or its beginning was not heard of. */
    private boolean isHere(Node other) {
        return !settings.place().isEmpty() && other.self().place().equals(settings.place());
    }

    /** Returns the other nodes that may have places for lanes, where each has {@code most}: each as often as it has, the emptiest first. */
    public List<LifeId> room(LifeId life, int most) {
        List<Node> others = live(life).stream()
                .filter(other -> other.self().kind() == Newcomer.Kind.NODE)
                .filter(other -> other.state() == Node.State.UP && other.wish() == Node.Wish.NOTHING)
                .toList();
        return IntStream.range(0, Math.min(most, MOST_PLACES))
                .boxed()
                .flatMap(taken ->
                        others.stream().filter(other -> other.busy() <= taken).map(Node::life))
                .toList();
    }

    private static boolean isHeardOf(Node other, Instant now) {
        return !other.leaseUntil().isBefore(now);
    }

    private List<Node> live(LifeId life) {
        return cluster.nodes().stream()
                .filter(other -> other.state().isLive() && !other.life().equals(life))
                .toList();
    }

    /** Returns why the gateway may not work in the store beside these; absent where it may. */
    public Optional<InvalidRequest> refusal(List<Node> others) {
        if (others.stream().anyMatch(other -> other.self().kind() == Newcomer.Kind.COPY)) {
            return Optional.of(
                    new InvalidRequest("The store " + store + " is being copied to; start again when that is done."));
        }
        List<Node> shy = others.stream()
                .filter(other -> kind.isAlone() || other.self().isAlone())
                .toList();
        if (!shy.isEmpty()) {
            return Optional.of(new InvalidRequest(kind.isAlone() ? notAlone(shy) : besideOneAlone(shy)));
        }
        List<String> differences =
                others.stream().flatMap(this::differences).distinct().toList();
        return differences.isEmpty()
                ? Optional.empty()
                : Optional.of(new InvalidRequest("This node cannot share the database with those that do already: "
                        + String.join("; ", differences) + ". Give all nodes the same configuration."));
    }

    private String notAlone(List<Node> others) {
        boolean nodes = others.stream().noneMatch(other -> other.self().isAlone());
        return "The store " + store + " is in use by " + (nodes ? "the nodes " : "the gateway ") + names(others)
                + ", and this gateway is not one of its nodes; "
                + (nodes
                        ? "set cluster.enabled to true to make it one"
                        : "stop that one first, or set cluster.enabled to true for all gateways of this store")
                + ", or give it another database or schema.";
    }

    private String besideOneAlone(List<Node> others) {
        return "The store " + store + " is in use by the gateway " + names(others)
                + ", which runs without cluster.enabled and would answer the same people; stop it and set"
                + " cluster.enabled to true there, then start this node again.";
    }

    private static String names(List<Node> others) {
        return others.stream().map(Node::shown).collect(Collectors.joining(", "));
    }

    private Stream<String> differences(Node other) {
        TreeSet<String> keys = new TreeSet<>(settings.agreed().keySet());
        keys.addAll(other.agreed().keySet());
        return keys.stream()
                .filter(key -> !Optional.ofNullable(settings.agreed().get(key))
                        .equals(Optional.ofNullable(other.agreed().get(key))))
                .map(key -> key + " is "
                        + Optional.ofNullable(settings.agreed().get(key)).orElse("not set")
                        + " here and "
                        + Optional.ofNullable(other.agreed().get(key)).orElse("not set") + " at " + other.name());
    }
}
