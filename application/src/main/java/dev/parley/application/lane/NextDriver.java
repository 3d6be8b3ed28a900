package dev.parley.application.lane;

import dev.parley.application.port.Authorization;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.time.Duration;
import java.util.Optional;

/**
 * Has a free lane do what is next: the oldest item of its queue becomes a command or a turn, once the text is whole and the answer before is
 * on its way. What was accepted is never turned away: where all places are taken it waits for one. What plug-ins are to say is asked on
 * another thread. Used by the lane's own tasks.
 */
final class NextDriver {
    private final LaneWork lane;
    private final LaneClock clock;
    private final LaneReading reading;
    private final Outlets outlets;
    private final LanePlace place;
    private final CommandRuns commands;
    private final NextItem nexts;
    private final RestOfText rest;
    /** The answer that the next turn waits for. */
    private Optional<OutgoingId> answering = Optional.empty();

    NextDriver(
            LaneWork lane,
            LaneClock clock,
            LaneReading reading,
            Outlets outlets,
            LanePlace place,
            CommandRuns commands,
            NextItem nexts) {
        this.lane = lane;
        this.clock = clock;
        this.reading = reading;
        this.outlets = outlets;
        this.place = place;
        this.commands = commands;
        this.nexts = nexts;
        this.rest = new RestOfText(clock, outlets);
    }

    /** Begins the next item of a lane that is free and known. The last thing a step does. */
    void begin() {
        if (lane.state().waiting().isEmpty()) {
            return;
        }
        FollowUps.Item item = reading.items(lane.state()).get(0);
        Optional<Duration> missing = rest.missing(item.last());
        if (missing.isPresent()) {
            rest.await(item.last(), missing.get(), lane);
            return;
        }
        // A place first: whoever looks whether the gateway stops is seen by the stop, or sees it.
        if (!place.await(item.kind() == Inbound.Kind.RESUME) || !nexts.mayBegin(lane.state())) {
            return;
        }
        Optional<Inbound> command = nexts.command(lane.state());
        if (command.isPresent()) {
            commands.runWaiting(lane, command.get());
        } else {
            lane.ask(
                    NextItem.UNASKED,
                    nexts.asking(lane.state()),
                    NextItem.Asked.NOTHING,
                    asked -> lane.decide((state, attempt) -> nexts.decide(state, asked, attempt)));
        }
    }

    /** Returns whether the lane is free and what is next in its queue waits for a place. */
    boolean awaitsPlace() {
        return !lane.state().waiting().isEmpty() && place.isAwaited() && nexts.mayBegin(lane.state());
    }

    /** Resumes the lane where its people may still talk on a platform that is still there (P7.21). The last thing a step does. */
    void resume() {
        Optional<SessionSource> origin = reading.stored(clock.lane())
                .flatMap(found -> found.entry().origin())
                .filter(source -> outlets.connections().isConfigured(source.platform()));
        if (origin.isEmpty()) {
            return;
        }
        Authorization authorization = commands.commanding().authorization();
        if (!authorization.neverBlocks()) {
            lane.ask(
                    "Nobody could say in time who may talk; the lane is not resumed.",
                    () -> authorization.mayTalk(origin.get()),
                    false,
                    this::resumeIf);
        } else {
            resumeIf(authorization.mayTalk(origin.get()));
        }
    }

    private void resumeIf(boolean mayTalk) {
        if (mayTalk) {
            admitResume();
        }
    }

    /** Puts what was cut off into the queue. */
    private void admitResume() {
        lane.decide((state, attempt) -> Claiming.admitResume(state, clock.moment()));
    }

    // ------------------------------------------------------------------ the answer before

    /** Delivers a turn's answer; the next turn begins once it was tried. */
    void answer(Outgoing message) {
        OutgoingId id = message.id();
        answering = Optional.of(id);
        outlets.deliveries().add(message, () -> lane.postpone(() -> answered(id)));
    }

    /** An answer was tried to be delivered, or will be later: the next turn does not wait for it. */
    private void answered(OutgoingId id) {
        if (answering.equals(Optional.of(id))) {
            answering = Optional.empty();
            lane.next();
        }
    }

    /** Returns whether an answer is on its way. */
    boolean isAnswering() {
        return answering.isPresent();
    }

    /** The lane is worked on elsewhere: no turn waits for an answer here. */
    void laneTaken() {
        answering = Optional.empty();
    }
}
