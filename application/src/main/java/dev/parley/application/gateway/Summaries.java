package dev.parley.application.gateway;

import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.Timers;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.turn.Inbound;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Has the lane's agent summarise its conversation for a command; until that is over the lane is busy. */
final class Summaries {
    private final Workings works;
    private final SessionKey key;
    private final LaneDesk desk;
    private final LaneMemory memory;
    private @Nullable SummaryRun summary;

    Summaries(LaneDesk desk) {
        this.works = desk.works;
        this.key = desk.key();
        this.desk = desk;
        this.memory = desk.memory;
    }

    /** An agent that summarises the lane's conversation for a command. */
    private final class SummaryRun {
        private final Agent agent;
        private @Nullable AgentRun agentRun;
        private Timers.@Nullable Timer limit;
        private volatile boolean over;

        SummaryRun(Agent agent) {
            this.agent = agent;
        }

        void over() {
            over = true;
            if (limit != null) {
                limit.cancel();
            }
        }

        void cancel() {
            over();
            AgentRun running = agentRun;
            if (running != null) {
                running.interrupt("Stop requested");
            }
            works.cache.putBack(agent, -1, true);
        }
    }

    boolean isUnderWay() {
        return summary != null;
    }

    /** Ends a summary that is under way without its outcome. */
    void cancel() {
        SummaryRun current = summary;
        if (current != null) {
            current.cancel();
            summary = null;
            desk.endBusy();
        }
    }

    /** Begins a summary; the outcome of the command follows. */
    void begin(CommandOutcome.Summarise wanted, Inbound inbound) {
        desk.beginBusy();
        Agent agent;
        try {
            SessionEntry entry = memory.lane().orElseThrow().entry();
            agent = works.cache.take(
                    new AgentSpec(
                            key,
                            entry.sessionId(),
                            inbound.source(),
                            desk.running.prompt(entry, inbound.source()),
                            entry.modelOverride()),
                    -1);
        } catch (RuntimeException e) {
            desk.endBusy();
            summarised(inbound, wanted.otherwise(), String.valueOf(e.getMessage()), 1);
            return;
        }
        SummaryRun mine = new SummaryRun(agent);
        summary = mine;
        mine.agentRun = agent.summarise(wanted.history(), wanted.focus(), new Agent.SummaryListener() {
            @Override
            public void summarised(String text) {
                desk.post(() -> ended(mine, inbound, wanted.then(), text));
            }

            @Override
            public void failed(String why) {
                desk.post(() -> ended(mine, inbound, wanted.otherwise(), why));
            }
        });
        limit(mine, wanted, inbound);
    }

    /** A summary that takes longer than a turn may do nothing is given up. */
    private void limit(SummaryRun mine, CommandOutcome.Summarise wanted, Inbound inbound) {
        Duration limit = works.settings.turns().timeout();
        if (limit.isZero() || limit.isNegative()) {
            return;
        }
        mine.limit = works.timers.after(
                limit,
                () -> desk.post(() -> {
                    if (summary == mine) {
                        cancel();
                        summarised(
                                inbound,
                                wanted.otherwise(),
                                "the summary took longer than " + TurnWatch.inWords(limit),
                                1);
                    }
                }));
    }

    private void ended(
            SummaryRun mine, Inbound inbound, BiFunction<CommandContext, String, CommandOutcome> then, String text) {
        if (summary != mine || mine.over) {
            return;
        }
        mine.over();
        summary = null;
        works.cache.putBack(mine.agent, -1, false);
        desk.endBusy();
        summarised(inbound, then, text, 1);
    }

    private void summarised(
            Inbound inbound, BiFunction<CommandContext, String, CommandOutcome> then, String text, int attempt) {
        desk.load();
        CommandContext context = desk.commands.context(inbound.source(), "");
        CommandOutcome outcome =
                attempt > LaneDesk.ATTEMPTS ? CommandOutcome.reply(LaneDesk.LOST_RACE) : then.apply(context, text);
        desk.commands.finish(inbound, outcome, () -> summarised(inbound, then, text, attempt + 1));
    }
}
