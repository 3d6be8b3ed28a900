package dev.parley.application.lane;

import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.turn.SummaryReport;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.text.Spans;
import dev.parley.domain.turn.Inbound;
import java.time.Duration;

/** Drives a summary of the conversation that a command has asked for, and goes on with the command once it is there. */
final class SummaryDriver {
    private final Deciding lane;
    private final LaneClock clock;
    private final Duration limit;
    private final LaneAgents agents;
    private final WorkingAgent agent;
    private final LanePlace place;
    private final CommandRuns commands;

    /**
     * Drives nothing yet.
     *
     * @param lane decides
     * @param clock the lane's clock
     * @param limit how long a summary may take; any time where it is not positive
     * @param agents has agents work
     * @param agent the lane's agent
     * @param place the lane's place among the running ones
     * @param commands has the command go on
     */
    SummaryDriver(
            Deciding lane,
            LaneClock clock,
            Duration limit,
            LaneAgents agents,
            WorkingAgent agent,
            LanePlace place,
            CommandRuns commands) {
        this.lane = lane;
        this.clock = clock;
        this.limit = limit;
        this.agents = agents;
        this.agent = agent;
        this.place = place;
        this.commands = commands;
    }

    /** The agent begins to summarise. */
    void begin(CommandOutcome.Summarise wanted, Inbound command) {
        TurnSlot.Summarising slot = new TurnSlot.Summarising(command, wanted);
        lane.become(lane.state().with(slot));
        place.enter();
        try {
            SessionEntry entry = lane.state().lane().map(Lane::entry).orElseThrow();
            AgentSpec spec = new AgentSpec(
                    clock.lane(),
                    entry.sessionId(),
                    command.source(),
                    agents.prompts().prompt(clock.lane(), entry, command.source()),
                    entry.modelOverride());
            agent.begin(
                    agents.runner().summarise(spec, command.id(), wanted.history(), wanted.focus(), this::report),
                    () -> {});
        } catch (RuntimeException e) {
            lane.trouble("The agent could not summarise.", e);
            lane.afterwards(() -> there(new SummaryReport(command.id(), false, "The agent could not begin.")));
            return;
        }
        if (!limit.isZero() && !limit.isNegative()) {
            agent.after(limit, () -> lane.postpone(() -> tookTooLong(slot)));
        }
    }

    /** Takes a report, from any thread. */
    private void report(SummaryReport report) {
        lane.postpone(() -> there(report));
    }

    private void tookTooLong(TurnSlot.Summarising slot) {
        if (lane.state().slot().equals(slot)) {
            agent.supersede("Stop requested");
            there(new SummaryReport(
                    slot.command().id(), false, "the summary took longer than " + Spans.inFull(limit) + "."));
        }
    }

    /** A summary is there, or there is none; that of an earlier command is left out. */
    private void there(SummaryReport report) {
        if (lane.state().slot() instanceof TurnSlot.Summarising slot
                && slot.command().id().equals(report.command())) {
            agent.letGo(-1, false);
            goOn(slot, report);
        }
    }

    /** The stop waits no longer: the command stays in the queue. */
    void abandon() {
        if (lane.state().slot().isSummarising()) {
            lane.become(lane.state().with(TurnSlot.free()));
            agent.supersede("Stop requested");
        }
    }

    /** The command goes on without a summary. */
    void fail(TurnSlot.Summarising slot, String why) {
        goOn(slot, new SummaryReport(slot.command().id(), false, why));
    }

    private void goOn(TurnSlot.Summarising slot, SummaryReport report) {
        lane.become(lane.state().with(TurnSlot.free()));
        commands.goOn(lane, slot, report);
    }
}
