package dev.parley.testing;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.command.ChatCommand;
import dev.parley.application.commands.BuiltInCommands;
import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.replay.ScriptedAgents;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.ReplayCleaning;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A real gateway in a test: only its surroundings are made for looking at them. Its clock moves when the test says so, its tasks run on
 * the thread of the test, its platform keeps what was sent, and its store is in memory unless another is given. It can be stopped,
 * killed and started again on the same store.
 *
 * <pre>{@code
 * try (TestGateway gateway = TestGateway.answering(said -> said.toUpperCase())) {
 *     assertThat(gateway.ask("hello")).isEqualTo("HELLO");
 * }
 * }</pre>
 *
 * <p>Agents may report from threads of their own; everything here is called by one thread.
 */
public final class TestGateway implements AutoCloseable {
    /** When the clock begins unless set. */
    public static final Instant BEGIN = Instant.parse("2026-03-10T09:00:00Z");

    /** The platform that is there unless others are given. */
    public static final Platform PLATFORM = Platform.TELEGRAM;

    /** Somebody in a direct chat on {@link #PLATFORM}. */
    public static final SessionSource ALICE =
            SessionSource.builder(PLATFORM, "1").userId("1").userName("Alice").build();

    /** Somebody else, in a direct chat of their own on {@link #PLATFORM}. */
    public static final SessionSource BOB =
            SessionSource.builder(PLATFORM, "2").userId("2").userName("Bob").build();

    private static final Duration LONGEST_TURN = Duration.ofHours(1);
    private static final Duration LONGEST_STOP = Duration.ofMinutes(10);

    private final Builder given;
    private final VirtualClock clock;
    private final Storage storage;
    private final SeededIds ids;
    private final KeyRules rules;
    private final MemoryMarkers markers = new MemoryMarkers();
    private final RecordingEvents events = new RecordingEvents();
    private final RecordingHooks recordedHooks = new RecordingHooks();
    private final Map<Platform, RecordingPlatform> recording = new LinkedHashMap<>();
    private final ScriptedAgents scripted;
    private SerialExecutor tasks = new SerialExecutor();
    private PumpedExecutor executor = new PumpedExecutor(tasks);
    private VirtualTimers timers;
    private @Nullable Gateway running;
    private int messages;

    private TestGateway(Builder given) {
        this.given = given;
        clock = new VirtualClock(given.begin);
        storage = given.storage == null ? new MemoryStorage() : given.storage;
        ids = new SeededIds(given.seed);
        rules = new KeyRules(given.isolation, AliasLookup.NONE);
        timers = new VirtualTimers(clock, tasks);
        scripted = new ScriptedAgents(clock, timers);
        given.script.forEach(scripted::then);
        for (Platform name : given.recording) {
            recording.put(name, new RecordingPlatform(name));
        }
    }

    /** Starts a gateway whose agents do what a script says, in virtual time, and echo once it has ended. */
    public static TestGateway scripted(ScriptedTurn... turns) {
        return builder().script(turns).start();
    }

    /** Starts a gateway whose agents answer what a person said by a function, on the thread of the test. */
    public static TestGateway answering(UnaryOperator<String> answer) {
        return builder().answering(answer).start();
    }

    /** Starts a gateway with agents of one's own, which may work on threads of their own. */
    public static TestGateway with(AgentFactory agents) {
        return builder().agents(agents).start();
    }

    /** Begins with what {@link #scripted} has. */
    public static Builder builder() {
        return new Builder();
    }

    // ------------------------------------------------------------------ people

    /** {@link #say(SessionSource, String)} by {@link #ALICE}. */
    public Receipt say(String text) {
        return say(ALICE, text);
    }

    /** Hands in what a person says, does everything that can be done without time passing or other threads, and returns the receipt. */
    public Receipt say(SessionSource from, String text) {
        return say(message(from, text), AnswerListener.NONE);
    }

    /** Hands in a message as {@link #say(SessionSource, String)} does; {@code listener} is told what comes back. */
    public Receipt say(Received message, AnswerListener listener) {
        CompletableFuture<Receipt> receipt =
                gateway().receive(message, listener).toCompletableFuture();
        await("a receipt for a message", receipt::isDone);
        return receipt.join();
    }

    /** {@link #ask(SessionSource, String)} by {@link #ALICE}. */
    public String ask(String text) {
        return ask(ALICE, text);
    }

    /**
     * Hands in what a person says and returns what comes back: the answer, the agent's question where it asks one, the reply of a
     * command, or the notice of a turn that failed. Agents of a script, and a message that waits for a timer, get virtual time, an hour at
     * most; agents of one's own get real time, for as long as they report something every {@link Builder#patience}.
     *
     * @throws AssertionError where nothing comes back, saying why and what the chat was shown
     */
    public String ask(SessionSource from, String text) {
        HeardAnswer heard = new HeardAnswer();
        Receipt receipt = say(message(from, text), heard);
        if (!(receipt instanceof Receipt.Admitted)) {
            throw new AssertionError("The message was not taken: " + receipt);
        }
        Instant latest = clock.instant().plus(LONGEST_TURN);
        while (!heard.isOver() && passesToNextTimer(from, latest)) {
            settle();
        }
        if (!heard.isOver()) {
            await("an answer" + shown(from), heard::isOver);
        }
        return heard.text()
                .orElseThrow(() ->
                        new AssertionError("No answer came: " + heard.why().orElse("nobody said why") + shown(from)));
    }

    private Received message(SessionSource from, String text) {
        return new Received(from, text, List.of(), Optional.of("m" + ++messages));
    }

    /** Time passes where nothing else can bring an answer: agents of one's own that run are waited for instead. */
    private boolean passesToNextTimer(SessionSource from, Instant latest) {
        settle();
        if (given.agents != null && gateway().running().contains(lane(from))) {
            return false;
        }
        Optional<Instant> next = timers.next().filter(due -> !due.isAfter(latest));
        next.ifPresent(timers::advanceTo);
        return next.isPresent();
    }

    private String shown(SessionSource from) {
        List<String> troubles = events.of(GatewayEvent.Trouble.class).stream()
                .map(GatewayEvent.Trouble::toString)
                .toList();
        return "; the chat was shown " + seen(from)
                + (troubles.isEmpty() ? "" : ", and there was trouble: " + troubles);
    }

    /** {@link #seen(SessionSource)} by {@link #ALICE}. */
    public List<String> seen() {
        return seen(ALICE);
    }

    /** Returns the texts that people in a chat see, in order; nothing on platforms that are not recorded. */
    public List<String> seen(SessionSource chat) {
        RecordingPlatform platform = recording.get(chat.platform());
        return platform == null ? List.of() : platform.texts(chat.chatId());
    }

    // ------------------------------------------------------------------ time and life

    /** Lets time pass; everything due meanwhile happens at its own time. */
    public TestGateway pass(Duration time) {
        timers.advance(time);
        return this;
    }

    /** Does everything that can be done without time passing. */
    public TestGateway settle() {
        timers.runUntilIdle();
        return this;
    }

    /**
     * Does everything that can be done without time passing, until something holds that other threads bring about.
     *
     * @param what what is waited for, for the error
     * @throws AssertionError where nothing happened for {@link Builder#patience} and it does not hold
     */
    public void await(String what, Condition holds) {
        executor.look();
        settle();
        while (!holds.isTrue()) {
            if (!executor.await(given.patience)) {
                throw new AssertionError(
                        "Nothing happened for " + given.patience.toMillis() + " ms while waiting for " + what);
            }
            executor.look();
            settle();
        }
    }

    /** Something that holds or does not hold yet. */
    @FunctionalInterface
    public interface Condition {
        /** Returns whether it holds. */
        boolean isTrue();
    }

    /** Stops, for as long as it takes in virtual time, at most ten minutes. */
    public ExitStatus stop() {
        CompletableFuture<ExitStatus> exit = gateway().stop(StopMode.SHUTDOWN).toCompletableFuture();
        settle();
        if (!exit.isDone()) {
            pass(LONGEST_STOP);
        }
        await("the end of the gateway", exit::isDone);
        running = null;
        return exit.join();
    }

    /** Stops and starts again, on the same store. */
    public TestGateway restart() {
        stop();
        return begin();
    }

    /** The process dies, with everything that was not stored; another one starts on the same store. */
    public TestGateway crash() {
        tasks.discard();
        timers.discard();
        running = null;
        return begin();
    }

    private TestGateway begin() {
        tasks = new SerialExecutor();
        executor = new PumpedExecutor(tasks);
        timers = new VirtualTimers(clock, tasks);
        scripted.use(timers);
        Gateway made = Gateway.builder()
                .storage(storage)
                .agents(factory())
                .platforms(given.platforms)
                .platforms(List.copyOf(recording.values()))
                .commands(given.commands)
                .commands(BuiltInCommands.all())
                .clock(clock)
                .zone(given.zone)
                .timers(timers)
                .ids(ids)
                .executor(executor)
                .markers(markers)
                .events(events)
                .hooks(given.hooks == null ? recordedHooks : given.hooks)
                .authorization(given.authorization)
                .rules(rules)
                .settings(given.settings)
                .build();
        running = made;
        CompletableFuture<Void> started = made.start().toCompletableFuture();
        await("the start of the gateway", started::isDone);
        started.join();
        return this;
    }

    private AgentFactory factory() {
        if (given.agents != null) {
            return given.agents;
        }
        if (given.answer == null) {
            return scripted;
        }
        UnaryOperator<String> answer = given.answer;
        return new BlockingAgents(
                "answering",
                executor,
                clock,
                turn -> AgentAnswer.text(answer.apply(
                        ReplayCleaning.withoutNotes(turn.input().content().plainText()))),
                (history, focus) -> "A summary of " + history.size() + " messages.");
    }

    /** Stops the gateway where it runs, and closes the store. */
    @Override
    public void close() {
        try {
            if (running != null) {
                stop();
            }
        } finally {
            storage.close();
        }
    }

    // ------------------------------------------------------------------ what a test looks at

    /** Returns the gateway that runs now; another one after {@link #restart} and {@link #crash}. */
    public Gateway gateway() {
        if (running == null) {
            throw new IllegalStateException("The gateway was stopped; restart it instead of stopping it.");
        }
        return running;
    }

    /**
     * Asks the gateway something that waits for a lane, such as {@link Gateway#resetLane}, on another thread, while this one runs its
     * tasks.
     */
    public <T> T operate(Function<? super Gateway, T> request) {
        Gateway asked = gateway();
        CompletableFuture<T> answer = CompletableFuture.supplyAsync(() -> request.apply(asked));
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        // Over before the test's thread is woken, which would else look too early and wait for something else to
        // happen.
        CompletableFuture<T> unused = answer.whenComplete((value, failure) -> {
            over.complete(true);
            executor.execute(() -> {});
        });
        await("an operator's request", over::isDone);
        return answer.join();
    }

    /** Returns the store. */
    public Storage storage() {
        return storage;
    }

    /** Returns the clock; {@link #pass} moves it and does what is due. */
    public VirtualClock clock() {
        return clock;
    }

    /** Returns the agents of the script, to add turns and to look at what they were given; unused where others were given. */
    public ScriptedAgents agents() {
        return scripted;
    }

    /** {@link #platform(Platform)} for {@link #PLATFORM}. */
    public RecordingPlatform platform() {
        return platform(PLATFORM);
    }

    /** Returns a recorded platform: what was sent to it, and how it is made to fail. */
    public RecordingPlatform platform(Platform name) {
        RecordingPlatform platform = recording.get(name);
        if (platform == null) {
            throw new IllegalArgumentException(
                    "The platform " + name + " is not recorded; give it to the builder with recording(…).");
        }
        return platform;
    }

    /** Returns everything the gateway told of itself, over all its starts. */
    public RecordingEvents events() {
        return events;
    }

    /** Returns the calls of the hooks; none where other hooks were given. */
    public RecordingHooks hooks() {
        return recordedHooks;
    }

    /** Returns what outlives a process: whether it stopped cleanly, and whether turns are held back. */
    public MemoryMarkers markers() {
        return markers;
    }

    /** Returns the key of the lane that a message from there goes to. */
    public SessionKey lane(SessionSource source) {
        return rules.keyOf(source);
    }

    /** {@link #transcript(SessionSource)} of {@link #ALICE}. */
    public List<StoredMessage> transcript() {
        return transcript(ALICE);
    }

    /** Returns the stored conversation of the current session of a lane, in order; empty where the lane has none. */
    public List<StoredMessage> transcript(SessionSource source) {
        return storage.lanes()
                .find(lane(source))
                .map(Lane::entry)
                .map(entry -> storage.transcripts().load(entry.sessionId()))
                .orElse(List.of());
    }

    // ------------------------------------------------------------------ builder

    /** Collects what a gateway in a test has instead of the defaults. Not safe for concurrent use. */
    public static final class Builder {
        private final List<ChatPlatform> platforms = new ArrayList<>();
        private final List<Platform> recording = new ArrayList<>(List.of(PLATFORM));
        private final List<ChatCommand> commands = new ArrayList<>();
        private final List<ScriptedTurn> script = new ArrayList<>();
        private @Nullable AgentFactory agents;
        private @Nullable UnaryOperator<String> answer;
        private @Nullable Storage storage;
        private @Nullable LifecycleHooks hooks;
        private Authorization authorization = new Everybody();
        private GatewaySettings settings = GatewaySettings.DEFAULT;
        private Isolation isolation = Isolation.DEFAULT;
        private Instant begin = BEGIN;
        private ZoneId zone = ZoneOffset.UTC;
        private Duration patience = Duration.ofSeconds(30);
        private long seed = 7;

        private Builder() {}

        /** Adds turns to the script. */
        public Builder script(ScriptedTurn... turns) {
            script.addAll(List.of(turns));
            return this;
        }

        /** Answers what a person said, without notes, by a function instead of a script, on the thread of the test. */
        public Builder answering(UnaryOperator<String> value) {
            answer = value;
            return this;
        }

        /** Takes agents of one's own instead of a script. */
        public Builder agents(AgentFactory value) {
            agents = value;
            return this;
        }

        /** Takes another store; it is closed with the gateway, and stays open when the process dies. */
        public Builder storage(Storage value) {
            storage = value;
            return this;
        }

        /** Adds a platform of one's own. */
        public Builder platform(ChatPlatform value) {
            platforms.add(value);
            return this;
        }

        /** Records these platforms instead of {@link #PLATFORM}. */
        public Builder recording(Platform... names) {
            recording.clear();
            recording.addAll(List.of(names));
            return this;
        }

        /** Adds a command before the built-in ones. */
        public Builder command(ChatCommand value) {
            commands.add(value);
            return this;
        }

        /** Takes other hooks than the recorded ones. */
        public Builder hooks(LifecycleHooks value) {
            hooks = value;
            return this;
        }

        /** Sets who may talk and who is an admin; everybody is both unless set. */
        public Builder authorization(Authorization value) {
            authorization = value;
            return this;
        }

        /** Changes how the gateway behaves. */
        public Builder settings(UnaryOperator<GatewaySettings> change) {
            settings = change.apply(settings);
            return this;
        }

        /** Sets how lanes are told apart. */
        public Builder isolation(Isolation value) {
            isolation = value;
            return this;
        }

        /** Sets when the clock begins. */
        public Builder startingAt(Instant value) {
            begin = value;
            return this;
        }

        /** Sets the zone of the daily boundary; UTC unless set. */
        public Builder zone(ZoneId value) {
            zone = value;
            return this;
        }

        /** Sets how long in real time agents of one's own may stay silent while a test waits for them; 30 seconds unless set. */
        public Builder patience(Duration value) {
            patience = value;
            return this;
        }

        /** Sets the seed of ids and of other chance. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Starts the gateway. */
        public TestGateway start() {
            return new TestGateway(this).begin();
        }
    }

    /** Nobody is kept out of a test unless the test is about that. */
    private static final class Everybody implements Authorization {
        @Override
        public boolean mayTalk(SessionSource source) {
            return true;
        }

        @Override
        public boolean isAdmin(SessionSource source) {
            return true;
        }
    }
}
