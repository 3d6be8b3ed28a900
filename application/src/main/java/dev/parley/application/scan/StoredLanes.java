package dev.parley.application.scan;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Hold;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The lanes of a store, their history and who works on them, at one moment. What has a body here is found by scanning; a store with an
 * index replaces it.
 */
public interface StoredLanes {
    /** Returns all lanes, in any order. */
    Collection<Lane> lanes();

    /** Returns the lane, or nothing. */
    Optional<Lane> lane(SessionKey key);

    /** Returns the lanes whose current session this is, in any order. */
    default Collection<Lane> lanesAt(SessionId session) {
        return lanes().stream()
                .filter(lane -> lane.entry().sessionId().equals(session))
                .toList();
    }

    /** Returns the history of all lanes, in the order appended. */
    List<LaneEvent> events();

    /** Returns the history of a lane, in the order appended; empty for an unknown one. */
    default List<LaneEvent> events(SessionKey lane) {
        return events().stream().filter(event -> event.lane().equals(lane)).toList();
    }

    /** Returns who works on a lane, which need not exist; {@link Hold#NONE} for one that nobody ever took. */
    Hold hold(SessionKey lane);
}
