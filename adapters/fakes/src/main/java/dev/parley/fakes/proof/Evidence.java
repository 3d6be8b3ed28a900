package dev.parley.fakes.proof;

import dev.parley.application.spi.Storage;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is left of a run when the gateway has stopped: what its surroundings wrote down, and what it stored.
 *
 * @param said what was handed in
 * @param deliveries what the platform took, in order
 * @param calls the texts of the users in each call of the model, the last one being what it was to answer
 * @param inbounds the stored queue, in the order of storing
 * @param turns the stored turns, in the order of storing
 * @param outgoing the stored messages to platforms, in the order of storing
 * @param rows the transcripts, in the order of storing
 * @param sessions the stored sessions
 * @param history the lanes' histories, in the order of storing
 * @param lanes the lanes with their current sessions
 * @param nodes what was written down of the nodes that shared the store; nothing where one gateway had it to itself
 */
public record Evidence(
        List<Said> said,
        List<Delivery> deliveries,
        List<List<String>> calls,
        List<Inbound> inbounds,
        List<Turn> turns,
        List<Outgoing> outgoing,
        List<StoredMessage> rows,
        List<Session> sessions,
        List<LaneEvent> history,
        Map<SessionKey, SessionId> lanes,
        NodeLog nodes) {

    public Evidence {
        said = List.copyOf(said);
        deliveries = List.copyOf(deliveries);
        calls = List.copyOf(calls);
        inbounds = List.copyOf(inbounds);
        turns = List.copyOf(turns);
        outgoing = List.copyOf(outgoing);
        rows = List.copyOf(rows);
        sessions = List.copyOf(sessions);
        history = List.copyOf(history);
        lanes = Map.copyOf(lanes);
    }

    /** Puts what was written down of one gateway beside what it stored. */
    public static Evidence of(List<Said> said, List<Delivery> deliveries, List<List<String>> calls, Storage stored) {
        return of(said, deliveries, calls, stored, NodeLog.EMPTY);
    }

    /** Puts what was written down beside what is stored. */
    public static Evidence of(
            List<Said> said, List<Delivery> deliveries, List<List<String>> calls, Storage stored, NodeLog nodes) {
        List<Inbound> inbounds = new ArrayList<>();
        List<Turn> turns = new ArrayList<>();
        List<Outgoing> outgoing = new ArrayList<>();
        stored.queue().forEach(Instant.EPOCH, inbounds::add, turns::add, outgoing::add);
        List<StoredMessage> rows = new ArrayList<>();
        stored.transcripts().forEach(rows::add);
        List<Session> sessions = new ArrayList<>();
        stored.sessions().forEach(sessions::add);
        List<LaneEvent> history = new ArrayList<>();
        stored.lanes().forEachEvent(Instant.EPOCH, history::add);
        Map<SessionKey, SessionId> lanes = new LinkedHashMap<>();
        stored.lanes().forEach(lane -> lanes.put(lane.key(), lane.entry().sessionId()));
        return new Evidence(said, deliveries, calls, inbounds, turns, outgoing, rows, sessions, history, lanes, nodes);
    }
}
