package dev.parley.application.lane;

import dev.parley.application.actor.Actor;
import dev.parley.application.actor.Backoff;
import dev.parley.application.actor.Timing;
import dev.parley.application.command.CommandTable;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.turn.SummaryReport;
import dev.parley.application.turn.TurnPlan;
import dev.parley.application.turn.TurnReport;
import dev.parley.application.turn.TurnSink;
import dev.parley.application.turn.TurnWatch;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One lane at work: the only thing of it that has a mailbox and a state that changes. Lives only as long as the lane is busy.
 *
 * <p>What comes in is handled here, one input at a time; what is to be done about it is decided by its parts, of which none knows
 * another's business: {@link ArrivalDecider} for messages, {@link CommandDecider} for commands, {@link NextDecider} for what a free
 * lane does next, {@link TurnDriver} for the running turn, {@link SummaryDriver} for summaries. What comes from chats is taken by
 * {@link Intake}, whose the lane is knows {@link Takeover}. How a decision is committed and applied is {@link DecidingActor}'s. Its effects happen in {@link Senders}, the drivers, and {@link OutsideEffects}.
 *
 * <p>There is no lock. Everything here is touched only by the lane's own tasks, one at a time; other threads post, hand in what agents
 * report, and read the state. A lane has a place among the running ones whenever something runs, and takes it before it asks whether
 * the gateway stops, so that a stop sees it or is seen; when nothing of a task is left to do and nothing runs, it has none.
 */
public final class LaneActor extends DecidingActor implements TurnSink, Takeover.Work, Intake.Work {
    private static final Duration CATCH_UP = Duration.ofSeconds(5);
    private static final Backoff GIVEN_UP = new Backoff(CATCH_UP, 6);
    private static final String BROKEN = "Something went wrong inside the gateway. Please try again.";

    private final SessionKey key;
    private final LaneClock clock;
    private final GatewaySettings settings;
    private final LaneReading reading;
    private final Outlets outlets;
    private final GatewayState gateway;
    private final LanePlace place;
    private final Senders senders = new Senders();
    private final WorkingAgent agent;
    private final CommandDecider commands;
    private final ArrivalDecider arrivals;
    private final NextDecider nexts;
    private final TurnDriver turns;
    private final SummaryDriver summaries;
    private final OutsideEffects outside;

    private final Takeover takeover;
    private final Intake intake;
    private final AnswersElsewhere answers;

    private boolean unknown;
    private boolean waitsForMore;
    /** The message behind which the rest of a text was waited for. */
    private Optional<InboundId> waitedBehind = Optional.empty();

    private int faults;
    /** A turn that may be stored as claimed though nobody works on it. */
    private Optional<TurnPlan> unended = Optional.empty();
    /** How often in a row the lane was given up for a while. */
    private int givenUp;

    private Optional<OutgoingId> answering = Optional.empty();

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
        this.outlets = services.outlets();
        this.gateway = host.state();
        this.place = new LanePlace(key, gateway, this::people);
        this.agent = new WorkingAgent(timing, settings.turns().grace());
        this.commands = new CommandDecider(clock, reading, services.commanding(), gateway, neighbours, agent);
        this.arrivals = new ArrivalDecider(
                clock, settings, reading, services.commanding(), gateway, outlets.turnedAway(), place);
        this.nexts = new NextDecider(clock, settings, reading, services.commanding(), gateway);
        this.turns = new TurnDriver(
                this, this, clock, settings.turns(), reading, services.agents(), agent, senders, outlets);
        this.summaries = new SummaryDriver(
                this, this, clock, settings.turns().timeout(), services.agents(), agent, place, commands);
        this.outside = new OutsideEffects(
                key, outlets, gateway, neighbours, host.actors().events());
        this.takeover = new Takeover(this, this, hold, clock, reading, outlets, host);
        this.intake = new Intake(this, this, takeover, senders, arrivals, commands, agent, turns, reading, clock, host);
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
                && !unknown
                && unended.isEmpty()
                && givenUp == 0
                && answering.isEmpty()
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
            post(() -> decide((state, attempt) -> Claiming.admitResume(state, clock.moment())));
            return;
        }
        boolean hasMore = answering.isPresent() && !state().waiting().isEmpty();
        if (state().slot().isFree() && !hasMore) {
            place.leave();
        }
        if (takeover.isToBeGivenBack()) {
            post(takeover::giveBack);
        }
    }

    // ------------------------------------------------------------------ the lane among several gateways

    @Override
    boolean isHere() {
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
        turns.lost();
        agent.supersede("The lane is worked on elsewhere");
        become(LaneState.UNKNOWN);
        forget();
        answering = Optional.empty();
        unended = Optional.empty();
        unknown = false;
        senders.closeAll(Takeover.ELSEWHERE);
    }

    /** Resumes the lane where its people may still talk on a platform that is still there (P7.21). The last thing a step does. */
    @Override
    public void resume() {
        Optional<SessionSource> origin = reading.stored(key)
                .flatMap(lane -> lane.entry().origin())
                .filter(source -> outlets.connections().isConfigured(source.platform()));
        if (origin.isEmpty()) {
            return;
        }
        Authorization authorization = commands.commanding().authorization();
        if (!authorization.neverBlocks()) {
            ask(
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
            decide((state, attempt) -> Claiming.admitResume(state, clock.moment()));
        }
    }

    @Override
    public void posted() {
        if (takeover.mustPost() || takeover.hasNoPlace() || !isHere()) {
            return;
        }
        load();
        for (Inbound each : reading.posted(key, state())) {
            become(state().with(state().waiting().with(each)));
            noticed(each);
        }
        then(this::next);
    }

    @Override
    void noticed(Inbound posted) {
        then(() -> take(posted));
    }

    /** Has a posted message do to the running turn what it does: plug-ins are asked on another thread. */
    private void take(Inbound posted) {
        Optional<Inbound> command = arrivals.postedCommand(state(), posted);
        Optional<Supplier<Glance>> looking = agent.looking(state().slot().active());
        if (state().slot().isFree()) {
            return;
        }
        if (command.isPresent()) {
            runCommand(command.get());
        } else if (looking.isPresent()) {
            ask(
                    TurnDriver.UNSEEN,
                    looking.get(),
                    WorkingAgent.unseen(state().slot().active()),
                    glance -> decide((state, attempt) -> arrivals.posted(state, posted, Optional.of(glance))));
        } else {
            decide((state, attempt) -> arrivals.posted(state, posted, Optional.empty()));
        }
    }

    /** Has a command that waits in the queue decide; plug-ins, and the command itself, are asked on another thread. */
    @Override
    public void runCommand(Inbound command) {
        Optional<CommandTable.Typed> typed = commands.read(command);
        ask(
                CommandDecider.UNASKED,
                commands.asking(command.source()),
                CommandDecider.Asked.NOTHING,
                asked -> decideAsking(
                        CommandDecider.undecided(typed),
                        (state, attempt) -> commands.deciding(state, command, asked, attempt),
                        CommandDecider.givenUp(typed),
                        (state, outcome) -> commands.admitted(state, command, outcome)));
    }

    /** A task failed for good: what runs ends honestly, so that the lane goes on. What cannot even be ended now is ended later. */
    @Override
    protected void faulted(Throwable failure) {
        senders.fail(BROKEN);
        faults++;
        TurnSlot slot = state().slot();
        forget();
        if (faults > ATTEMPTS) {
            faults = 0;
            giveUpForNow(slot, failure);
        } else if (slot.active().isPresent()) {
            turns.fail(slot.active().get(), BROKEN);
        } else if (slot.planned().isPresent()) {
            unended = slot.planned();
            freeWithoutAgent("Failed");
            then(this::next);
        } else if (slot instanceof TurnSlot.Summarising summarising) {
            freeWithoutAgent("Failed");
            summaries.fail(summarising, BROKEN);
        } else {
            then(this::next);
        }
    }

    private void giveUpForNow(TurnSlot slot, Throwable failure) {
        unended = slot.planned().or(() -> unended);
        tell("The lane is given up for a while; what it was asked stays in the queue.", failure);
        freeWithoutAgent("Failed");
        become(LaneState.UNKNOWN);
        senders.closeAll(BROKEN);
        givenUp++;
        later(GIVEN_UP.pause(givenUp - 1, clock.timing().ids()), () -> {
            forget();
            next();
        });
    }

    /** A turn ends that may be stored as claimed though nobody works on it; the lane goes on once it is not. */
    private void end(TurnPlan plan) {
        load();
        if (endClaim(state(), plan).store().isEmpty()) {
            // Its end may have been stored though the store said otherwise: then its answer waits to be delivered.
            outlets.deliveries().addMissed(() -> reading.undelivered(key));
            unended = Optional.empty();
            then(this::next);
        } else {
            decide((state, attempt) -> endClaim(state, plan));
        }
    }

    /** A claim of which it is not known whether it was stored ends: its messages leave the queue, or its turn ends with them. */
    private LaneStep endClaim(LaneState state, TurnPlan plan) {
        if (Claiming.isUnclaimed(state, plan.parts())) {
            return Claiming.giveUp(state, plan.parts(), BROKEN, "failed", clock.moment());
        }
        if (!reading.isClaimed(plan.turn())) {
            return LaneStep.none(state);
        }
        TurnWork turn =
                TurnWork.of(plan, TurnWatch.begun(settings.turns(), plan.turn().startedAt(), clock.now()));
        return Ending.failed(state, turn, TurnReason.STORAGE, BROKEN, TokenUsage.NONE, 0, clock.moment());
    }

    @Override
    void turnLost() {
        freeWithoutAgent("Superseded");
    }

    private void freeWithoutAgent(String reason) {
        List<InboundId> awaited = state().slot().awaited();
        become(state().with(TurnSlot.free()));
        agent.supersede(reason);
        senders.close(awaited, "The turn was stopped.");
    }

    // ------------------------------------------------------------------ what comes in

    /** Takes care of something, as a task of this actor. */
    public void handle(LaneInput input) {
        if (input instanceof LaneInput.Lost) {
            lost();
        } else if (input instanceof LaneInput.Posted) {
            posted();
        } else if (input instanceof LaneInput.Arrived arrived) {
            intake.arrive(arrived);
        } else if (input instanceof LaneInput.Occurred occurred) {
            intake.occur(occurred);
        } else if (input instanceof LaneInput.Reported reported) {
            turns.reported(reported.run(), reported.report());
        } else if (input instanceof LaneInput.Summarised summary) {
            summaries.there(summary.report());
        } else if (input instanceof LaneInput.Wake) {
            next();
        } else if (input instanceof LaneInput.Refresh) {
            forget();
            next();
        } else if (input instanceof LaneInput.CatchUp) {
            catchUp();
        } else if (input instanceof LaneInput.Resume) {
            forget();
            resume();
        } else if (input instanceof LaneInput.Ordered order && !isHere()) {
            order.done().completeExceptionally(takeover.elsewhere());
        } else if (input instanceof LaneInput.Interrupted order && !isHere()) {
            order.done().completeExceptionally(takeover.elsewhere());
        } else if (input instanceof LaneInput.Withdrawn order && !isHere()) {
            order.done().completeExceptionally(takeover.elsewhere());
        } else if (input instanceof LaneInput.Withdrawn order) {
            senders.order(order.done());
            load();
            decide((state, attempt) -> Withdrawing.drop(state, order.message(), clock.moment()));
        } else if (input instanceof LaneInput.WhileIdle idle) {
            whileIdle(idle.task());
        } else if (input instanceof LaneInput.Ordered ordered) {
            senders.order(ordered.done());
            load();
            ask(
                    CommandDecider.UNASKED,
                    commands.asking(CommandDecider.ordering(state())),
                    CommandDecider.Asked.NOTHING,
                    asked -> decide((state, attempt) -> commands.ordered(state, ordered, asked, attempt)));
        } else if (input instanceof LaneInput.Interrupted interrupted) {
            interrupted.done().complete(turns.interrupt(Cause.OPERATOR, "Interrupted by the user"));
        } else {
            stop(input);
        }
    }

    /** What a stop of the gateway asks of a lane. */
    private void stop(LaneInput input) {
        if (input instanceof LaneInput.Dismissed) {
            senders.close(state().waiting().messages().stream().map(Inbound::id).toList(), Admitting.KEPT);
        } else if (input instanceof LaneInput.Bannered bannered) {
            toBeTold()
                    .ifPresent(people -> decide(
                            (state, attempt) -> Draining.banner(state, people, bannered.stop(), clock.moment())));
        } else if (input instanceof LaneInput.CutOff cut) {
            decide((state, attempt) -> Draining.cutOff(state, cut.stop(), clock.moment()));
        } else if (input instanceof LaneInput.Abandoned) {
            if (state().slot().isSummarising()) {
                become(state().with(TurnSlot.free()));
                agent.supersede("Stop requested");
            }
            turns.abandon();
        }
    }

    // ------------------------------------------------------------------ the lane itself

    @Override
    void next() {
        if (!state().slot().isFree() || answering.isPresent() || takeover.mustPost() || !isHere()) {
            return;
        }
        if (unended.isPresent()) {
            end(unended.get());
            return;
        }
        load();
        givenUp = 0;
        if (state().waiting().isEmpty()) {
            return;
        }
        place.enter();
        Inbound last = reading.items(state()).get(0).last();
        Optional<Duration> more = untilItIsWhole(last);
        if (more.isPresent()) {
            waitForMore(last, more.get());
            return;
        }
        if (!nexts.mayBegin(state())) {
            return;
        }
        Optional<Inbound> command = nexts.command(state());
        if (command.isPresent()) {
            runCommand(command.get());
        } else {
            ask(
                    NextDecider.UNASKED,
                    nexts.asking(state()),
                    NextDecider.Asked.NOTHING,
                    asked -> decide((state, attempt) -> nexts.decide(state, asked, attempt)));
        }
    }

    /**
     * Returns how much longer the rest is waited for of what a platform may have cut up, whatever the clock was set to meanwhile; absent
     * where nothing is missing.
     */
    private Optional<Duration> untilItIsWhole(Inbound last) {
        return last.kind() == Inbound.Kind.MESSAGE && !waitedBehind.equals(Optional.of(last.id()))
                ? outlets.connections()
                        .cutting(last.source().platform())
                        .flatMap(cut -> cut.rest(last))
                        .map(rest -> Collections.min(List.of(
                                rest,
                                Duration.between(clock.now(), last.receivedAt().plus(rest)))))
                        .filter(left -> left.compareTo(Duration.ZERO) > 0)
                : Optional.empty();
    }

    private void waitForMore(Inbound last, Duration left) {
        if (!waitsForMore) {
            waitsForMore = true;
            later(left, () -> {
                waitsForMore = false;
                waitedBehind = Optional.of(last.id());
                next();
            });
        }
    }

    /** The store did not answer, so something may be stored that is not known here: it is looked for once the store answers. */
    @Override
    public void catchUpLater() {
        if (!unknown) {
            unknown = true;
            later(CATCH_UP, this::catchUp);
        }
    }

    @Override
    public void catchUp() {
        if (!unknown) {
            return;
        }
        unknown = false;
        forget();
        try {
            if (!isHere()) {
                return;
            }
            load();
            outlets.deliveries().addMissed(() -> reading.undelivered(key));
        } catch (StorageUnavailable | StorageCorrupt e) {
            forget();
            catchUpLater();
            return;
        }
        next();
    }

    private void whileIdle(Runnable task) {
        if (state().slot().isFree() && state().waiting().isEmpty() && isHere()) {
            forget();
            task.run();
        }
    }

    // ------------------------------------------------------------------ effects

    @Override
    void run(Effect effect) {
        if (effect instanceof Effect.Begin) {
            faults = 0;
        }
        if (senders.run(effect) || turns.run(effect) || summaries.run(effect) || outside.run(effect)) {
            return;
        }
        if (effect instanceof Effect.DeliverAnswer answer) {
            OutgoingId id = answer.message().id();
            answering = Optional.of(id);
            outlets.deliveries().add(answer.message(), () -> post(() -> answered(id)));
        } else if (effect instanceof Effect.TellQueued) {
            outside.run(new Effect.Tell(
                    new GatewayEvent.Queued(key, reading.items(state()).size())));
        } else if (effect instanceof Effect.Reload) {
            forget();
        }
    }

    /** An answer was tried to be delivered, or will be later: the next turn does not wait for it. */
    private void answered(OutgoingId id) {
        if (answering.equals(Optional.of(id))) {
            answering = Optional.empty();
            next();
        }
    }
}
