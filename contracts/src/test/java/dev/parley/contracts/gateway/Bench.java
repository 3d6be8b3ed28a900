package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.commands.BuiltInCommands;
import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.ScriptedActivity;
import dev.parley.application.replay.ScriptedAgents;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Attachment;
import dev.parley.testing.MemoryMarkers;
import dev.parley.testing.RecordingEvents;
import dev.parley.testing.RecordingHooks;
import dev.parley.testing.RecordingPlatform;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A gateway with virtual surroundings that outlive it: it can be started, stopped, killed and started again. */
final class Bench {
    static final Instant BEGIN = Instant.parse("2026-03-10T09:00:00Z");
    static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    static final Platform TELEGRAM = Platform.TELEGRAM;
    static final SessionSource ALICE =
            SessionSource.builder(TELEGRAM, "1").userId("1").userName("Alice").build();
    static final SessionSource BOB =
            SessionSource.builder(TELEGRAM, "2").userId("2").userName("Bob").build();
    static final SessionKey ALICES = SessionKey.of("agent:main:telegram:dm:1");
    static final SessionKey BOBS = SessionKey.of("agent:main:telegram:dm:2");

    final VirtualClock clock = new VirtualClock(BEGIN);
    final Storage memory;
    final SwitchableStorage storage;
    final MemoryMarkers markers = new MemoryMarkers();
    final ScriptedActivity activity = new ScriptedActivity();
    final RecordingPlatform telegram = new RecordingPlatform(TELEGRAM);
    final RecordingPlatform slack = new RecordingPlatform(Platform.SLACK);
    final RecordingEvents events = new RecordingEvents();
    final RecordingHooks hooks = new RecordingHooks();
    final ScriptedAgents agents;
    /** How far the gateway's clock is off. */
    Duration skew = Duration.ZERO;

    Isolation isolation = Isolation.DEFAULT;
    AliasLookup aliases = AliasLookup.NONE;
    UnaryOperator<ChatPlatform> dressed = UnaryOperator.identity();
    UnaryOperator<ChatPlatform> slackDressed = UnaryOperator.identity();
    UnaryOperator<LifecycleHooks> hooked = UnaryOperator.identity();
    UnaryOperator<GatewayEvents> heard = UnaryOperator.identity();
    UnaryOperator<Timers> timed = UnaryOperator.identity();
    UnaryOperator<Executor> executed = UnaryOperator.identity();
    UnaryOperator<GatewayMarkers> marked = UnaryOperator.identity();
    UnaryOperator<ProcessActivity> watched = UnaryOperator.identity();

    /** Commands before those that every gateway of the bench has. */
    final List<ChatCommand> commands = new ArrayList<>();

    /** What a process opens as its storage. */
    Function<Timers, Storage> opened;

    Authorization authorization = new Authorization() {
        @Override
        public boolean mayTalk(SessionSource source) {
            return true;
        }

        @Override
        public boolean isAdmin(SessionSource source) {
            return source.userId().filter("1"::equals).isPresent();
        }
    };
    /** Who makes the agents of the next start; the scripted ones unless set. */
    @Nullable
    AgentFactory factory;

    final SeededIds ids;
    private final Map<SessionId, String> names = new LinkedHashMap<>();
    private GatewaySettings settings = GatewaySettings.DEFAULT
            .turns(t -> t.withWarning(Duration.ZERO))
            .turns(t -> t.withProgress(Duration.ZERO))
            .busy(b -> b.withFollowUpWindow(Duration.ZERO));
    private SerialExecutor executor = new SerialExecutor();
    private VirtualTimers timers = new VirtualTimers(clock, executor);
    private int messages;
    private CompletableFuture<Void> started = new CompletableFuture<>();

    @Nullable
    Gateway gateway;

    Bench() {
        this(7);
    }

    Bench(long seed) {
        this(seed, new MemoryStorage());
    }

    /** A bench whose store is looked at through {@code memory}. */
    Bench(long seed, Storage memory) {
        this.memory = memory;
        storage = new SwitchableStorage(memory);
        ids = new SeededIds(seed);
        opened = unused -> storage;
        agents = new ScriptedAgents(clock, timers);
    }

    Bench with(UnaryOperator<GatewaySettings> change) {
        settings = change.apply(settings);
        return this;
    }

    Bench script(ScriptedTurn... turns) {
        for (ScriptedTurn turn : turns) {
            agents.then(turn);
        }
        return this;
    }

    BusyMode busyMode() {
        return settings.busy().mode();
    }

    KeyRules rules() {
        return new KeyRules(isolation, aliases);
    }

    Bench start() {
        executor = new SerialExecutor();
        timers = new VirtualTimers(clock, executor);
        agents.use(timers);
        Gateway made = Gateway.builder()
                .storage(opened.apply(timers))
                .agents(factory == null ? agents : factory)
                .platforms(List.of(dressed.apply(telegram), slackDressed.apply(slack)))
                .commands(commands)
                .commands(BuiltInCommands.all())
                .clock(() -> clock.instant().plus(skew))
                .zone(ZONE)
                .timers(timed.apply(timers))
                .ids(ids)
                .executor(executed.apply(executor))
                .markers(marked.apply(markers))
                .events(heard.apply(events))
                .activity(watched.apply(activity))
                .hooks(hooked.apply(hooks))
                .authorization(authorization)
                .rules(rules())
                .settings(settings)
                .build();
        gateway = made;
        started = made.start().toCompletableFuture();
        settle();
        return this;
    }

    /** Returns whether the gateway that was started last came up. */
    boolean isTakingMessages() {
        return started.isDone() && !started.isCompletedExceptionally();
    }

    /** Runs something later in the life of this process. */
    void later(Duration delay, Runnable task) {
        timers.after(delay, task);
    }

    /** The process dies now. */
    Bench crash() {
        executor.discard();
        timers.discard();
        executor = new SerialExecutor();
        timers = new VirtualTimers(clock, executor);
        gateway = null;
        return this;
    }

    CompletableFuture<ExitStatus> stop(StopMode mode) {
        CompletableFuture<ExitStatus> exit = running().stop(mode).toCompletableFuture();
        settle();
        return exit;
    }

    /** Stops, and waits for as long as it takes. */
    void halt(StopMode mode) {
        CompletableFuture<ExitStatus> exit = stop(mode);
        pass(Duration.ofMinutes(10));
        exit.join();
    }

    Gateway running() {
        Gateway now = gateway;
        if (now == null) {
            throw new IllegalStateException("The gateway is not running.");
        }
        return now;
    }

    Bench settle() {
        timers.runUntilIdle();
        return this;
    }

    Bench pass(Duration time) {
        timers.advance(time);
        return this;
    }

    Receipt say(SessionSource from, String text) {
        return say(from, text, "m" + ++messages);
    }

    Receipt say(SessionSource from, String text, String id) {
        return say(new Received(from, text, List.of(), Optional.of(id)), AnswerListener.NONE);
    }

    Receipt photo(SessionSource from, String caption) {
        return say(
                new Received(
                        from,
                        caption,
                        List.of(new Attachment(
                                Attachment.PHOTO,
                                "/media/p" + ++messages + ".jpg",
                                Optional.empty(),
                                Optional.empty())),
                        Optional.of("p" + messages)),
                AnswerListener.NONE);
    }

    Receipt say(Received message, AnswerListener listener) {
        CompletableFuture<Receipt> receipt =
                running().receive(message, listener).toCompletableFuture();
        settle();
        return receipt.join();
    }

    /** Hands messages in at once, before any of them is looked at. */
    List<CompletableFuture<Receipt>> rush(Consumer<List<CompletableFuture<Receipt>>> fill) {
        List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
        fill.accept(receipts);
        settle();
        return receipts;
    }

    /** Asks the gateway something that waits for the lane, from another thread. */
    boolean operate(Predicate<Gateway> asked) {
        CompletableFuture<Boolean> answer = CompletableFuture.supplyAsync(() -> asked.test(running()));
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!answer.isDone()) {
            assertThat(System.nanoTime()).as("answered within 60 seconds").isLessThan(until);
            settle();
            Thread.onSpinWait();
        }
        settle();
        return answer.join();
    }

    Lane lane(SessionKey key) {
        return memory.lanes().find(key).orElseThrow();
    }

    SessionEntry entry(SessionKey key) {
        return lane(key).entry();
    }

    /** The roles and texts of the conversation of a lane's current session. */
    List<String> transcript(SessionKey key) {
        return transcript(entry(key).sessionId());
    }

    List<String> transcript(SessionId session) {
        return memory.transcripts().load(session).stream()
                .map(StoredMessage::message)
                .map(m -> m.role().name() + ": "
                        + (m.content().isBlank() && m.toolCalls().isPresent()
                                ? "calls " + m.toolCalls().get().calls().get(0).name()
                                : m.content().plainText()))
                .toList();
    }

    /** What people in a chat see. */
    List<String> seen(SessionSource chat) {
        return (chat.platform().equals(TELEGRAM) ? telegram : slack).texts(chat.chatId());
    }

    /** The inputs of all turns of a lane, in order. */
    List<String> turns(SessionKey key) {
        return events.of(GatewayEvent.TurnStarted.class).stream()
                .filter(t -> t.lane().equals(key))
                .map(GatewayEvent.TurnStarted::input)
                .toList();
    }

    /** The notes of the last turn of a lane. */
    List<String> notes(SessionKey key) {
        List<GatewayEvent.TurnStarted> all = events.of(GatewayEvent.TurnStarted.class).stream()
                .filter(t -> t.lane().equals(key))
                .toList();
        return all.get(all.size() - 1).notes();
    }

    String alias(SessionId id) {
        return names.computeIfAbsent(id, i -> "S" + (names.size() + 1));
    }

    /** The decisions of a lane, in order: word and session. */
    List<String> decisions(SessionKey key) {
        return events.of(GatewayEvent.Decided.class).stream()
                .filter(d -> d.lane().equals(key))
                .map(d -> d.decision().text() + " " + alias(d.session()))
                .toList();
    }

    /** The transitions of a lane, in order: kind and reason. */
    List<String> transitions(SessionKey key) {
        return events.of(GatewayEvent.Transition.class).stream()
                .map(GatewayEvent.Transition::event)
                .filter(e -> e.lane().equals(key))
                .map(e -> e.kind().text() + " " + e.reason())
                .toList();
    }

    List<GatewayEvent.Trouble> trouble() {
        return events.of(GatewayEvent.Trouble.class);
    }

    static SessionSource inGroup(String chat, String user, String name) {
        return SessionSource.builder(TELEGRAM, chat)
                .chatType(ChatType.GROUP)
                .chatName("Group " + chat)
                .userId(user)
                .userName(name)
                .build();
    }

    static SessionSource inThread(String chat, String thread, String user, String name) {
        return inGroup(chat, user, name).toBuilder().threadId(thread).build();
    }
}
