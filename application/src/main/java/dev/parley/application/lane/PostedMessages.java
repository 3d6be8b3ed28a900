package dev.parley.application.lane;

import dev.parley.domain.turn.Inbound;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Takes notice of messages that other gateways have stored for the lane, and has them do to a running turn what they do. Used by the
 * lane's own tasks.
 *
 * @param lane the lane's actor
 * @param takeover whose the lane is
 * @param arrivals decides about messages
 * @param agent the agent that works
 * @param reading finds them
 * @param clock the lane's clock
 * @param commands has commands decide
 */
record PostedMessages(
        LaneWork lane,
        Takeover takeover,
        Arrivals arrivals,
        WorkingAgent agent,
        LaneReading reading,
        LaneClock clock,
        CommandRuns commands) {
    /** Looks for such messages. */
    void look() {
        if (takeover.hasNoPlace() || !takeover.isHere()) {
            return;
        }
        lane.load();
        for (Inbound each : reading.posted(clock.lane(), lane.state())) {
            lane.become(lane.state().with(lane.state().waiting().with(each)));
            notice(each);
        }
        lane.afterwards(lane::next);
    }

    /** Such a message waits. */
    void notice(Inbound posted) {
        lane.afterwards(() -> take(posted));
    }

    /** Has it do to the running turn what it does: plug-ins are asked on another thread. */
    private void take(Inbound posted) {
        Optional<Inbound> command = arrivals.postedCommand(lane.state(), posted);
        Optional<Supplier<Glance>> looking = agent.looking(lane.state().slot().active());
        if (lane.state().slot().isFree()) {
            return;
        }
        if (command.isPresent()) {
            commands.runWaiting(lane, command.get());
        } else if (looking.isPresent()) {
            lane.ask(
                    TurnDriver.UNSEEN,
                    looking.get(),
                    WorkingAgent.unseen(lane.state().slot().active()),
                    glance -> lane.decide((state, attempt) -> arrivals.posted(state, posted, Optional.of(glance))));
        } else {
            lane.decide((state, attempt) -> arrivals.posted(state, posted, Optional.empty()));
        }
    }
}
