package dev.parley.application.lane;

import dev.parley.application.actor.Actor;
import dev.parley.application.actor.Timing;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.turn.TurnPlan;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One lane at work: the only thing of it that has a mailbox and a state that changes. Lives only as long as the lane is busy.
 *
 * <p>What comes in is a {@link LaneInput}, handled one at a time; what is to be done about it is decided by the lane's parts, of which
 * none knows another's business. {@link Intake} takes in what comes from chats and {@link Arrivals} decides about it, {@link
 * CommandRuns} has commands decide, {@link NextDriver} begins what a free lane does next, {@link TurnDriver} drives the running turn,
 * {@link SummaryDriver} a summary, {@link Orders} are what operators ask. Whose the lane is knows {@link Takeover}, what others stored for it
 * {@link PostedMessages}, what becomes of it where something fails {@link LaneFaults}. How a decision is committed and applied is {@link
 * DecidingActor}'s. Each of its {@link Effect}s happens in the part it belongs to.
 *
 * <p>There is no lock. Everything here is touched only by the lane's own tasks, one at a time; other threads post, hand in what agents
 * report, and read the state. A lane has a place among the running ones whenever something runs, and takes it before it asks whether
 * the gateway stops, so that a stop sees it or is seen; when nothing of a task is left to do and nothing runs, it has none.
 */
public final class LaneActor extends DecidingActor {
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
    private final Orders orders;
    private final NextDriver nexts;
    private final PostedMessages posted;
    private final LaneFaults faults;
    private final LaneClock clock;
    private final Inputs inputs = new Inputs();
    private final Effects effects = new Effects();

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
        super(
                services.host().actors(),
                key,
                services.reading(),
                services.calls(),
                services.outlets().deliveries(),
                hold,
                gone);
        LaneHost host = services.host();
        Timing timing = host.actors().timing();
        this.key = key;
        this.clock = new LaneClock(key, timing, host.zone());
        this.settings = host.settings();
        this.reading = services.reading();
        this.gateway = host.state();
        Outlets outlets = services.outlets();
        this.place = new LanePlace(key, gateway.places(), this::people);
        this.agent = new WorkingAgent(timing, settings.turns().grace());
        CommandRuns commands = new CommandRuns(
                clock,
                reading,
                services.commanding(),
                gateway,
                neighbours,
                agent,
                services.outlets().compressions());
        Arrivals arrivals =
                new Arrivals(clock, settings, reading, services.commanding(), gateway, outlets.turnedAway(), place);
        NextItem deciding = new NextItem(
                clock,
                settings,
                reading,
                services.commanding(),
                gateway,
                services.outlets().compressions());
        this.turns = new TurnDriver(this, clock, settings.turns(), reading, services.agents(), agent, senders, outlets);
        this.summaries =
                new SummaryDriver(this, clock, settings.turns().timeout(), services.agents(), agent, place, commands);
        this.outside = new OutsideEffects(
                key, outlets, gateway, neighbours, host.actors().events());
        this.nexts = new NextDriver(this, clock, reading, outlets, place, commands, deciding);
        this.takeover = new Takeover(this, hold, clock, reading, outlets, nexts, senders, host);
        this.faults = new LaneFaults(
                this, takeover, turns, summaries, clock, settings.turns(), reading, outlets, senders, agent);
        this.posted = new PostedMessages(this, takeover, arrivals, agent, reading, clock, commands);
        Acceptance acceptance = new Acceptance(this, senders, reading, faults);
        this.intake = new Intake(
                this,
                takeover,
                acceptance,
                new PostingElsewhere(this, takeover, acceptance, clock, host),
                arrivals,
                commands,
                agent,
                clock);
        this.orders = new Orders(this, takeover, commands, senders, turns, clock);
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

    /** Returns whether something waits and nothing runs; may lag behind. */
    public boolean waitsToBegin() {
        LaneState state = state();
        return state.slot().isFree() && !state.waiting().isEmpty();
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
                && (state().waiting().isEmpty() || gateway.standstill().isPresent() || isLeftToOthers());
    }

    /** A gateway that begins no turns, or has no place where another one has, keeps no lane for those who wait there: others answer them. */
    private boolean isLeftToOthers() {
        return takeover.isKept() && (gateway.isHeld() || (nexts.awaitsPlace() && takeover.hasRoomElsewhere()));
    }

    @Override
    protected void troubled(String why) {
        senders.refuseOffered(why);
        senders.delayed(why);
    }

    @Override
    protected void settled() {
        if (takeover.handsOver()) {
            post(nexts::resume);
            return;
        }
        boolean hasMore = nexts.isAnswering() && !state().waiting().isEmpty();
        if (state().slot().isFree() && !hasMore && !nexts.awaitsPlace()) {
            place.leave();
        }
        if (takeover.isToBeGivenBack()) {
            post(takeover::giveBack);
        }
    }

    @Override
    protected void faulted(Throwable failure) {
        faults.failed(failure);
    }

    // ------------------------------------------------------------------ the lane among several gateways

    @Override
    boolean isHere() {
        return takeover.isHere();
    }

    @Override
    public void laneTaken() {
        if (!takeover.isKept()) {
            return;
        }
        takeover.laneTaken();
        agent.supersede("The lane is worked on elsewhere");
        become(LaneState.UNKNOWN);
        forget();
        nexts.laneTaken();
        faults.laneTaken();
        senders.laneTaken(Takeover.ELSEWHERE);
    }

    @Override
    void runReplaced() {
        faults.freeWithoutAgent("Superseded");
    }

    @Override
    public void lookForPosted() {
        posted.look();
    }

    @Override
    void noticed(Inbound message) {
        posted.notice(message);
    }

    // ------------------------------------------------------------------ what comes in, and what is next

    /** Takes care of something, as a task of this actor. */
    public void handle(LaneInput input) {
        input.accept(inputs);
    }

    @Override
    public void next() {
        if (!state().slot().isFree() || nexts.isAnswering() || !isHere() || faults.endClaim()) {
            return;
        }
        if (gateway.awaitsRecovery(key)) {
            return;
        }
        load();
        faults.goesOn();
        nexts.begin();
    }

    /** Has each input taken care of by that part of the lane whose business it is. */
    private final class Inputs implements LaneInput.Visitor {
        @Override
        public void arrived(LaneInput.Arrived input) {
            intake.arrive(input);
        }

        @Override
        public void occurred(LaneInput.Occurred input) {
            intake.occur(input);
        }

        @Override
        public void ordered(LaneInput.Ordered input) {
            orders.follow(input);
        }

        @Override
        public void interrupted(LaneInput.Interrupted input) {
            orders.interrupt(input);
        }

        @Override
        public void withdrawn(LaneInput.Withdrawn input) {
            orders.withdraw(input);
        }

        @Override
        public void wake(LaneInput.Wake input) {
            next();
        }

        @Override
        public void refresh(LaneInput.Refresh input) {
            forget();
            next();
        }

        @Override
        public void resume(LaneInput.Resume input) {
            forget();
            nexts.resume();
        }

        @Override
        public void whileIdle(LaneInput.WhileIdle input) {
            if (!isHere()) {
                return;
            }
            load();
            if (state().slot().isFree() && state().waiting().isEmpty()) {
                forget();
                input.task().run();
            }
        }

        @Override
        public void posted(LaneInput.Posted input) {
            lookForPosted();
        }

        @Override
        public void lost(LaneInput.Lost input) {
            laneTaken();
        }

        @Override
        public void dismissed(LaneInput.Dismissed input) {
            senders.close(state().waiting().messages().stream().map(Inbound::id).toList(), Admitting.KEPT);
        }

        @Override
        public void bannered(LaneInput.Bannered input) {
            toBeTold()
                    .ifPresent(people ->
                            decide((state, attempt) -> Draining.banner(state, people, input.stop(), clock.moment())));
        }

        @Override
        public void cutOff(LaneInput.CutOff input) {
            decide((state, attempt) -> Draining.cutOff(state, input.stop(), attempt, clock.moment()));
        }

        @Override
        public void abandoned(LaneInput.Abandoned input) {
            summaries.abandon();
            turns.abandon();
        }
    }

    // ------------------------------------------------------------------ effects

    @Override
    void run(Effect effect) {
        effect.carryOut(effects);
    }

    /** What the lane itself goes on with, and where everything else that follows from a decision happens. */
    private final class Effects implements Effect.Parts, Effect.LaneVisitor {
        @Override
        public Effect.SendersVisitor senders() {
            return senders;
        }

        @Override
        public Effect.AgentVisitor agent() {
            return turns;
        }

        @Override
        public Effect.LaneVisitor lane() {
            return this;
        }

        @Override
        public Effect.OutwardVisitor outside() {
            return outside;
        }

        @Override
        public void begin(Effect.Begin effect) {
            faults.turnBegins();
            place.use();
            afterwards(turns::begin);
        }

        @Override
        public void summarise(Effect.Summarise effect) {
            summaries.begin(effect.wanted(), effect.command());
        }

        @Override
        public void deliverAnswer(Effect.DeliverAnswer effect) {
            nexts.answer(effect.message());
        }

        @Override
        public void tellQueued(Effect.TellQueued effect) {
            outside.tell(new Effect.Tell(
                    new GatewayEvent.Queued(key, reading.items(state()).size())));
        }

        @Override
        public void reload(Effect.Reload effect) {
            forget();
        }
    }
}
