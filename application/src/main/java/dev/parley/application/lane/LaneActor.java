package dev.parley.application.lane;

import dev.parley.application.actor.Actor;
import dev.parley.application.actor.ActorHost;
import dev.parley.application.actor.Timing;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandTable;
import dev.parley.application.command.LaneView;
import dev.parley.application.command.RunningTurn;
import dev.parley.application.lane.FollowUps.Item;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.turn.RunningAgent;
import dev.parley.application.turn.SummaryReport;
import dev.parley.application.turn.TurnPreparation;
import dev.parley.application.turn.TurnReport;
import dev.parley.application.turn.TurnSink;
import dev.parley.application.turn.TurnWatch;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.text.Spans;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One lane at work: the only thing of it that has a mailbox and a state that changes. Lives only as long as the lane is busy.
 *
 * <p>Whatever comes in goes one way: what is stored is read, a decider decides on it, the decision is committed, and then its effects
 * happen. Where the commit loses a race, the same is read and decided again, at most three times. A message's way is: {@link
 * Admitting} or {@link CommandSteps}, {@link Claiming}, {@link Reporting}, {@link Ending}.
 *
 * <p>There is no lock. Everything here is touched only by the lane's own tasks, one at a time. Other threads post, hand in what agents
 * report, and read {@link #state}, which is volatile and never changes itself. A lane has a place among the running ones whenever
 * something runs, and takes it before it asks whether the gateway stops, so that a stop sees it or is seen; when nothing of a task is
 * left to do and nothing runs, it has none.
 */
public final class LaneActor extends Actor implements TurnSink {
    private static final int ATTEMPTS = 3;
    private static final Duration CATCH_UP = Duration.ofSeconds(5);
    private static final String BROKEN = "Something went wrong inside the gateway. Please try again.";

    private final SessionKey key;
    private final Timing timing;
    private final ZoneId zone;
    private final GatewaySettings settings;
    private final LaneReading reading;
    private final Commanding commanding;
    private final LaneAgents agents;
    private final Outlets outlets;
    private final GatewayState gateway;
    private final Neighbours neighbours;
    private final Consumer<GatewayEvent> events;

    private volatile LaneState state = LaneState.UNKNOWN;
    private boolean loaded;
    private boolean unknown;
    private int faults;
    private Optional<OutgoingId> answering = Optional.empty();
    private final Map<InboundId, AnswerListener> listeners = new LinkedHashMap<>();
    private final Queue<CompletableFuture<Receipt>> offered = new ConcurrentLinkedQueue<>();
    private Optional<RunningAgent> agent = Optional.empty();
    private Optional<GatewayState.Ticket> place = Optional.empty();
    private Optional<CompletableFuture<Receipt>> receipt = Optional.empty();
    private Optional<CompletableFuture<Boolean>> order = Optional.empty();
    private Timers.@Nullable Timer watch;

    /**
     * Makes a lane's actor; it reads nothing yet.
     *
     * @param host what it runs on
     * @param key the lane
     * @param gone told that it has retired
     * @param zone the gateway's zone
     * @param settings how the gateway behaves
     * @param reading reads what it decides on
     * @param commanding recognises commands
     * @param agents has its agents work
     * @param outlets where its effects go
     * @param gateway the gateway it belongs to
     * @param neighbours the other lanes
     */
    public LaneActor(
            ActorHost host,
            SessionKey key,
            Consumer<? super Actor> gone,
            ZoneId zone,
            GatewaySettings settings,
            LaneReading reading,
            Commanding commanding,
            LaneAgents agents,
            Outlets outlets,
            GatewayState gateway,
            Neighbours neighbours) {
        super(host, Optional.of(key), gone);
        this.key = key;
        this.timing = host.timing();
        this.zone = zone;
        this.settings = settings;
        this.reading = reading;
        this.commanding = commanding;
        this.agents = agents;
        this.outlets = outlets;
        this.gateway = gateway;
        this.neighbours = neighbours;
        this.events = host.events()::on;
    }

    // ------------------------------------------------------------------ from any thread

    /**
     * Notes that a message is about to be handed over. One that the store's trouble overtakes is refused at once: whoever sent it does
     * not wait until the store is back.
     *
     * @return whether it may be handed over
     */
    public boolean offer(CompletableFuture<Receipt> arriving) {
        offered.add(arriving);
        trouble().ifPresent(this::troubled);
        return !arriving.isDone();
    }

    /** Returns where the people of the running turn are; absent while none runs. May lag behind. */
    public Optional<SessionSource> people() {
        return state.slot().planned().map(plan -> plan.source());
    }

    /** Returns where the people of the running turn are who are to be told of a stop; may lag behind. */
    public Optional<SessionSource> toBeTold() {
        return Draining.toBeTold(state, settings.delivery().muted());
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
        return state.slot().isFree()
                && !unknown
                && answering.isEmpty()
                && listeners.isEmpty()
                && (state.waiting().isEmpty() || gateway.stopping().isPresent() || gateway.isHeld());
    }

    @Override
    protected void troubled(String why) {
        offered.forEach(each -> each.complete(new Receipt.Unavailable(why)));
        offered.removeIf(CompletableFuture::isDone);
    }

    /** Nothing of a task is left to do: a lane on which nothing runs gives its place back. */
    @Override
    protected void settled() {
        boolean goesOn = answering.isPresent() && !state.waiting().isEmpty();
        if (state.slot().isFree() && !goesOn) {
            leavePlace();
        }
    }

    /** A task failed for good: what runs ends honestly, so that the lane goes on. */
    @Override
    protected void faulted(Throwable failure) {
        order.ifPresent(done -> done.complete(false));
        order = Optional.empty();
        receipt.ifPresent(each -> each.complete(new Receipt.Unavailable(BROKEN)));
        receipt = Optional.empty();
        faults++;
        LaneState before = state;
        TurnSlot slot = before.slot();
        loaded = false;
        if (faults > ATTEMPTS) {
            faults = 0;
            tell(
                    "The lane is given up until the next message or start; what it was asked stays in the queue.",
                    failure);
            freeWithoutAgent("Failed");
            state = LaneState.UNKNOWN;
            List.copyOf(listeners.keySet()).forEach(id -> close(id, BROKEN));
        } else if (slot instanceof TurnSlot.Claiming claiming) {
            state = before.with(TurnSlot.free());
            decide(attempt -> Claiming.giveUp(state, claiming.plan().parts(), BROKEN, "failed", moment()));
        } else if (slot.active().isPresent()) {
            TurnWork turn = slot.active().get();
            decide(attempt -> Ending.failed(state, turn, TurnReason.AGENT, BROKEN, TokenUsage.NONE, 0, moment()));
        } else if (slot instanceof TurnSlot.Summarising summarising) {
            freeWithoutAgent("Failed");
            finishSummary(summarising, new SummaryReport(summarising.command().id(), false, BROKEN));
        } else if (!slot.isFree()) {
            freeWithoutAgent("Failed");
            then(this::next);
        }
    }

    private void freeWithoutAgent(String reason) {
        List<InboundId> parts = state.slot()
                .planned()
                .map(plan -> plan.parts().stream().map(Inbound::id).toList())
                .orElse(List.of());
        state = state.with(TurnSlot.free());
        supersede(reason);
        parts.forEach(part -> close(part, "The turn was stopped."));
    }

    private Moment moment() {
        return new Moment(key, timing.now(), zone, timing.ids());
    }

    /** Reads what is stored of the lane, where it is not known. */
    private void load() {
        if (loaded) {
            return;
        }
        TurnSlot slot = state.slot();
        List<Inbound> taken = new ArrayList<>(slot.active().map(TurnWork::taken).orElse(List.of()));
        state = reading.load(key, state, taken);
        loaded = true;
    }

    // ------------------------------------------------------------------ decide, commit, apply

    /** Decides on what is known of the lane now. */
    @FunctionalInterface
    private interface Decider {
        /**
         * Returns the decision; {@code attempt} counts from 1, and after the last allowed one the decision is to be one that cannot lose.
         */
        LaneStep decide(int attempt);
    }

    private void decide(Decider decider) {
        decide(decider, 1);
    }

    private void decide(Decider decider, int attempt) {
        load();
        LaneStep step = decider.decide(attempt);
        if (step.store().isEmpty()) {
            apply(step);
            return;
        }
        LaneState before = state;
        state = step.during();
        commit(step.require(), step.store(), result -> {
            if (result instanceof CommitResult.Conflict conflict) {
                state = before;
                lost(step, conflict.failed(), () -> decide(decider, attempt + 1));
            } else {
                apply(step);
            }
        });
    }

    /** The race is lost: what is stored is read again, and the same is decided again where it is still of use. */
    private void lost(LaneStep step, Precondition failed, Runnable again) {
        loaded = false;
        boolean turnLost = failed instanceof Precondition.TurnClaimed;
        if (turnLost) {
            freeWithoutAgent("Superseded");
        }
        then(turnLost && step.ofTurn() ? this::next : again);
    }

    private void apply(LaneStep step) {
        state = step.after();
        for (Effect effect : step.then()) {
            try {
                run(effect);
            } catch (Throwable e) {
                tell("Something that follows from a decision failed.", e);
            }
        }
        then(this::next);
    }

    // ------------------------------------------------------------------ what comes in

    /** Takes care of something, as a task of this actor. */
    public void handle(LaneInput input) {
        if (input instanceof LaneInput.Arrived arrived) {
            arrive(arrived);
        } else if (input instanceof LaneInput.Reported reported) {
            reported(reported.run(), reported.report());
        } else if (input instanceof LaneInput.Summarised summary) {
            summaryThere(summary.report());
        } else if (input instanceof LaneInput.Ordered ordered) {
            carryOut(ordered);
        } else if (input instanceof LaneInput.Interrupted interrupted) {
            interrupt(interrupted.done());
        } else if (input instanceof LaneInput.CatchUp) {
            catchUp();
        } else if (input instanceof LaneInput.Resume) {
            loaded = false;
            decide(attempt -> Claiming.admitResume(state, moment()));
        } else if (input instanceof LaneInput.WhileIdle idle) {
            whileIdle(idle.task());
        } else if (input instanceof LaneInput.Dismissed) {
            dismiss();
        } else if (input instanceof LaneInput.Bannered bannered) {
            toBeTold()
                    .ifPresent(people -> decide(attempt -> Draining.banner(state, people, bannered.stop(), moment())));
        } else if (input instanceof LaneInput.CutOff cut) {
            decide(attempt -> Draining.cutOff(state, cut.stop(), moment()));
        } else if (input instanceof LaneInput.Abandoned) {
            abandon();
        } else {
            if (input instanceof LaneInput.Refresh) {
                loaded = false;
            }
            next();
        }
    }

    // ------------------------------------------------------------------ messages

    private void arrive(LaneInput.Arrived arrived) {
        offered.removeIf(each -> each == arrived.receipt());
        if (arrived.receipt().isDone()) {
            arrived.answer().closed("The message was not taken.");
            return;
        }
        receipt = Optional.of(arrived.receipt());
        try {
            arrive(arrived, 1);
        } catch (StorageUnavailable | StorageCorrupt e) {
            refuse(arrived, String.valueOf(e.getMessage()), e);
        } catch (Throwable e) {
            refuse(
                    arrived,
                    e instanceof ParleyException
                            ? String.valueOf(e.getMessage())
                            : "Something went wrong inside the gateway; try again.",
                    e);
            throw e;
        } finally {
            receipt = Optional.empty();
        }
    }

    /** Nobody was promised anything yet: where the store is unavailable the message is refused, not kept waiting. */
    private void arrive(LaneInput.Arrived arrived, int attempt) {
        load();
        LaneStep step = arrival(arrived.message(), attempt);
        if (step.store().isEmpty()) {
            listen(step, arrived.answer());
            apply(step);
            return;
        }
        List<Precondition> require = new ArrayList<>();
        boolean isStored = step.then().stream()
                .anyMatch(e -> e instanceof Effect.Receive r && r.receipt() instanceof Receipt.Admitted);
        if (isStored) {
            Admitting.named(arrived.message()).ifPresent(name -> require.add(new Precondition.NotReceived(name)));
        }
        require.addAll(step.require());
        CommitResult result = commitOnce(require, step.store());
        if (!(result instanceof CommitResult.Conflict conflict)) {
            listen(step, arrived.answer());
            apply(step);
        } else if (conflict.failed() instanceof Precondition.NotReceived known) {
            duplicate(known.message(), arrived);
        } else {
            loaded = false;
            arrive(arrived, attempt + 1);
        }
    }

    private LaneStep arrival(Received message, int attempt) {
        Optional<CommandTable.Typed> typed = commanding
                .read(message.text())
                .or(() -> BusyPolicy.approval(state, message).flatMap(commanding::read));
        if (typed.isPresent()
                && (typed.get().command().isPresent() || state.slot().isFree())) {
            return command(message, typed.get(), attempt);
        }
        Optional<PlatformMessage> name = Admitting.named(message);
        Optional<Stopping> stopping = gateway.stopping();
        if (stopping.isEmpty() && Admitting.needsPlace(state) && !takePlace()) {
            return isKnown(name)
                    .orElseGet(() -> Admitting.noPlace(
                            state,
                            message,
                            gateway.places(),
                            outlets.turnedAway().isTold(name),
                            moment()));
        }
        if (Admitting.isOneTooMany(state, message, settings.busy().maxPending())) {
            return isKnown(name)
                    .orElseGet(() -> Admitting.tooMany(
                            state, message, outlets.turnedAway().isTold(name), moment()));
        }
        boolean held = gateway.isHeld();
        Instant now = timing.now();
        return Admitting.admit(
                state,
                message,
                BusyPolicy.reaction(
                        state,
                        message,
                        stopping,
                        held,
                        glance(),
                        settings.busy(),
                        settings.turns().timeout(),
                        now),
                stopping,
                stopping.isPresent() || held,
                BusyPolicy.mayAcknowledge(state, stopping.isPresent() || held, settings.busy(), now),
                moment());
    }

    /** A message that is to be turned away and was received before is a repetition. */
    private Optional<LaneStep> isKnown(Optional<PlatformMessage> name) {
        return name.flatMap(reading::received)
                .map(before -> new LaneStep.Draft(state)
                        .then(new Effect.Receive(new Receipt.Duplicate(before.id(), before.lane())))
                        .then(new Effect.Close(
                                List.of(new InboundId(timing.ids().unique("in"))), "This message was received before."))
                        .done());
    }

    private LaneStep command(Received message, CommandTable.Typed typed, int attempt) {
        Inbound inbound = moment().inbound(
                        state.waiting(),
                        Inbound.Kind.COMMAND,
                        Inbound.State.DONE,
                        message.source(),
                        message.text(),
                        message.attachments(),
                        Admitting.named(message));
        CommandOutcome outcome = attempt > ATTEMPTS
                ? CommandOutcome.reply(CommandSteps.LOST_RACE)
                : commanding.decide(typed, context(message.source(), typed.arguments(), inbound));
        if (CommandSteps.runsSomething(outcome)
                && gateway.stopping().isEmpty()
                && Admitting.needsPlace(state)
                && !takePlace()) {
            Optional<PlatformMessage> name = Admitting.named(message);
            return isKnown(name)
                    .orElseGet(() -> Admitting.noPlace(
                            state,
                            message,
                            gateway.places(),
                            outlets.turnedAway().isTold(name),
                            moment()));
        }
        return CommandSteps.carryOut(state, outcome, inbound, CommandSteps.Origin.ARRIVED, waits(), moment());
    }

    /** Returns what people are told whose input does not run now; absent where it does. */
    private Optional<String> waits() {
        return gateway.stopping()
                .map(Stopping::queued)
                .or(() -> gateway.isHeld() ? Optional.of(BusyPolicy.HELD) : Optional.empty());
    }

    /** Whoever sent the message listens from now on to what its step tells of it. */
    private void listen(LaneStep step, AnswerListener answer) {
        if (answer == AnswerListener.NONE) {
            return;
        }
        for (Effect effect : step.then()) {
            if (effect instanceof Effect.Receive r && r.receipt() instanceof Receipt.Admitted admitted) {
                listeners.put(admitted.id(), answer);
                return;
            } else if (effect instanceof Effect.Close close && !close.to().isEmpty()) {
                listeners.put(close.to().get(0), answer);
                return;
            }
        }
    }

    private void refuse(LaneInput.Arrived arrived, String why, Throwable failure) {
        loaded = false;
        tell("A message could not be stored.", failure);
        arrived.receipt().complete(new Receipt.Unavailable(why));
        arrived.answer().closed(why);
        catchUpLater();
    }

    private void duplicate(PlatformMessage name, LaneInput.Arrived arrived) {
        Optional<Inbound> before = reading.received(name);
        arrived.receipt()
                .complete(
                        before.isPresent()
                                ? new Receipt.Duplicate(
                                        before.get().id(), before.get().lane())
                                : new Receipt.Unavailable(
                                        "The message seems to be known but cannot be found; try again."));
        arrived.answer().closed("This message was received before.");
        then(this::catchUp);
    }

    // ------------------------------------------------------------------ commands

    private LaneView view(Inbound command) {
        Waiting others = state.waiting().without(List.of(command));
        return new LaneView(
                key,
                state.lane(),
                shown(),
                state.slot().isSummarising(),
                reading.items(state.with(others)).size(),
                neighbours.runningBeside(key, command.source()));
    }

    private CommandContext context(SessionSource source, String arguments, Inbound command) {
        return commanding.context(view(command), source, arguments, command.attachments(), timing.now());
    }

    /** Returns the running turn as commands see it. */
    private Optional<RunningTurn> shown() {
        return state.slot()
                .active()
                .map(turn -> new RunningTurn(
                        turn.plan().turn().id(),
                        turn.plan().session(),
                        turn.plan().turn().startedAt(),
                        agent.isPresent(),
                        turn.question(),
                        agent.flatMap(RunningAgent::activity)));
    }

    /** A command that a crash cut off runs again. */
    private LaneStep commandAgain(Inbound command, int attempt) {
        if (!state.waiting().has(command)) {
            return LaneStep.none(state);
        }
        Optional<CommandTable.Typed> typed = commanding.read(command.text());
        CommandOutcome outcome = typed.isEmpty() || attempt > ATTEMPTS
                ? CommandOutcome.reply(CommandSteps.LOST_RACE)
                : commanding.decide(
                        typed.get(), context(command.source(), typed.get().arguments(), command));
        return CommandSteps.carryOut(state, outcome, command, CommandSteps.Origin.ADMITTED, waits(), moment());
    }

    private void carryOut(LaneInput.Ordered ordered) {
        order = Optional.of(ordered.done());
        decide(attempt -> {
            SessionSource source = state.lane()
                    .flatMap(l -> l.entry().origin())
                    .orElseGet(() ->
                            SessionSource.builder(Platform.LOCAL, "operator").build());
            Inbound nobody = moment().inbound(
                            state.waiting(),
                            Inbound.Kind.COMMAND,
                            Inbound.State.DONE,
                            source,
                            "",
                            List.of(),
                            Optional.empty());
            Optional<CommandOutcome> outcome = ordered.order().apply(context(source, "", nobody));
            return outcome.isEmpty() || attempt > ATTEMPTS
                    ? new LaneStep.Draft(state).then(new Effect.Answer(false)).done()
                    : CommandSteps.carryOut(
                            state, outcome.get(), nobody, CommandSteps.Origin.ORDERED, waits(), moment());
        });
    }

    // ------------------------------------------------------------------ the next turn

    /** Begins the next turn where the lane is free. */
    private void next() {
        if (!state.slot().isFree() || answering.isPresent()) {
            return;
        }
        load();
        if (state.waiting().isEmpty()) {
            return;
        }
        if (place.isEmpty()) {
            place = Optional.of(gateway.enter(key, this::people));
        }
        Item first = reading.items(state).get(0);
        if (gateway.stopping().isPresent() || (gateway.isHeld() && first.kind() != Inbound.Kind.RESUME)) {
            return;
        }
        decide(attempt -> next(attempt));
    }

    private LaneStep next(int attempt) {
        List<Item> items = reading.items(state);
        if (!state.slot().isFree() || items.isEmpty()) {
            return LaneStep.none(state);
        }
        Item item = items.get(0);
        if (item.kind() == Inbound.Kind.COMMAND) {
            return commandAgain(item.last(), attempt);
        }
        if (attempt > ATTEMPTS) {
            return Claiming.giveUp(state, item.parts(), CommandSteps.LOST_RACE, "lost three races", moment());
        }
        Optional<SessionSource> source = Claiming.source(state, item, settings.recovery(), timing.now());
        if (source.isEmpty()) {
            return Claiming.dropResume(state, item);
        }
        if (item.kind() != Inbound.Kind.RESUME
                && !state.compressed()
                && commanding.has(Claiming.COMPRESS)
                && reading.outgrows(key, state, source.get())) {
            return Claiming.compress(state, source.get(), moment());
        }
        return Claiming.claim(
                state,
                item,
                reading.facts(key, source.get(), state),
                reading.rules().isShared(source.get()),
                settings.turns(),
                moment());
    }

    /** Reserves a place where the lane has none; returns false where all are taken. */
    private boolean takePlace() {
        if (place.isEmpty()) {
            place = gateway.reserve(key, this::people);
        }
        return place.isPresent();
    }

    private void leavePlace() {
        Optional<GatewayState.Ticket> mine = place;
        place = Optional.empty();
        mine.ifPresent(GatewayState.Ticket::close);
    }

    // ------------------------------------------------------------------ the running turn

    /** The claimed turn's agent begins; where what was said before cannot be read for now, its people are told first. */
    private void begin() {
        Optional<TurnWork> turn =
                state.slot() instanceof TurnSlot.Starting starting ? Optional.of(starting.turn()) : Optional.empty();
        if (turn.isEmpty()) {
            return;
        }
        faults = 0;
        if (agents.missing().mustTell(key, turn.get().plan().session())) {
            decide(attempt -> Reporting.missingContext(state, turn.get(), moment()));
        }
        then(() -> start(turn.get()));
    }

    private void start(TurnWork turn) {
        if (!state.slot().equals(new TurnSlot.Starting(turn))) {
            return;
        }
        load();
        SessionEntry entry = state.lane().map(Lane::entry).orElseThrow();
        TurnPreparation.Prepared prepared = agents.preparation().prepare(turn.plan(), entry, timing.now());
        try {
            state = state.with(new TurnSlot.Working(turn.watched(
                    TurnWatch.begun(settings.turns(), turn.plan().turn().startedAt(), timing.now()))));
            agent = Optional.of(agents.runner().start(turn.plan(), prepared, this));
            watch();
        } catch (RuntimeException e) {
            tell("The agent could not begin.", e);
            String why = e instanceof ParleyException ? String.valueOf(e.getMessage()) : "The agent could not begin.";
            decide(attempt -> Ending.failed(state, turn, TurnReason.AGENT, why, TokenUsage.NONE, 0, moment()));
        }
    }

    private Optional<Glance> glance() {
        return agent.map(running -> new Glance(running.engagement(), lastActivity(), running.activity()));
    }

    private Instant lastActivity() {
        Instant reported = agent.map(RunningAgent::lastActivity).orElse(Instant.EPOCH);
        Instant heard = state.slot().active().map(TurnWork::lastEvent).orElse(Instant.EPOCH);
        return reported.isAfter(heard) ? reported : heard;
    }

    /** Sets the one timer for whatever is due next of the running turn. */
    private void watch() {
        stopWatching();
        state.slot()
                .working()
                .ifPresent(turn -> turn.watch()
                        .next(lastActivity())
                        .ifPresent(due -> watch = timing.after(
                                Duration.between(timing.now(), due),
                                () -> report(turn.plan().run(), new TurnReport.LookDue()))));
    }

    private void stopWatching() {
        if (watch != null) {
            watch.cancel();
            watch = null;
        }
    }

    private void reported(RunId run, TurnReport report) {
        Optional<TurnWork> working =
                state.slot().working().filter(turn -> turn.plan().run().equals(run));
        if (working.isEmpty()) {
            return;
        }
        TurnWork before = working.get();
        if (report instanceof TurnReport.LookDue) {
            look(before);
            return;
        }
        Duration timeout = settings.turns().timeout();
        if (report instanceof TurnReport.GraceOver) {
            decide(attempt -> Ending.timedOut(state, before, timeout, TokenUsage.NONE, 0, moment()));
            return;
        }
        TurnWork turn = before.heard(timing.now());
        state = state.working(turn);
        if (report instanceof TurnReport.Streamed said) {
            stream(turn, said.delta());
        } else if (report instanceof TurnReport.Called called) {
            decide(attempt -> Reporting.called(state, turn, called, moment()));
        } else if (report instanceof TurnReport.ToolAnswered answered) {
            decide(attempt -> Reporting.toolAnswered(state, turn, answered, moment()));
        } else if (report instanceof TurnReport.Asked asked) {
            decide(attempt -> Reporting.asked(state, turn, asked.question(), moment()));
        } else {
            decide(attempt -> ended(turn, (TurnReport.Ended) report, attempt));
        }
    }

    private LaneStep ended(TurnWork turn, TurnReport.Ended report, int attempt) {
        Duration timeout = settings.turns().timeout();
        if (attempt > 1) {
            return Ending.failed(state, turn, TurnReason.STORAGE, CommandSteps.LOST_RACE, TokenUsage.NONE, 0, moment());
        }
        if (report instanceof TurnReport.Answered answered) {
            Optional<SessionId> continued = Ending.continuation(state, turn, answered.answer());
            return Ending.answered(
                    state,
                    turn,
                    answered.answer(),
                    continued.flatMap(id -> reading.session(turn.plan().session())),
                    timeout,
                    moment());
        }
        return report instanceof TurnReport.Failed failed
                ? Ending.failed(state, turn, failed.failure(), timeout, moment())
                : Ending.interrupted(state, turn, ((TurnReport.Interrupted) report).partial(), timeout, moment());
    }

    private void stream(TurnWork turn, String delta) {
        turn.plan().parts().forEach(part -> {
            AnswerListener listener = listeners.get(part.id());
            if (listener != null) {
                listener.streamed(turn.plan().turn().id(), delta);
            }
        });
    }

    private void look(TurnWork turn) {
        TurnWatch.Finding finding =
                turn.watch().look(timing.now(), lastActivity(), agent.flatMap(RunningAgent::activity));
        if (finding instanceof TurnWatch.Finding.TimedOut) {
            interrupt(Cause.TIMEOUT, "Execution timed out (inactivity)");
            watch = timing.after(
                    settings.turns().grace(), () -> report(turn.plan().run(), new TurnReport.GraceOver()));
            return;
        }
        if (finding instanceof TurnWatch.Finding.Told told) {
            TurnWork next = turn.watched(told.after());
            state = state.working(next);
            if (!told.text().isEmpty() && isOfUseNow(turn)) {
                decide(attempt -> Reporting.told(state, next, told.text(), next, moment()));
            }
        }
        watch();
    }

    /** Returns whether something that is of use only now would reach the turn's people at once. */
    private boolean isOfUseNow(TurnWork turn) {
        SessionSource people = turn.plan().source();
        return outlets.connections().sender(people.platform()).isPresent()
                && !outlets.deliveries().isWaiting(people.platform(), people.chatId());
    }

    private boolean interrupt(Cause cause, String reason) {
        if (state.slot().working().isEmpty() || agent.isEmpty()) {
            return false;
        }
        state = state.interrupted(cause);
        agent.get().interrupt(reason);
        return true;
    }

    private void interrupt(CompletableFuture<Boolean> done) {
        done.complete(interrupt(Cause.OPERATOR, "Interrupted by the user"));
    }

    private void supersede(String reason) {
        stopWatching();
        Optional<RunningAgent> mine = agent;
        agent = Optional.empty();
        mine.ifPresent(running -> {
            running.supersede(reason);
            timing.after(settings.turns().grace(), () -> running.letGo(-1, true));
        });
    }

    private void letGo(int stored, boolean spoilt) {
        stopWatching();
        Optional<RunningAgent> mine = agent;
        agent = Optional.empty();
        mine.ifPresent(running -> running.letGo(stored, spoilt));
    }

    // ------------------------------------------------------------------ summaries

    private void summarise(CommandOutcome.Summarise wanted, Inbound command) {
        TurnSlot.Summarising slot = new TurnSlot.Summarising(command, wanted);
        state = state.with(slot);
        if (place.isEmpty()) {
            place = Optional.of(gateway.enter(key, this::people));
        }
        Duration limit = settings.turns().timeout();
        try {
            SessionEntry entry = state.lane().map(Lane::entry).orElseThrow();
            AgentSpec spec = new AgentSpec(
                    key,
                    entry.sessionId(),
                    command.source(),
                    agents.prompts().prompt(key, entry, command.source()),
                    entry.modelOverride());
            agent = Optional.of(agents.runner().summarise(spec, command.id(), wanted.history(), wanted.focus(), this));
        } catch (RuntimeException e) {
            tell("The agent could not summarise.", e);
            then(() -> summaryThere(new SummaryReport(command.id(), false, String.valueOf(e.getMessage()))));
            return;
        }
        if (!limit.isZero() && !limit.isNegative()) {
            watch = timing.after(limit, () -> post(() -> summaryTookTooLong(slot, limit)));
        }
    }

    private void summaryTookTooLong(TurnSlot.Summarising slot, Duration limit) {
        if (state.slot().equals(slot)) {
            supersede("Stop requested");
            summaryThere(new SummaryReport(
                    slot.command().id(), false, "the summary took longer than " + Spans.inWords(limit)));
        }
    }

    private void summaryThere(SummaryReport report) {
        if (state.slot() instanceof TurnSlot.Summarising slot
                && slot.command().id().equals(report.command())) {
            letGo(-1, false);
            finishSummary(slot, report);
        }
    }

    private void finishSummary(TurnSlot.Summarising slot, SummaryReport report) {
        state = state.with(TurnSlot.free());
        decide(attempt -> {
            if (!state.waiting().has(slot.command())) {
                return LaneStep.none(state);
            }
            CommandContext context = context(slot.command().source(), "", slot.command());
            CommandOutcome outcome = attempt > ATTEMPTS
                    ? CommandOutcome.reply(CommandSteps.LOST_RACE)
                    : (report.succeeded() ? slot.wanted().then() : slot.wanted().otherwise())
                            .apply(context, report.text());
            return CommandSteps.carryOut(
                    state, outcome, slot.command(), CommandSteps.Origin.ADMITTED, waits(), moment());
        });
    }

    // ------------------------------------------------------------------ around the lane

    /** The store did not answer, so something may be stored that is not known here: it is looked for once the store answers. */
    private void catchUpLater() {
        if (!unknown) {
            unknown = true;
            later(CATCH_UP, this::catchUp);
        }
    }

    private void catchUp() {
        if (!unknown) {
            return;
        }
        unknown = false;
        loaded = false;
        try {
            load();
            reading.undelivered(key).forEach(outlets.deliveries()::add);
        } catch (StorageUnavailable | StorageCorrupt e) {
            loaded = false;
            catchUpLater();
            return;
        }
        next();
    }

    private void whileIdle(Runnable task) {
        if (!state.slot().isFree() || !state.waiting().isEmpty()) {
            return;
        }
        loaded = false;
        task.run();
    }

    /** Whoever waits for the answer to a waiting message waits no longer. */
    private void dismiss() {
        state.waiting().messages().forEach(waiting -> close(waiting.id(), Admitting.KEPT));
    }

    private void abandon() {
        if (state.slot().isSummarising()) {
            state = state.with(TurnSlot.free());
            supersede("Stop requested");
        }
        state.slot().working().ifPresent(turn -> decide(attempt -> Ending.abandoned(state, turn, moment())));
    }

    // ------------------------------------------------------------------ effects

    private void close(InboundId to, String why) {
        Optional.ofNullable(listeners.remove(to)).ifPresent(listener -> listener.closed(why));
    }

    private void run(Effect effect) {
        if (!runForSenders(effect) && !runForAgent(effect)) {
            runBeyond(effect);
        }
    }

    private boolean runForSenders(Effect effect) {
        if (effect instanceof Effect.Receive received) {
            receipt.ifPresent(each -> each.complete(received.receipt()));
        } else if (effect instanceof Effect.Reply reply) {
            Optional.ofNullable(listeners.get(reply.to())).ifPresent(l -> l.replied(reply.reply()));
        } else if (effect instanceof Effect.Ask ask) {
            ask.to().forEach(to -> Optional.ofNullable(listeners.get(to)).ifPresent(l -> l.asked(ask.question())));
        } else if (effect instanceof Effect.Finish finish) {
            finish.to()
                    .forEach(to -> Optional.ofNullable(listeners.remove(to))
                            .ifPresent(l -> l.finished(finish.turn(), finish.text())));
        } else if (effect instanceof Effect.Close closed) {
            closed.to().forEach(to -> close(to, closed.why()));
        } else if (effect instanceof Effect.WaitFor other) {
            Optional.ofNullable(listeners.remove(other.from())).ifPresent(l -> listeners.put(other.to(), l));
        } else if (effect instanceof Effect.Answer answer) {
            order.ifPresent(done -> done.complete(answer.done()));
            order = Optional.empty();
        } else if (effect instanceof Effect.Remember remember) {
            outlets.turnedAway().tell(remember.message());
        } else {
            return false;
        }
        return true;
    }

    private boolean runForAgent(Effect effect) {
        if (effect instanceof Effect.Begin) {
            then(this::begin);
        } else if (effect instanceof Effect.Interrupt interrupt) {
            agent.ifPresent(running -> running.interrupt(interrupt.reason()));
        } else if (effect instanceof Effect.Supersede supersede) {
            supersede(supersede.reason());
        } else if (effect instanceof Effect.LetGo letGo) {
            letGo(letGo.stored(), letGo.spoilt());
        } else if (effect instanceof Effect.ReleaseAgent) {
            outlets.cache().release(key);
        } else if (effect instanceof Effect.CloseAgent) {
            outlets.cache().close(key);
        } else if (effect instanceof Effect.Steer steer) {
            String said = state.slot()
                    .active()
                    .map(turn -> turn.plan().said(steer.input()))
                    .orElse(steer.input().text());
            boolean taken = working() && agent.filter(a -> a.steer(said)).isPresent();
            then(() -> decide(attempt -> Admitting.steered(state, steer.input(), taken, steer.told(), moment())));
        } else if (effect instanceof Effect.Clarify clarify) {
            boolean taken = working()
                    && agent.filter(a -> a.clarify(clarify.answer().text())).isPresent();
            then(() -> decide(attempt -> Admitting.clarified(state, clarify.answer(), taken, moment())));
        } else if (effect instanceof Effect.Decide decided) {
            boolean taken =
                    working() && agent.filter(a -> a.decide(decided.decision())).isPresent();
            then(() -> decide(attempt -> Admitting.decided(state, decided.decision(), decided.by(), taken, moment())));
        } else if (effect instanceof Effect.Summarise summary) {
            summarise(summary.wanted(), summary.command());
        } else if (effect instanceof Effect.GiveUpTurn) {
            then(this::giveUpTurn);
        } else {
            return false;
        }
        return true;
    }

    private boolean working() {
        return state.slot().working().isPresent();
    }

    /** An answer was tried to be delivered, or will be later: the next turn does not wait for it. */
    private void answered(OutgoingId id) {
        if (answering.equals(Optional.of(id))) {
            answering = Optional.empty();
            next();
        }
    }

    private void giveUpTurn() {
        if (interrupt(Cause.TIMEOUT, "Execution timed out")) {
            state.slot().working().ifPresent(turn -> decide(attempt -> Ending.givenUp(state, turn, moment())));
        }
    }

    private void runBeyond(Effect effect) {
        if (effect instanceof Effect.Deliver deliver) {
            outlets.deliveries().add(deliver.message());
        } else if (effect instanceof Effect.DeliverAnswer answer) {
            OutgoingId id = answer.message().id();
            answering = Optional.of(id);
            outlets.deliveries().add(answer.message(), () -> post(() -> answered(id)));
        } else if (effect instanceof Effect.Tell told) {
            events.accept(told.event());
        } else if (effect instanceof Effect.TellQueued) {
            events.accept(new GatewayEvent.Queued(key, reading.items(state).size()));
        } else if (effect instanceof Effect.SessionFinalized over) {
            outlets.hooks()
                    .call(
                            key,
                            hooks -> hooks.sessionFinalized(
                                    key, over.session(), Optional.of(over.next()), over.reason()));
        } else if (effect instanceof Effect.SessionStarted started) {
            outlets.hooks().call(key, hooks -> hooks.sessionStarted(key, started.session()));
        } else if (effect instanceof Effect.SessionReset reset) {
            outlets.hooks().call(key, hooks -> hooks.sessionReset(key, reset.session()));
        } else if (effect instanceof Effect.Succeeded) {
            gateway.succeeded(key);
        } else if (effect instanceof Effect.StopBeside beside) {
            neighbours.runningBeside(key, beside.source()).forEach(other -> neighbours.stopFor(other, beside.source()));
        } else if (effect instanceof Effect.Restart) {
            gateway.restart();
        } else if (effect instanceof Effect.Reload) {
            loaded = false;
        }
    }
}
