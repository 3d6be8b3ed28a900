package dev.parley.application.lane;

import dev.parley.application.lane.FollowUps.Item;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.recovery.CutOff;
import dev.parley.application.store.LaneFacts;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a lane reads to decide on. Holds no state; safe for concurrent use. Every read throws {@link StorageUnavailable} rather than
 * say that there is nothing, but where it says otherwise.
 */
public interface LaneReading {
    /** Returns how lanes are told apart. */
    KeyRules rules();

    /** Returns a lane's state with what is stored of it; {@code taken} are admitted messages that do not wait. */
    LaneState load(SessionKey key, LaneState known, List<Inbound> taken);

    /** Returns what the next turns take, in the order they run. */
    List<Item> items(LaneState state);

    /** Returns what decides which session a message belongs to. */
    LaneFacts facts(SessionKey key, SessionSource source, LaneState state, ProcessActivity processes);

    /** Returns when the background processes of a lane have started; asks a plug-in. */
    List<Instant> processes(SessionKey key);

    /** Returns how much the model of a lane's session reads, 0 where that is not known; asks a plug-in. */
    long contextLength(SessionKey key, SessionEntry entry, SessionSource source);

    /** Returns a session, or nothing. */
    Optional<Session> session(SessionId id);

    /** Returns the message that its platform names so, or nothing. */
    Optional<Inbound> received(PlatformMessage name);

    /** Returns whether a turn is stored as claimed by the same run. */
    boolean isClaimed(Turn turn);

    /** Returns all messages that are stored and not delivered, in the order in which they were stored. */
    List<Outgoing> undelivered();

    /** Returns those of a lane, in that order. */
    List<Outgoing> undelivered(SessionKey key);

    /** Returns the lane's admitted messages that are not known yet, in order. */
    List<Inbound> posted(SessionKey key, LaneState state);

    /** Returns how the lane's turns end whose process is gone. */
    List<CutOff> cutOff(SessionKey key, Instant now);

    /** Returns the lane as it is stored. */
    Optional<Lane> stored(SessionKey key);

    /**
     * Returns whether the conversation that a message continues is about to outgrow its model; where that is not known, it is not.
     *
     * @param contextLength how much the model reads; 0 where that is not known
     */
    boolean outgrows(
            SessionKey key, LaneState state, SessionSource source, long contextLength, ProcessActivity processes);
}
