package dev.parley.application.command;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import java.util.List;
import java.util.Optional;

/**
 * The lane a command was written in, and what runs and waits there.
 *
 * @param key the lane
 * @param current the lane as stored; absent where it does not exist
 * @param running its running turn; absent while it is idle
 * @param summarising whether its conversation is being summarised
 * @param depth how many items wait in its queue (Q8.21)
 * @param beside other lanes of the same thread whose turn is running, by key; none where this is no thread
 */
public record LaneView(
        SessionKey key,
        Optional<Lane> current,
        Optional<RunningTurn> running,
        boolean summarising,
        int depth,
        List<SessionKey> beside) {
    public LaneView {
        beside = List.copyOf(beside);
    }
}
