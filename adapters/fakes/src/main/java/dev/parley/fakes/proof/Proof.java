package dev.parley.fakes.proof;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds, in what is left of a run, whatever the gateway promises not to do. It believes nothing that the gateway says of itself
 * unless something else bears it out: the messages that were handed in, the calls of the model, and what the platform took.
 *
 * <p>It holds for runs in which sessions end by {@code /new} and {@code /stop} alone, or because restarts cut a lane off too often:
 * any other change of session is a violation.
 */
public final class Proof {
    private static final String CONTEXT_UNAVAILABLE = "cannot be read for now";

    private final Evidence evidence;
    private final List<Violation> found = new ArrayList<>();
    private final Map<InboundId, Inbound> inboundById = new HashMap<>();
    private final Map<PlatformMessage, List<Inbound>> inboundByName = new HashMap<>();
    private final Map<SessionKey, List<Inbound>> inboundByLane;
    private final Map<SessionKey, List<LaneEvent>> historyByLane;
    private final Map<String, List<StoredMessage>> rowsByToken = new LinkedHashMap<>();
    private final Map<String, List<Turn>> turnsByToken = new LinkedHashMap<>();
    private final Map<TurnId, Outgoing> replyByTurn = new HashMap<>();
    private final Map<SessionId, SessionKey> laneBySession = new HashMap<>();
    private final Map<SessionId, List<StoredMessage>> askedBySession;
    private final Set<String> askedByStaleNodes;

    private Proof(Evidence evidence) {
        this.evidence = evidence;
        evidence.inbounds().forEach(this::know);
        inboundByLane = evidence.inbounds().stream().collect(groupingBy(Inbound::lane));
        historyByLane = evidence.history().stream().collect(groupingBy(LaneEvent::lane));
        askedBySession = evidence.rows().stream()
                .filter(row -> row.message().role().equals(Role.USER))
                .collect(groupingBy(StoredMessage::session));
        askedBySession
                .values()
                .forEach(rows -> rows.forEach(row -> tokens(row)
                        .forEach(token -> rowsByToken
                                .computeIfAbsent(token, t -> new ArrayList<>())
                                .add(row))));
        for (Turn turn : evidence.turns()) {
            tokens(turn)
                    .forEach(token -> turnsByToken
                            .computeIfAbsent(token, t -> new ArrayList<>())
                            .add(turn));
        }
        for (Outgoing each : evidence.outgoing()) {
            if (each.kind() == Outgoing.Kind.REPLY && each.turn().isPresent()) {
                replyByTurn.put(each.turn().get(), each);
            }
        }
        for (LaneEvent event : evidence.history()) {
            event.to().ifPresent(id -> laneBySession.putIfAbsent(id, event.lane()));
        }
        askedByStaleNodes = NodeProof.effectsOfStaleNodes(evidence).stream()
                .map(NodeLog.Effect::about)
                .collect(toSet());
    }

    private void know(Inbound inbound) {
        inboundById.put(inbound.id(), inbound);
        inbound.platformMessage()
                .ifPresent(name -> inboundByName
                        .computeIfAbsent(name, n -> new ArrayList<>())
                        .add(inbound));
    }

    /** Returns everything that is wrong; empty is the proof that nothing is. */
    public static List<Violation> violations(Evidence evidence) {
        Proof proof = new Proof(evidence);
        evidence.said().stream().collect(groupingBy(Said::lane)).forEach(proof::lane);
        proof.unfinished();
        proof.answers();
        proof.deliveries();
        proof.calls();
        evidence.lanes().forEach(proof::sessions);
        proof.found.addAll(NodeProof.violations(evidence));
        return List.copyOf(proof.found);
    }

    private void broken(Violation.Kind kind, String what) {
        found.add(new Violation(kind, what));
    }

    private static List<String> tokens(StoredMessage row) {
        return Tokens.in(row.message().content().plainText());
    }

    private List<String> tokens(Turn turn) {
        return turn.inputs().stream()
                .map(inboundById::get)
                .filter(Objects::nonNull)
                .flatMap(inbound -> Tokens.in(inbound.text()).stream())
                .toList();
    }

    // ---- what was said

    private void lane(SessionKey lane, List<Said> said) {
        said.forEach(this::kept);
        inOrder(lane, said, Said.Kind.TEXT);
        inOrder(lane, said, Said.Kind.QUEUED);
        commands(lane);
    }

    /** An acknowledged message is stored once, and ran once or was taken out of the queue by a command that says so. */
    private void kept(Said said) {
        List<Inbound> stored = inboundByName.getOrDefault(said.name(), List.of());
        if (said.acknowledgements().size() > 1) {
            broken(Violation.Kind.DOUBLED, said + " was acknowledged under several ids");
        }
        if (stored.size() > 1) {
            broken(Violation.Kind.DOUBLED, said + " is stored " + stored.size() + " times");
        }
        if (stored.isEmpty()) {
            if (said.isAcknowledged()) {
                broken(Violation.Kind.LOST, said + " is not in the queue's record");
            }
            return;
        }
        for (String id : said.acknowledgements()) {
            if (!stored.get(0).id().value().equals(id)) {
                broken(Violation.Kind.LOST, said + " is not stored under the id it was acknowledged by");
            }
        }
        if (said.isForTheAgent()) {
            ran(said);
        }
    }

    private void ran(Said said) {
        List<StoredMessage> rows = rowsByToken.getOrDefault(said.token(), List.of());
        List<Turn> turns = turnsByToken.getOrDefault(said.token(), List.of()).stream()
                .distinct()
                .toList();
        if (rows.size() > 1) {
            broken(Violation.Kind.DOUBLED, said.token() + " stands in " + rows.size() + " rows");
        }
        if (turns.size() > 1) {
            broken(Violation.Kind.DOUBLED, said.token() + " ran in " + turns.size() + " turns");
        }
        Optional<Inbound> carried = inboundByLane.getOrDefault(said.lane(), List.of()).stream()
                .filter(inbound -> inbound.kind() != Inbound.Kind.COMMAND
                        && Tokens.in(inbound.text()).contains(said.token()))
                .findFirst();
        if (carried.isEmpty() && rows.isEmpty() && turns.isEmpty() && wasPostedAndDropped(said)) {
            return;
        }
        if (carried.isEmpty()) {
            broken(Violation.Kind.LOST, said.token() + " was acknowledged but never queued");
            return;
        }
        if (carried.get().state() == Inbound.State.DROPPED) {
            if (!rows.isEmpty() || !turns.isEmpty()) {
                broken(Violation.Kind.MISPLACED, said.token() + " was taken out of the queue and ran all the same");
            }
            if (!isDroppedByACommand(carried.get())) {
                broken(Violation.Kind.LOST, said.token() + " was taken out of the queue without a command");
            }
            return;
        }
        if (rows.isEmpty() || turns.isEmpty()) {
            broken(Violation.Kind.LOST, said.token() + " is " + carried.get().state() + " but has no row or no turn");
            return;
        }
        SessionId session = rows.get(0).session();
        if (!turns.get(0).session().equals(session)) {
            broken(Violation.Kind.MISPLACED, said.token() + " ran in another session than the one it is stored in");
        }
        if (!said.lane().equals(laneBySession.get(session))) {
            broken(Violation.Kind.MISPLACED, said.token() + " stands in a session that its lane never had");
        }
    }

    /** A {@code /queue} that a node stored for another one waits as a command, and may be dropped before that one runs it. */
    private boolean wasPostedAndDropped(Said said) {
        return inboundByLane.getOrDefault(said.lane(), List.of()).stream()
                .filter(inbound -> inbound.kind() == Inbound.Kind.COMMAND
                        && inbound.state() == Inbound.State.DROPPED
                        && Tokens.in(inbound.text()).contains(said.token()))
                .anyMatch(this::isDroppedByACommand);
    }

    private boolean isDroppedByACommand(Inbound dropped) {
        long since = since(dropped);
        return inboundByLane.getOrDefault(dropped.lane(), List.of()).stream()
                .anyMatch(command -> command.kind() == Inbound.Kind.COMMAND
                        && command.state() == Inbound.State.DONE
                        && command.ordinal() > since
                        && (command.text().equals("/new") || command.text().equals("/stop")));
    }

    /** Returns the place at which a message was accepted: what a waiting {@code /queue} queues has that of the command too. */
    private long since(Inbound dropped) {
        List<String> tokens = Tokens.in(dropped.text());
        return inboundByLane.getOrDefault(dropped.lane(), List.of()).stream()
                .filter(each -> dropped.kind() == Inbound.Kind.QUEUED && each.kind() == Inbound.Kind.COMMAND)
                .filter(each -> Tokens.in(each.text()).equals(tokens))
                .mapToLong(Inbound::ordinal)
                .findFirst()
                .orElse(dropped.ordinal());
    }

    private void inOrder(SessionKey lane, List<Said> said, Said.Kind kind) {
        Optional<StoredMessage> last = Optional.empty();
        String lastToken = "";
        for (Said each : said) {
            if (each.kind() != kind || !each.isAcknowledged()) {
                continue;
            }
            for (StoredMessage row : rowsByToken.getOrDefault(each.token(), List.of())) {
                if (last.isPresent() && isBehind(row, each.token(), last.get(), lastToken)) {
                    broken(Violation.Kind.DISORDERED, each.token() + " ran before " + lastToken + " in " + lane);
                }
                last = Optional.of(row);
                lastToken = each.token();
            }
        }
    }

    /** Follow-ups share a row, in which they stand in their order. */
    private static boolean isBehind(StoredMessage row, String token, StoredMessage before, String tokenBefore) {
        if (row.sequence() == before.sequence()) {
            String text = row.message().content().plainText();
            return text.indexOf(token) < text.indexOf(tokenBefore);
        }
        return row.sequence() < before.sequence();
    }

    /** Each command was answered once: a redelivered one does nothing. */
    private void commands(SessionKey lane) {
        List<String> done = inboundByLane.getOrDefault(lane, List.of()).stream()
                .filter(inbound -> inbound.kind() == Inbound.Kind.COMMAND && inbound.state() == Inbound.State.DONE)
                .map(Inbound::text)
                .toList();
        long queued = done.stream().filter(text -> text.startsWith("/queue")).count();
        long replies = evidence.outgoing().stream()
                .filter(message -> message.lane().equals(Optional.of(lane)))
                .filter(message ->
                        message.kind() == Outgoing.Kind.REPLY && message.turn().isEmpty())
                .count();
        if (replies < done.size() - queued) {
            broken(Violation.Kind.LOST, lane + " answered " + replies + " of " + done.size() + " commands");
        }
        if (replies > done.size()) {
            broken(
                    Violation.Kind.DOUBLED,
                    lane + " answered " + done.size() + " commands with " + replies + " replies");
        }
    }

    // ---- what became of it

    private void unfinished() {
        for (Inbound inbound : evidence.inbounds()) {
            if (inbound.state() == Inbound.State.ADMITTED || inbound.state() == Inbound.State.CLAIMED) {
                broken(
                        Violation.Kind.UNFINISHED,
                        inbound.kind() + " " + inbound.text() + " in " + inbound.lane() + " is still "
                                + inbound.state());
            }
        }
        for (Turn turn : evidence.turns()) {
            if (turn.state() == Turn.State.CLAIMED) {
                broken(Violation.Kind.UNFINISHED, "turn " + turn.id() + " in " + turn.lane() + " has no end");
            }
        }
    }

    /** A turn that has an answer stored it for its people; the answer answers what was asked. */
    private void answers() {
        for (Turn turn : evidence.turns()) {
            if (turn.state() != Turn.State.COMPLETED) {
                continue;
            }
            Outgoing reply = replyByTurn.get(turn.id());
            if (reply == null) {
                broken(Violation.Kind.UNDELIVERED, "the answer of turn " + turn.id() + " in " + turn.lane());
            } else if (!Tokens.in(reply.text()).equals(tokens(turn))) {
                broken(
                        Violation.Kind.MISPLACED,
                        "turn " + turn.id() + " was asked " + tokens(turn) + " and answered " + reply.text());
            }
        }
    }

    /**
     * Each stored message reached its platform, in order. An answer that people were shown while it was written stands where it began:
     * behind the answers before it, but perhaps above a notice or the reply to a command that was stored before it ended.
     */
    private void deliveries() {
        Map<String, Integer> firstAt = new HashMap<>();
        Map<String, String> texts = new HashMap<>();
        for (int i = 0; i < evidence.deliveries().size(); i++) {
            Delivery each = evidence.deliveries().get(i);
            firstAt.putIfAbsent(each.id(), i);
            texts.put(each.id(), each.text());
        }
        Map<SessionKey, Integer> last = new HashMap<>();
        Map<SessionKey, Integer> lastAnswer = new HashMap<>();
        Set<String> stored = new HashSet<>();
        for (Outgoing message : evidence.outgoing()) {
            stored.add(message.id().value());
            Integer at = firstAt.get(message.id().value());
            if (message.state() == Outgoing.State.EXPIRED) {
                continue;
            }
            if (message.state() != Outgoing.State.DELIVERED || at == null) {
                broken(
                        Violation.Kind.UNDELIVERED,
                        message.id() + " in " + message.lane() + " is " + message.state()
                                + (at == null ? " and never reached the platform" : ""));
                continue;
            }
            if (!message.text().equals(texts.get(message.id().value()))) {
                broken(
                        Violation.Kind.MISPLACED,
                        message.id() + " reached the platform as \""
                                + texts.get(message.id().value()) + "\", not as \"" + message.text() + "\"");
            }
            message.lane().ifPresent(lane -> {
                boolean began = message.replaces().isPresent();
                Optional<Integer> before = Optional.ofNullable((began ? lastAnswer : last).get(lane));
                before.filter(older -> older > at)
                        .ifPresent(older -> broken(
                                Violation.Kind.DISORDERED,
                                message + " overtook "
                                        + evidence.deliveries().get(older).id() + ", an older message in " + lane));
                if (!began) {
                    last.put(lane, at);
                }
                if (message.kind() == Outgoing.Kind.REPLY && message.turn().isPresent()) {
                    lastAnswer.put(lane, at);
                }
            });
        }
        firstAt.keySet().stream()
                .filter(id -> !stored.contains(id))
                .forEach(id -> broken(
                        Violation.Kind.MISPLACED, id + " reached the platform but is not stored: " + texts.get(id)));
    }

    // ---- what the agent knew

    /** The model is asked about each message once, with everything that was said in its session before, and nothing else. */
    private void calls() {
        Set<String> asked = new HashSet<>();
        for (List<String> users : evidence.calls()) {
            List<String> now = Tokens.in(users.get(users.size() - 1));
            List<String> before = users.subList(0, users.size() - 1).stream()
                    .flatMap(text -> Tokens.in(text).stream())
                    .toList();
            for (String token : now) {
                if (!asked.add(token)) {
                    broken(Violation.Kind.DOUBLED, "the model was asked about " + token + " again");
                }
            }
            if (!now.isEmpty() && users.stream().noneMatch(text -> text.contains(CONTEXT_UNAVAILABLE))) {
                knew(now.get(0), before);
            }
        }
    }

    private void knew(String token, List<String> before) {
        List<StoredMessage> rows = rowsByToken.getOrDefault(token, List.of());
        if (rows.isEmpty()) {
            broken(Violation.Kind.MISPLACED, "the model was asked about " + token + ", which is not stored");
            return;
        }
        StoredMessage row = rows.get(0);
        List<String> expected = askedBySession.getOrDefault(row.session(), List.of()).stream()
                .takeWhile(other -> other.sequence() < row.sequence())
                .flatMap(other -> tokens(other).stream())
                .toList();
        // A node that was stopped before it read what was said finds what the next holder of the lane has stored
        // meanwhile.
        boolean knewMore = askedByStaleNodes.contains(token) && startsWith(before, expected);
        if (!before.equals(expected) && !knewMore) {
            broken(
                    new HashSet<>(expected).containsAll(before) ? Violation.Kind.FORGOTTEN : Violation.Kind.MISPLACED,
                    "asked about " + token + ", the model knew " + before + " instead of " + expected);
        }
    }

    private static boolean startsWith(List<String> all, List<String> first) {
        return all.size() >= first.size() && all.subList(0, first.size()).equals(first);
    }

    // ---- sessions

    private void sessions(SessionKey lane, SessionId current) {
        List<LaneEvent> history = historyByLane.getOrDefault(lane, List.of());
        Optional<SessionId> now = Optional.empty();
        Set<SessionId> left = new LinkedHashSet<>();
        boolean suspended = false;
        long renewed = 0;
        long stopped = 0;
        for (LaneEvent event : history) {
            boolean changes = event.kind() != LaneEvent.Kind.REMOVED
                    && event.to().isPresent()
                    && !event.to().equals(now);
            if (event.kind() == LaneEvent.Kind.SUSPENDED) {
                suspended = true;
                stopped += event.reason().equals("stop") ? 1 : 0;
            }
            if (!changes) {
                continue;
            }
            if (!event.from().equals(now)) {
                unexplained(event, "it says it came from " + event.from() + ", the one before leads to " + now);
            }
            switch (event.kind()) {
                case CREATED -> {
                    if (now.isPresent()) {
                        unexplained(event, "the lane had a session");
                    }
                }
                case RENEWED -> renewed++;
                case RESET -> {
                    if (!suspended || !event.reason().equals("suspended")) {
                        unexplained(event, "nothing suspended the lane");
                    }
                }
                default -> unexplained(event, "nobody asked for it");
            }
            if (event.reason().isBlank()) {
                unexplained(event, "it has no reason");
            }
            now.ifPresent(left::add);
            if (left.contains(event.to().get())) {
                broken(
                        Violation.Kind.REVIVED,
                        lane + " is back in " + event.to().get());
            }
            now = event.to();
            suspended = false;
        }
        if (!now.equals(Optional.of(current))) {
            broken(Violation.Kind.UNEXPLAINED, lane + " is in " + current + ", its history leads to " + now);
        }
        asked(lane, renewed, "/new");
        asked(lane, stopped, "/stop");
        goesOn(lane, current, left);
    }

    private void unexplained(LaneEvent event, String why) {
        broken(
                Violation.Kind.UNEXPLAINED,
                event.lane() + " " + event.kind().text() + " (" + event.reason() + ") from " + event.from() + " to "
                        + event.to() + ": " + why);
    }

    private void asked(SessionKey lane, long times, String command) {
        long done = inboundByLane.getOrDefault(lane, List.of()).stream()
                .filter(inbound -> inbound.kind() == Inbound.Kind.COMMAND
                        && inbound.state() == Inbound.State.DONE
                        && inbound.text().equals(command))
                .count();
        if (times > done) {
            broken(Violation.Kind.DOUBLED, lane + " changed " + times + " times for " + done + " times " + command);
        }
    }

    /** Nothing is stored in a session once its lane has another, and the lane's own has not ended. */
    private void goesOn(SessionKey lane, SessionId current, Set<SessionId> left) {
        Map<SessionId, Session> sessions = new HashMap<>();
        evidence.sessions().forEach(session -> sessions.put(session.id(), session));
        if (Stream.ofNullable(sessions.get(current)).noneMatch(Session::isLive)) {
            broken(Violation.Kind.REVIVED, lane + " is in " + current + ", which has ended or is not stored");
        }
        for (SessionId id : left) {
            if (Stream.ofNullable(sessions.get(id)).noneMatch(session -> !session.isLive())) {
                broken(Violation.Kind.UNEXPLAINED, lane + " left " + id + ", which has not ended");
            }
        }
        List<SessionId> order = new ArrayList<>(left);
        order.add(current);
        int reached = 0;
        for (StoredMessage row : evidence.rows()) {
            int at = order.indexOf(row.session());
            if (at >= 0 && at < reached) {
                broken(
                        Violation.Kind.REVIVED,
                        lane + " stored \"" + row.message().content().plainText() + "\" in " + row.session()
                                + " after it had gone on to " + order.get(reached));
            }
            reached = Math.max(reached, at);
        }
    }
}
