package dev.parley.application.lane;

import dev.parley.application.delivery.TurnShows;
import dev.parley.application.settings.Turns;
import dev.parley.application.turn.RunningAgent;
import dev.parley.application.turn.TurnPlan;
import dev.parley.application.turn.TurnPreparation;
import dev.parley.application.turn.TurnReport;
import dev.parley.application.turn.TurnSink;
import dev.parley.application.turn.TurnWatch;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Drives the claimed turn: begins its agent, hears what that reports, hands on what people say to it, and watches its time. */
final class TurnDriver implements TurnSink, Effect.AgentVisitor {
    static final String UNSEEN = "The running agent does not say how it is.";

    private final Deciding lane;
    private final LaneClock clock;
    private final Turns settings;
    private final LaneReading reading;
    private final LaneAgents agents;
    private final WorkingAgent agent;
    private final Senders senders;
    private final Outlets outlets;
    private final List<Effect.Steer> untilBegun = new ArrayList<>();
    private Optional<TurnReport.Ended> endedEarly = Optional.empty();

    /**
     * Drives nothing yet.
     *
     * @param lane decides
     * @param clock the lane's clock
     * @param settings how long a turn may take
     * @param reading reads stored sessions
     * @param agents has agents work
     * @param agent the lane's agent
     * @param senders those who wait for the answer
     * @param outlets say whether people can be reached now
     */
    TurnDriver(
            Deciding lane,
            LaneClock clock,
            Turns settings,
            LaneReading reading,
            LaneAgents agents,
            WorkingAgent agent,
            Senders senders,
            Outlets outlets) {
        this.lane = lane;
        this.clock = clock;
        this.settings = settings;
        this.reading = reading;
        this.agents = agents;
        this.agent = agent;
        this.senders = senders;
        this.outlets = outlets;
    }

    // ------------------------------------------------------------------ begin

    /** The claimed turn's agent begins; where what was said before cannot be read for now, its people are told first. */
    void begin() {
        if (!(lane.state().slot() instanceof TurnSlot.Starting starting)) {
            return;
        }
        TurnWork turn = starting.turn();
        if (agents.missing().mustTell(clock.lane(), turn.plan().session())) {
            lane.decide((state, attempt) -> Reporting.missingContext(state, turn, clock.moment()));
        }
        lane.afterwards(() -> start(turn));
    }

    private void start(TurnWork turn) {
        if (!lane.state().slot().equals(new TurnSlot.Starting(turn))) {
            return;
        }
        lane.load();
        SessionEntry entry = lane.state().lane().map(Lane::entry).orElseThrow();
        TurnPreparation.Prepared prepared = agents.preparation().prepare(turn.plan(), entry, clock.now());
        TurnWatch begun = TurnWatch.begun(settings, turn.plan().turn().startedAt(), clock.now());
        lane.become(lane.state().with(new TurnSlot.Working(turn.watched(begun))));
        endedEarly = Optional.empty();
        agent.begin(agents.runner().start(turn.plan(), prepared, this), beginShow(turn.plan()));
        watch(clock.now());
    }

    /** The turn ends as one that did not work. */
    void fail(TurnWork turn, TurnReason reason, String why) {
        lane.decide(
                (state, attempt) -> TurnEnding.failed(state, turn, reason, why, TokenUsage.NONE, 0, clock.moment()));
    }

    // ------------------------------------------------------------------ what is reported

    @Override
    public void report(RunId run, TurnReport report) {
        lane.postpone(() -> reported(run, report));
    }

    /** Hears a report; one of a run that does not work for the lane any more is left out. */
    private void reported(RunId run, TurnReport report) {
        Optional<TurnWork> working = working().filter(turn -> turn.plan().run().equals(run));
        if (working.isEmpty()) {
            return;
        }
        if (report instanceof TurnReport.LookDue) {
            look(working.get());
        } else if (report instanceof TurnReport.Begun) {
            lane.become(lane.state().working(working.get().begun(agent.begunAt())));
            handOnKept();
            endedEarly.ifPresent(end -> hear(working.get(), end));
        } else if (report instanceof TurnReport.NotBegun failed) {
            handOnKept();
            endedEarly.ifPresentOrElse(
                    end -> hear(working.get(), end), () -> fail(working.get(), TurnReason.AGENT, failed.why()));
        } else if (report instanceof TurnReport.Ended end && isBeginning()) {
            // The agent is free again only once its start has returned.
            endedEarly = Optional.of(end);
        } else if (report instanceof TurnReport.GraceOver) {
            lane.decide((state, attempt) ->
                    TurnEnding.timedOut(state, working.get(), settings.timeout(), TokenUsage.NONE, 0, clock.moment()));
        } else {
            hear(working.get(), report);
        }
    }

    private void hear(TurnWork before, TurnReport report) {
        show(before.plan().turn().id(), report);
        TurnWork heard = before.heard(clock.now()).begun(agent.begunAt());
        TurnWork turn = report instanceof TurnReport.Streamed ? heard.saying(clock.now()) : heard;
        lane.become(lane.state().working(turn));
        if (report instanceof TurnReport.Streamed said) {
            senders.streamed(turn.awaited(), turn.plan().turn().id(), said.delta());
        } else if (report instanceof TurnReport.Called called) {
            lane.decide((state, attempt) -> Reporting.called(state, turn, called, clock.moment()));
        } else if (report instanceof TurnReport.ToolAnswered answered) {
            lane.decide((state, attempt) -> Reporting.toolAnswered(state, turn, answered, clock.moment()));
        } else if (report instanceof TurnReport.Asked asked) {
            lane.decide((state, attempt) ->
                    Reporting.asked(state, turn, asked.question(), settings.timeout(), clock.moment()));
        } else {
            lane.decide((state, attempt) -> ended(state, turn, (TurnReport.Ended) report, attempt));
        }
    }

    /** Begins to show the turn, and returns what ends it. */
    private Runnable beginShow(TurnPlan plan) {
        TurnId id = plan.turn().id();
        outlets.shows().begin(id, clock.lane(), plan.source(), plan.answered(), plan.last(), plan.resumes());
        return () -> {
            untilBegun.clear();
            outlets.shows().end(id, false);
        };
    }

    private void show(TurnId id, TurnReport report) {
        TurnShows shows = outlets.shows();
        if (report instanceof TurnReport.Ended) {
            shows.end(id, report instanceof TurnReport.Answered);
        } else if (report instanceof TurnReport.Asked) {
            shows.waits(id, true);
        } else if (report instanceof TurnReport.Streamed said) {
            shows.said(id, said.delta());
        } else {
            if (report instanceof TurnReport.Called) {
                shows.begunAnew(id);
            }
            shows.waits(id, false);
        }
    }

    private LaneStep ended(LaneState state, TurnWork turn, TurnReport.Ended report, int attempt) {
        Duration timeout = settings.timeout();
        Moment moment = clock.moment();
        if (attempt > 1) {
            return TurnEnding.failed(
                    state, turn, TurnReason.STORAGE, CommandSteps.LOST_RACE, TokenUsage.NONE, 0, moment);
        }
        if (report instanceof TurnReport.Answered answered) {
            Optional<SessionId> continued = TurnEnding.continuation(state, turn, answered.answer());
            return TurnEnding.answered(
                    state,
                    turn,
                    answered.answer(),
                    continued.flatMap(id -> reading.session(turn.plan().session())),
                    timeout,
                    moment);
        }
        return report instanceof TurnReport.Failed failed
                ? TurnEnding.failed(state, turn, failed.failure(), timeout, moment)
                : TurnEnding.interrupted(state, turn, ((TurnReport.Interrupted) report).partial(), timeout, moment);
    }

    // ------------------------------------------------------------------ its time

    /** Sets the timer for what is due next of the running turn, which last did something at {@code lastActivity}. */
    private void watch(Instant lastActivity) {
        agent.stopTimer();
        working()
                .ifPresent(turn -> turn.watch()
                        .next(lastActivity)
                        .ifPresent(due -> agent.after(
                                Duration.between(clock.now(), due),
                                () -> report(turn.plan().run(), new TurnReport.LookDue()))));
    }

    private void look(TurnWork working) {
        TurnWork turn = working.at(clock.now());
        lane.become(lane.state().working(turn));
        lane.ask(
                UNSEEN,
                agent.looking(working()).orElse(() -> WorkingAgent.unseen(working())),
                WorkingAgent.unseen(working()),
                glance -> look(turn, glance));
    }

    private void look(TurnWork turn, Glance glance) {
        TurnWatch.Finding finding = turn.watch()
                .look(
                        clock.now(),
                        glance.lastActivity(),
                        glance.doing(),
                        turn.question().isPresent());
        if (finding instanceof TurnWatch.Finding.TimedOut) {
            interrupt(
                    turn.question().isPresent() ? Cause.UNANSWERED : Cause.TIMEOUT, "Execution timed out (inactivity)");
            agent.after(settings.grace(), () -> report(turn.plan().run(), new TurnReport.GraceOver()));
            return;
        }
        if (finding instanceof TurnWatch.Finding.Told told) {
            TurnWork next = turn.watched(told.after());
            lane.become(lane.state().working(next));
            if (!told.text().isEmpty() && isOfUseNow(turn)) {
                lane.decide((state, attempt) -> Reporting.told(state, next, told.text(), clock.moment()));
            }
        }
        watch(glance.lastActivity());
    }

    /** Returns whether something that is of use only now would reach the turn's people at once. */
    private boolean isOfUseNow(TurnWork turn) {
        SessionSource people = turn.plan().source();
        return outlets.connections().sender(people.platform()).isPresent()
                && !outlets.deliveries().isWaiting(people.platform(), people.chatId());
    }

    /** Asks the agent to end; returns false where none works. */
    boolean interrupt(Cause cause, String reason) {
        if (working().isEmpty() || !agent.isPresent()) {
            return false;
        }
        lane.become(lane.state().interrupted(cause));
        agent.interrupt(reason);
        return true;
    }

    /** The stop waits no longer: the turn ends without its agent. */
    void abandon() {
        working().ifPresent(turn -> lane.decide((state, attempt) -> TurnEnding.abandoned(state, turn, clock.moment())));
    }

    private void giveUp() {
        if (interrupt(Cause.TIMEOUT, "Execution timed out")) {
            working()
                    .ifPresent(
                            turn -> lane.decide((state, attempt) -> TurnEnding.givenUp(state, turn, clock.moment())));
        }
    }

    // ------------------------------------------------------------------ effects

    @Override
    public void interrupt(Effect.Interrupt effect) {
        agent.interrupt(effect.reason());
    }

    @Override
    public void supersede(Effect.Supersede effect) {
        agent.supersede(effect.reason());
    }

    @Override
    public void letGo(Effect.LetGo effect) {
        agent.letGo(effect.stored(), effect.spoilt());
    }

    @Override
    public void giveUpTurn(Effect.GiveUpTurn effect) {
        lane.afterwards(this::giveUp);
    }

    @Override
    public void steer(Effect.Steer effect) {
        if (isBeginning()) {
            untilBegun.add(effect);
        } else {
            handOn(effect);
        }
    }

    private boolean isBeginning() {
        return agent.running().filter(running -> !running.isBegun()).isPresent();
    }

    /** What people said while the agent had not begun is handed on now; an agent that never begins takes nothing. */
    private void handOnKept() {
        List<Effect.Steer> kept = List.copyOf(untilBegun);
        untilBegun.clear();
        kept.forEach(this::handOn);
    }

    private void handOn(Effect.Steer effect) {
        Inbound input = effect.input();
        String said = lane.state()
                .slot()
                .active()
                .map(turn -> turn.plan().said(input))
                .orElse(input.text());
        handOn(
                running -> running.steer(said),
                taken -> (state, attempt) -> Admitting.steered(state, input, taken, effect.told(), clock.moment()));
    }

    @Override
    public void clarify(Effect.Clarify effect) {
        String meant = Choices.meant(
                working().flatMap(TurnWork::question), effect.answer().text());
        handOn(
                running -> running.clarify(meant),
                taken -> (state, attempt) ->
                        Admitting.clarified(state, effect.answer(), taken, effect.stops(), clock.moment()));
    }

    @Override
    public void decide(Effect.Decide effect) {
        handOn(
                running -> running.decide(effect.decision()),
                taken -> (state, attempt) ->
                        Admitting.decided(state, effect.decision(), effect.by(), taken, clock.moment()));
    }

    /** Hands something to the working agent, and decides then on whether that has taken it; where none works, it has not. */
    private void handOn(Predicate<RunningAgent> what, Function<Boolean, Deciding.Decision> then) {
        lane.afterwards(() -> {
            Optional<RunningAgent> taking = working().isPresent() ? agent.running() : Optional.empty();
            if (taking.isEmpty()) {
                lane.decide(then.apply(false));
                return;
            }
            lane.ask(
                    "The running agent did not take what it was told.",
                    () -> what.test(taking.get()),
                    false,
                    taken -> lane.decide(then.apply(taken)));
        });
    }

    private Optional<TurnWork> working() {
        return lane.state().slot().working();
    }
}
