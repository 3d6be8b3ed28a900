package dev.parley.application.lane;

import dev.parley.application.actor.Actor;
import dev.parley.application.actor.Timing;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.turn.SummaryReport;
import dev.parley.application.turn.TurnPlan;
import dev.parley.application.turn.TurnReport;
import dev.parley.application.turn.TurnSink;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnReason;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One lane at work: the only thing of it that has a mailbox and a state that changes. Lives only as long as the lane is busy.
 *
 * <p>What comes in is handled one input at a time ({@link LaneInputs}); what is to be done about it is decided by its parts, of which
 * none knows another's business. {@link Intake} takes in what comes from chats and {@link ArrivalDecider} decides about it, {@link
 * CommandDecider} has commands decide, {@link NextDriver} begins what a free lane does next, {@link TurnDriver} drives the running turn,
 * {@link SummaryDriver} a summary. Whose the lane is knows {@link Takeover}, what others stored for it {@link PostedMessages}, what becomes
 * of it where something fails {@link LaneFaults}. How a decision is committed and applied is {@link DecidingActor}'s. Its effects happen
 * in {@link Senders}, the drivers, and {@link OutsideEffects}.
 *
 * <p>There is no lock. Everything here is touched only by the lane's own tasks, one at a time; other threads post, hand in what agents
 * report, and read the state. A lane has a place among the running ones whenever something runs, and takes it before it asks whether
 * the gateway stops, so that a stop sees it or is seen; when nothing of a task is left to do and nothing runs, it has none.
 */
public final class LaneActor extends DecidingActor
        implements TurnSink, Takeover.Work, Intake.Work, LaneFaults.Work, LaneInputs.Work {
    private final SessionKey key;
    private final GatewaySettings settings;
    private final LaneReading reading;
    private final GatewayState gateway;
    private final LanePlace place;
    private final Senders senders = new Senders();
    private final WorkingAgent agent;
    private final TurnDriver turns;
    private final SummaryDriver summaries;
    private final OutsideEffects outside;
    private final Takeover takeover;
    private final Intake intake;
    private final NextDriver nexts;
    private final PostedMessages posted;
    private final LaneFaults faults;
    private final LaneInputs inputs;
    private final LaneClock clock;
    private final AnswersElsewhere answers;

    /**
     * Makes a lane's actor; it reads nothing yet.
     *
     * @param services what the lanes have in common
     * @param key the lane
     * @param neighbours the other lanes
     * @param gone told that it has retired
     */
    public LaneActor(LaneServices services, SessionKey key, Neighbours neighbours, Consumer<? super Actor> gone) {
        this(services, key, neighbours, new LaneHold(key, services.host().nodes()), gone);
    }

    private LaneActor(
            LaneServices services, SessionKey key, Neighbours neighbours, LaneHold hold, Consumer<? super Actor> gone) {
        super(services.host().actors(), key, services.reading(), services.calls(), hold, gone);
        LaneHost host = services.host();
        Timing timing = host.actors().timing();
        this.key = key;
        this.clock = new LaneClock(key, timing, host.zone());
        this.settings = host.settings();
        this.answers = host.answers();
        this.reading = services.reading();
        this.gateway = host.state();
        Outlets outlets = services.outlets();
        this.place = new LanePlace(key, gateway, this::people);
        this.agent = new WorkingAgent(timing, settings.turns().grace());
        CommandDecider commands = new CommandDecider(clock, reading, services.commanding(), gateway, neighbours, agent);
        ArrivalDecider arrivals = new ArrivalDecider(
                clock, settings, reading, services.commanding(), gateway, outlets.turnedAway(), place);
        NextDecider deciding = new NextDecider(clock, settings, reading, services.commanding(), gateway);
        this.turns = new TurnDriver(
                this, this, clock, settings.turns(), reading, services.agents(), agent, senders, outlets);
        this.summaries = new SummaryDriver(
                this, this, clock, settings.turns().timeout(), services.agents(), agent, place, commands);
        this.outside = new OutsideEffects(
                key, outlets, gateway, neighbours, host.actors().events());
        this.takeover = new Takeover(this, this, hold, clock, reading, outlets, host);
        this.nexts = new NextDriver(this, clock, reading, outlets, place, commands, deciding, this::later, this::next);
        this.faults = new LaneFaults(this, this, clock, settings, reading, outlets, senders, agent, this::later);
        this.posted = new PostedMessages(this, takeover, arrivals, agent, reading, clock, nexts);
        this.intake = new Intake(this, this, takeover, senders, arrivals, commands, agent, turns, reading, clock, host);
        this.inputs = new LaneInputs(
                this, this, takeover, intake, turns, summaries, nexts, faults, commands, senders, agent, clock);
    }

    // ------------------------------------------------------------------ from any thread

    /**
     * Notes that a message is about to be handed over. While the actor waits for the store it is refused at once, so that its sender
     * does not wait as well.
     *
     * @return whether it may be handed over
     */
    public boolean offer(CompletableFuture<Receipt> arriving) {
        senders.offer(arriving);
        trouble().ifPresent(this::troubled);
        return !arriving.isDone();
    }

    /** Returns where the people of the running turn are; absent while none runs. May lag behind. */
    public Optional<SessionSource> people() {
        return state().slot().planned().map(TurnPlan::source);
    }

    /** Returns where the people of the running turn are who are to be told of a stop; may lag behind. */
    public Optional<SessionSource> toBeTold() {
        return Draining.toBeTold(state(), settings.delivery().muted());
    }

    /** Returns the greatest ordinal that is known of the lane's messages; may lag behind. */
    public long lastKnown() {
        return state().waiting().lastOrdinal();
    }

    @Override
    public void report(RunId run, TurnReport report) {
        post(() -> handle(new LaneInput.Reported(run, report)));
    }

    @Override
    public void summarised(SummaryReport report) {
        post(() -> handle(new LaneInput.Summarised(report)));
    }

    // ------------------------------------------------------------------ the actor

    @Override
    protected boolean isIdle() {
        return isAtRest() && !takeover.isKept();
    }

    @Override
    public boolean isAtRest() {
        return state().slot().isFree()
                && faults.areOver()
                && !nexts.isAnswering()
                && (!senders.isAnybodyListening() || isLeftToOthers())
                && (state().waiting().isEmpty() || gateway.stopping().isPresent() || gateway.isHeld());
    }

    /** A gateway that begins no turns keeps no lane for those who wait there: another one answers them. */
    private boolean isLeftToOthers() {
        return gateway.isHeld() && takeover.isKept();
    }

    @Override
    protected void troubled(String why) {
        senders.refuseOffered(why);
        senders.delayed(why);
    }

    @Override
    protected void settled() {
        if (takeover.handsOver()) {
            post(nexts::admitResume);
            return;
        }
        boolean hasMore = nexts.isAnswering() && !state().waiting().isEmpty();
        if (state().slot().isFree() && !hasMore) {
            place.leave();
        }
        if (takeover.isToBeGivenBack()) {
            post(takeover::giveBack);
        }
    }

    // ------------------------------------------------------------------ the lane among several gateways

    @Override
    public boolean isHere() {
        return takeover.isHere();
    }

    @Override
    public void lost() {
        if (takeover.isKept()) {
            dropped();
            senders.fail(Takeover.ELSEWHERE);
        }
    }

    @Override
    public void givenBack() {
        senders.handOver(answers);
    }

    @Override
    public void dropped() {
        takeover.letGo();
        agent.supersede("The lane is worked on elsewhere");
        become(LaneState.UNKNOWN);
        forget();
        nexts.dropAnswer();
        faults.drop();
        senders.closeAll(Takeover.ELSEWHERE);
    }

    @Override
    public void resume() {
        nexts.resume();
    }

    @Override
    public void posted() {
        posted.look(this::next);
    }

    @Override
    void noticed(Inbound message) {
        posted.notice(message);
    }

    // ------------------------------------------------------------------ what comes in, and what is next

    /** Takes care of something, as a task of this actor. */
    public void handle(LaneInput input) {
        inputs.handle(input);
    }

    @Override
    public void next() {
        if (!state().slot().isFree() || nexts.isAnswering() || takeover.mustPost() || !isHere() || faults.endClaim()) {
            return;
        }
        if (gateway.awaitsRecovery(key)) {
            return;
        }
        load();
        faults.goesOn();
        nexts.begin();
    }

    @Override
    public void runCommand(Inbound command) {
        nexts.runCommand(command);
    }

    @Override
    public void banner(Stopping stop) {
        toBeTold()
                .ifPresent(people -> decide((state, attempt) -> Draining.banner(state, people, stop, clock.moment())));
    }

    // ------------------------------------------------------------------ what goes wrong

    @Override
    protected void faulted(Throwable failure) {
        faults.failed(failure);
    }

    @Override
    public void fail(TurnWork turn, String why) {
        turns.fail(turn, TurnReason.STORAGE, why);
    }

    @Override
    public void fail(TurnSlot.Summarising summary, String why) {
        summaries.fail(summary, why);
    }

    @Override
    void turnLost() {
        faults.freeWithoutAgent("Superseded");
    }

    @Override
    public void catchUpLater() {
        faults.catchUpLater();
    }

    @Override
    public void catchUp() {
        faults.catchUp();
    }

    // ------------------------------------------------------------------ effects

    @Override
    void run(Effect effect) {
        if (effect instanceof Effect.Begin) {
            faults.turnBegins();
        }
        if (senders.run(effect) || turns.run(effect) || summaries.run(effect) || outside.run(effect)) {
            return;
        }
        if (effect instanceof Effect.DeliverAnswer answer) {
            nexts.answer(answer.message());
        } else if (effect instanceof Effect.TellQueued) {
            outside.run(new Effect.Tell(
                    new GatewayEvent.Queued(key, reading.items(state()).size())));
        } else if (effect instanceof Effect.Reload) {
            forget();
        }
    }
}
