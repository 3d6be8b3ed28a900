package dev.parley.fakes.proof;

import static java.util.stream.Collectors.groupingBy;

import dev.parley.domain.key.SessionKey;
import dev.parley.fakes.proof.NodeLog.Effect;
import dev.parley.fakes.proof.NodeLog.Take;
import dev.parley.fakes.proof.NodeLog.Trouble;
import dev.parley.fakes.proof.NodeLog.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds, in what the database saw of nodes that shared it, whether more than one of them ever worked on a lane. What the nodes say of
 * themselves counts for nothing: the database wrote down, in their own transactions, who changed what while who held the lane.
 */
public final class NodeProof {
    /** How long something that was sent in time may take to arrive on a busy machine. */
    private static final Duration ON_ITS_WAY = Duration.ofSeconds(5);

    /** How long the effects of trouble may be seen. */
    private static final Duration AFTER = Duration.ofSeconds(10);

    private final NodeLog nodes;
    private final Map<SessionKey, List<Take>> takes;
    private final Map<String, SessionKey> lanes = new HashMap<>();
    private final List<Violation> found = new ArrayList<>();

    private NodeProof(Evidence evidence) {
        nodes = evidence.nodes();
        takes = nodes.takes().stream().collect(groupingBy(Take::lane));
        evidence.said().stream().filter(Said::isForTheAgent).forEach(said -> lanes.put(said.token(), said.lane()));
        evidence.outgoing()
                .forEach(message ->
                        message.lane().ifPresent(lane -> lanes.put(message.id().value(), lane)));
    }

    /** Returns everything that is wrong. */
    public static List<Violation> violations(Evidence evidence) {
        NodeProof proof = new NodeProof(evidence);
        proof.takes.forEach(proof::taken);
        proof.nodes.writes().forEach(proof::written);
        proof.nodes.writes().stream().collect(groupingBy(Write::lane)).forEach(proof::turns);
        proof.nodes.effects().stream().filter(proof::isStray).forEach(proof::strayed);
        proof.nodes.left().forEach(what -> proof.broken(Violation.Kind.UNFINISHED, what));
        return List.copyOf(proof.found);
    }

    /** Returns the effects of nodes that another one had taken the lane from, also those that something excuses. */
    public static List<Effect> effectsOfStaleNodes(Evidence evidence) {
        NodeProof proof = new NodeProof(evidence);
        return proof.nodes.effects().stream().filter(proof::isStale).toList();
    }

    private void broken(Violation.Kind kind, String what) {
        found.add(new Violation(kind, what));
    }

    /** A lane is taken only while it is free, and under a greater token each time. */
    private void taken(SessionKey lane, List<Take> all) {
        Optional<String> holder = Optional.empty();
        long token = 0;
        for (Take take : all) {
            if (take.life().isPresent() && take.before().isPresent()) {
                broken(
                        Violation.Kind.FENCED,
                        take.life().get() + " took " + lane + " from "
                                + take.before().get() + ", which held it");
            }
            if (!take.before().equals(holder)) {
                broken(
                        Violation.Kind.FENCED,
                        lane + " was held by " + take.before() + " although " + holder + " had it last");
            }
            if (take.life().isPresent() ? take.token() <= token : take.token() < token) {
                broken(
                        Violation.Kind.FENCED,
                        take.life() + " has " + lane + " under the token " + take.token() + " after " + token);
            }
            holder = take.life();
            token = take.token();
        }
    }

    /** Nobody but its holder changes a lane; every node may leave it a message. */
    private void written(Write write) {
        boolean byTheHolder = write.holder().map(NodeLog::node).equals(Optional.of(write.by()));
        if (!byTheHolder && !write.isPosted()) {
            broken(
                    Violation.Kind.FENCED,
                    write.by() + " stored " + write.what() + " " + write.id() + " (" + write.state() + ") at "
                            + write.at() + " in " + write.lane() + ", held by " + write.holder() + " under "
                            + write.held());
        }
        if (write.isClaimed()
                && write.token().filter(token -> token == write.held()).isEmpty()) {
            broken(
                    Violation.Kind.FENCED,
                    write.by() + " claimed " + write.id() + " in " + write.lane() + " under " + write.token()
                            + " instead of " + write.held());
        }
    }

    /** A turn begins when the one before has ended. */
    private void turns(SessionKey lane, List<Write> writes) {
        Optional<String> running = Optional.empty();
        for (Write write : writes) {
            if (!write.isTurn()) {
                continue;
            }
            if (!write.isClaimed()) {
                running = running.filter(turn -> !turn.equals(write.id()));
                continue;
            }
            if (running.filter(turn -> !turn.equals(write.id())).isPresent()) {
                broken(Violation.Kind.FENCED, write.id() + " began in " + lane + " while " + running.get() + " ran");
            }
            running = Optional.of(write.id());
        }
    }

    // ---- what cannot be taken back

    private boolean isStray(Effect effect) {
        return isStale(effect) && nodes.troubles().stream().noneMatch(trouble -> excuses(trouble, effect));
    }

    private void strayed(Effect effect) {
        broken(
                Violation.Kind.STRAYED,
                effect.by() + " did something about " + effect.about() + " at " + effect.at() + " in "
                        + lanes.get(effect.about()) + ", which another node held");
    }

    private static boolean excuses(Trouble trouble, Effect effect) {
        return trouble.node().equals(effect.by())
                && !effect.at().isBefore(trouble.from())
                && !effect.at().isAfter(trouble.to().plus(AFTER));
    }

    /** Returns whether another node held the lane by then, and had for longer than what was sent in time is on its way. */
    private boolean isStale(Effect effect) {
        SessionKey lane = lanes.get(effect.about());
        if (lane == null) {
            return false;
        }
        Optional<Take> last = Optional.empty();
        Instant mine = Instant.MIN;
        for (Take take : takes.getOrDefault(lane, List.of())) {
            if (take.at().isAfter(effect.at())) {
                break;
            }
            if (take.before().map(NodeLog::node).equals(Optional.of(effect.by()))) {
                mine = take.at();
            }
            last = Optional.of(take);
        }
        boolean another = last.flatMap(Take::life)
                .map(NodeLog::node)
                .filter(node -> !node.equals(effect.by()))
                .isPresent();
        return another && effect.at().isAfter(mine.equals(Instant.MIN) ? mine : mine.plus(ON_ITS_WAY));
    }
}
