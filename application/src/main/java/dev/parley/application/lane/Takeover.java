package dev.parley.application.lane;

import dev.parley.application.delivery.DeliveryRules;
import dev.parley.application.nodes.Membership;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.HeldElsewhere;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.recovery.CutOff;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.Transition;
import dev.parley.domain.change.Change;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The lane among the gateways that share its store: it is taken before anything is read of it, what another life has left of it is set
 * right first, and it is given back when nothing goes on. A gateway that is alone has every lane. Used by the lane's own tasks.
 */
final class Takeover {
    /** What people are told whose conversation is worked on elsewhere. */
    static final String ELSEWHERE = "The conversation goes on at another node; try again in a moment.";

    private final LaneWork lane;
    private final LaneHold hold;
    private final Membership nodes;
    private final LaneClock clock;
    private final GatewaySettings settings;
    private final LaneReading reading;
    private final Outlets outlets;
    private final GatewayState gateway;
    private final GatewayEvents events;
    private final NextDriver nexts;
    private final Senders senders;
    private final AnswersElsewhere answers;
    /** Whether what a stop has cut off was told to wait. */
    private boolean handedOver;

    Takeover(
            LaneWork lane,
            LaneHold hold,
            LaneClock clock,
            LaneReading reading,
            Outlets outlets,
            NextDriver nexts,
            Senders senders,
            LaneHost host) {
        this.lane = lane;
        this.hold = hold;
        this.nodes = host.nodes();
        this.clock = clock;
        this.settings = host.settings();
        this.reading = reading;
        this.outlets = outlets;
        this.gateway = host.state();
        this.events = host.actors().events();
        this.nexts = nexts;
        this.senders = senders;
        this.answers = host.answers();
    }

    /** Returns whether the lane is to be given back some time. */
    boolean isKept() {
        return hold.isKept();
    }

    /** Returns whether the lane may be given back now. */
    boolean isToBeGivenBack() {
        return hold.isKept() && lane.isAtRest() && hold.isUnused();
    }

    /**
     * Returns which gateway a message is left to: all places here are taken, and that one has one for the lane. Its people are reached
     * from there too. Absent where it is left to none.
     */
    Optional<LifeId> leavesTo(SessionSource source) {
        return hasNoPlace() && outlets.connections().isShared(source.platform())
                ? nodes.takeRoomElsewhere()
                : Optional.empty();
    }

    /** Returns whether another gateway is known to have a place for what waits here, whose people it reaches too. */
    boolean hasRoomElsewhere() {
        return nodes.hasRoomElsewhere()
                && lane.state().waiting().messages().stream()
                        .allMatch(each ->
                                outlets.connections().isShared(each.source().platform()));
    }

    /** Returns whether the lane is not held and would find no place here: then those take it who have one. */
    boolean hasNoPlace() {
        return nodes.isShared() && !hold.isMine() && gateway.places().isFull();
    }

    /** Returns why nothing can be asked of the lane here. */
    HeldElsewhere elsewhere() {
        return new HeldElsewhere(hold.elsewhere());
    }

    /** Tells the gateway that works on the lane, and the one that was chosen to, that something waits there. */
    void wake(Optional<LifeId> chosen) {
        Stream.concat(hold.elsewhere().stream(), chosen.stream())
                .distinct()
                .forEach(other -> nodes.wake(other, clock.lane()));
    }

    /** The lane is held no more. */
    void laneTaken() {
        hold.lose();
    }

    /**
     * Returns whether the lane is this gateway's to work on; takes it, and what is left of it, where nobody works on it. A gateway that stops
     * takes no more lanes.
     */
    boolean isHere() {
        if (hold.isSetRight()) {
            return true;
        }
        if (!hold.isMine()) {
            lane.forget();
            if (gateway.stopping().isPresent() || !hold.take()) {
                lane.become(LaneState.UNKNOWN);
                return false;
            }
        }
        takeOver();
        return hold.isMine();
    }

    /** Sets right what another life has left of the lane: a turn that was cut off, and messages that are not delivered. */
    private void takeOver() {
        boolean stored = false;
        int lost = 0;
        while (true) {
            lane.forget();
            lane.load();
            List<CutOff> cutOff = reading.cutOff(clock.lane(), clock.now());
            if (cutOff.isEmpty()) {
                break;
            }
            if (lost == Deciding.ATTEMPTS) {
                throw new StorageUnavailable("The turns of the lane that were cut off do not end; trying again.", null);
            }
            Outcome outcome =
                    lane.storeOnce(cutOff.get(0).preconditions(), cutOff.get(0).changes());
            if (outcome instanceof Outcome.LaneTaken) {
                return;
            }
            if (outcome instanceof Outcome.Stored) {
                hold.cutOff();
                stored = true;
            } else {
                lost++;
            }
        }
        if (hold.isCutOff() && hold.deaths() >= settings.recovery().stuckLoopThreshold()) {
            Optional<Transition> suspending = reading.stored(clock.lane())
                    .filter(found -> !found.entry().isSuspended())
                    .map(found -> SessionTransitions.suspend(found, clock.now(), "stuck_loop"));
            if (suspending.isPresent()
                    && lane.storeOnce(
                                    suspending.get().preconditions(),
                                    suspending.get().changes())
                            instanceof Outcome.LaneTaken) {
                return;
            }
        }
        List<Outgoing> left = new ArrayList<>(reading.undelivered(clock.lane()));
        List<Outgoing> over = left.stream().filter(this::isOver).toList();
        left.removeAll(over);
        for (Outgoing message : over) {
            if (lane.storeOnce(List.of(), List.of(new Change.PutOutgoing(message.expired())))
                    instanceof Outcome.LaneTaken) {
                return;
            }
        }
        if (stored) {
            lane.forget();
        }
        boolean resumes = hold.isCutOff();
        hold.setRight();
        for (Outgoing message : over) {
            events.on(new GatewayEvent.Expired(
                    message.expired(), DeliveryRules.whyOverAtStart(message, clock.now(), settings.delivery())));
        }
        outlets.deliveries().addMissed(() -> left, reading::undelivered);
        if (resumes) {
            lane.afterwards(nexts::resume);
        }
    }

    private boolean isOver(Outgoing message) {
        return DeliveryRules.isOverAtStart(
                message, clock.now(), settings.delivery(), outlets.connections().recognisesRepeats(message.platform()));
    }

    /** Nothing is going on: another gateway may have the lane. */
    void giveBack() {
        if (!isToBeGivenBack()) {
            return;
        }
        try {
            lane.load();
            if (hold.giveBack(lane.state().waiting().lastOrdinal())) {
                senders.handOver(answers);
                lane.become(LaneState.UNKNOWN);
                lane.forget();
                return;
            }
        } catch (StorageUnavailable | StorageCorrupt e) {
            // Nobody knows whose the lane is: the next look at what this gateway holds tells.
            lane.laneTaken();
            return;
        }
        lane.afterwards(lane::lookForPosted);
    }

    /** Returns whether what a stop has cut off is to wait in the queue, so that another gateway resumes it at once; asked for once. */
    boolean handsOver() {
        boolean hands = !handedOver
                && hold.isKept()
                && lane.state().slot().isFree()
                && gateway.stopping().isPresent()
                && lane.state()
                        .lane()
                        .flatMap(found -> found.entry().toBeResumed())
                        .isPresent()
                && !Claiming.admitResume(lane.state(), clock.moment()).store().isEmpty();
        handedOver |= hands;
        return hands;
    }
}
