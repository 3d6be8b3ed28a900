package dev.parley.application.lane;

import dev.parley.application.actor.Timing;
import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandTable;
import dev.parley.application.command.Stores;
import dev.parley.application.command.Surroundings;
import dev.parley.application.lane.FollowUps.Item;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.recovery.CutOff;
import dev.parley.application.settings.Chat;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneFacts;
import dev.parley.application.store.LaneReader;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.AppliedPolicy;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What deciders look up, as a table: a gateway, and a store of which nothing is read but what a test has put here. */
final class Lookups implements LaneReading, GatewayState, Places, Neighbours {
    private static final KeyRules RULES = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);

    Optional<Stopping> stopping = Optional.empty();
    boolean held;
    boolean full;
    boolean awaited;
    boolean outgrows;
    Optional<Inbound> before = Optional.empty();
    int reserved;

    /** A command of a test. */
    record Saying(String name, When when, Function<CommandContext, CommandOutcome> decides) implements ChatCommand {
        @Override
        public String usage() {
            return "/" + name;
        }

        @Override
        public String summary() {
            return "Says something.";
        }

        @Override
        public CommandOutcome run(CommandContext context) {
            return decides.apply(context);
        }
    }

    static NextItem next(Lookups lookups, ChatCommand... commands) {
        return new NextItem(
                clock(), GatewaySettings.DEFAULT, lookups, commanding(lookups, commands), lookups, new Compressions());
    }

    static Arrivals arrivals(Lookups lookups, GatewaySettings settings, TurnedAway told, ChatCommand... commands) {
        return new Arrivals(
                clock(),
                settings,
                lookups,
                commanding(lookups, commands),
                lookups,
                told,
                new LanePlace(Given.KEY, lookups, Optional::empty));
    }

    static CommandRuns commands(Lookups lookups, ChatCommand... commands) {
        return new CommandRuns(
                clock(),
                lookups,
                commanding(lookups, commands),
                lookups,
                lookups,
                new WorkingAgent(timing(), Duration.ofSeconds(1)),
                new Compressions());
    }

    static Commanding commanding(Lookups lookups, ChatCommand... commands) {
        return new Commanding(
                new CommandTable(List.of(), Optional.empty(), List.of(commands)),
                new Stores(
                        untouched(Storage.class),
                        new LaneReader(
                                untouched(Storage.class),
                                RULES,
                                ResetPolicies.of(ResetPolicy.DEFAULT),
                                untouched(ProcessActivity.class),
                                () -> Given.NOW,
                                ZoneOffset.UTC)),
                () -> new Surroundings(
                        ZoneOffset.UTC,
                        RULES,
                        Given.moment().ids(),
                        untouched(AgentFactory.class),
                        Chat.DEFAULT,
                        List.of(),
                        List.of(),
                        lookups.stopping.isPresent()),
                untouched(Authorization.class));
    }

    private static LaneClock clock() {
        return new LaneClock(Given.KEY, timing(), ZoneOffset.UTC);
    }

    private static Timing timing() {
        return new Timing(
                () -> Given.NOW,
                (delay, task) -> {
                    throw new AssertionError("A decider sets no timer.");
                },
                Given.moment().ids());
    }

    /** Returns something that fails where it is asked. */
    private static <T> T untouched(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, values) -> {
                    if (type == Storage.class && method.getParameterCount() == 0) {
                        return untouched(method.getReturnType());
                    }
                    throw new AssertionError("A decider asked " + method + ".");
                }));
    }

    private static AssertionError unread() {
        return new AssertionError("A decider reads nothing of this.");
    }

    // ------------------------------------------------------------------ the store

    @Override
    public KeyRules rules() {
        return RULES;
    }

    @Override
    public List<Item> items(LaneState state) {
        return FollowUps.items(state.waiting().messages(), FollowUps.Merging.ALL, RULES::participantOf);
    }

    @Override
    public LaneFacts facts(SessionKey key, SessionSource source, LaneState state, ProcessActivity processes) {
        return new LaneFacts(
                key,
                source,
                state.lane(),
                LaneFacts.Row.LIVE,
                Optional.empty(),
                Optional.empty(),
                new AppliedPolicy(ResetPolicy.DEFAULT, "session_reset"),
                Given.NOW,
                ZoneOffset.UTC,
                false,
                false);
    }

    @Override
    public boolean outgrows(
            SessionKey key, LaneState state, SessionSource source, long contextLength, ProcessActivity processes) {
        return outgrows;
    }

    @Override
    public Optional<Inbound> received(PlatformMessage name) {
        return before;
    }

    @Override
    public LaneState load(SessionKey key, LaneState known, List<Inbound> taken) {
        throw unread();
    }

    @Override
    public List<Instant> processes(SessionKey key) {
        throw unread();
    }

    @Override
    public long contextLength(SessionKey key, SessionEntry entry, SessionSource source) {
        throw unread();
    }

    @Override
    public Optional<Session> session(SessionId id) {
        throw unread();
    }

    @Override
    public boolean isClaimed(Turn turn) {
        throw unread();
    }

    @Override
    public List<Outgoing> undelivered() {
        throw unread();
    }

    @Override
    public List<Outgoing> undelivered(SessionKey key) {
        throw unread();
    }

    @Override
    public List<Inbound> posted(SessionKey key, LaneState state) {
        throw unread();
    }

    @Override
    public List<CutOff> cutOff(SessionKey key, Instant now) {
        throw unread();
    }

    @Override
    public Optional<Lane> stored(SessionKey key) {
        throw unread();
    }

    // ------------------------------------------------------------------ the gateway

    @Override
    public Optional<Stopping> stopping() {
        return stopping;
    }

    @Override
    public boolean isHeld() {
        return held;
    }

    @Override
    public boolean awaitsRecovery(SessionKey lane) {
        return false;
    }

    @Override
    public boolean isFull() {
        return full;
    }

    @Override
    public Optional<Ticket> reserve(SessionKey lane, Supplier<Optional<SessionSource>> people) {
        if (full) {
            return Optional.empty();
        }
        reserved++;
        return Optional.of(() -> reserved--);
    }

    @Override
    public Ticket enter(SessionKey lane, Supplier<Optional<SessionSource>> people) {
        throw unread();
    }

    @Override
    public Optional<Ticket> await(SessionKey lane, boolean resumes, Supplier<Optional<SessionSource>> people) {
        throw unread();
    }

    @Override
    public void withdraw(SessionKey lane) {
        throw unread();
    }

    @Override
    public boolean isAwaited() {
        return awaited;
    }

    @Override
    public boolean isAwaitedBy(SessionKey lane) {
        return awaited;
    }

    @Override
    public String shown() {
        return "2/2";
    }

    @Override
    public Places places() {
        return this;
    }

    @Override
    public void succeeded(SessionKey lane) {
        throw unread();
    }

    @Override
    public void restart() {
        throw unread();
    }

    @Override
    public List<SessionKey> runningBeside(SessionKey lane, SessionSource source) {
        return List.of();
    }

    @Override
    public void stopFor(SessionKey lane, SessionSource other) {
        throw unread();
    }
}
