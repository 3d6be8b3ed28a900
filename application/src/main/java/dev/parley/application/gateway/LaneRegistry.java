package dev.parley.application.gateway;

import dev.parley.application.actor.Actors;
import dev.parley.application.commands.OperatorOrders;
import dev.parley.application.lane.LaneActor;
import dev.parley.application.lane.LaneInput;
import dev.parley.application.lane.LaneServices;
import dev.parley.application.lane.Neighbours;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The lanes that are at work now. Safe for concurrent use. */
final class LaneRegistry implements Neighbours {
    private final RunningLanes running;
    private final Actors<SessionKey, LaneActor> lanes;

    LaneRegistry(RunningLanes running, LaneServices services) {
        this.running = running;
        this.lanes = new Actors<>((key, gone) -> new LaneActor(services, key, this, gone));
    }

    /** Gives a lane something to take care of; returns at once. */
    void tell(SessionKey key, LaneInput input) {
        lanes.on(key, lane -> lane.handle(input));
    }

    /**
     * Gives a lane something that somebody waits for, unless the lane's store is in trouble: then nothing is asked of it.
     *
     * @throws StorageUnavailable where it is
     */
    void ask(SessionKey key, LaneInput input) {
        lanes.find(key).flatMap(LaneActor::trouble).ifPresent(why -> {
            throw new StorageUnavailable("The lane waits for its storage, so nothing was asked of it: " + why, null);
        });
        tell(key, input);
    }

    /** Hands a message to its lane, unless the lane's store is in trouble: then it is refused at once. */
    void arrive(SessionKey key, LaneInput.Arrived arrived) {
        lanes.on(key, lane -> lane.handle(arrived), lane -> lane.offer(arrived.receipt()));
    }

    /** Hands what happened in a chat to its lane, unless the lane's store is in trouble: then it is refused at once. */
    void occur(SessionKey key, LaneInput.Occurred occurred) {
        lanes.on(key, lane -> lane.handle(occurred), lane -> lane.offer(occurred.receipt()));
    }

    /** Gives each lane that is at work something to take care of, by key. */
    void tellEach(LaneInput input) {
        lanes.onEach(lane -> lane.handle(input));
    }

    /**
     * Has a lane look at what others have stored for it, up to the place {@code last}, where it does not know that; one where something waits
     * and nothing runs looks whether it may begin, or is to be left to others.
     */
    void check(SessionKey key, long last) {
        Optional<LaneActor> lane = lanes.find(key);
        if (lane.isEmpty()) {
            tell(key, new LaneInput.Refresh());
        } else if (lane.get().lastKnown() < last) {
            tell(key, new LaneInput.Posted());
        } else if (lane.get().waitsToBegin()) {
            tell(key, new LaneInput.Wake());
        }
    }

    /** Returns the lanes that are at work, by key. */
    Collection<LaneActor> all() {
        return lanes.all();
    }

    /** Returns whether a turn of a lane runs; what lasts as long as one, such as a summary, is none. */
    boolean hasTurn(SessionKey key) {
        return lanes.find(key).flatMap(LaneActor::people).isPresent();
    }

    /** Returns where the people of a lane's running turn are who are to be told of a stop. */
    Optional<SessionSource> toBeTold(SessionKey key) {
        return lanes.find(key).flatMap(LaneActor::toBeTold);
    }

    @Override
    public List<SessionKey> runningBeside(SessionKey lane, SessionSource source) {
        return running.beside(lane, source);
    }

    @Override
    public void stopFor(SessionKey lane, SessionSource other) {
        tell(lane, new LaneInput.Ordered(context -> OperatorOrders.stopFor(context, other), new CompletableFuture<>()));
    }
}
