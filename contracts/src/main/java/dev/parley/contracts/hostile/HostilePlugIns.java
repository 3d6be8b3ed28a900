package dev.parley.contracts.hostile;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.degrade.Fallback;
import dev.parley.application.degrade.Primary;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Journal;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.Meta;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.Timers;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.domain.key.AliasLookup;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Wraps plug-ins so that they misbehave as a {@link Mischief} says, at each of their calls and at each answer they give: an agent's
 * reports, a platform's messages, a timer's task. What goes well reaches the plug-in unchanged. Safe for concurrent use.
 */
public final class HostilePlugIns {
    /** What a gateway calls; what such a call returns of these misbehaves too. */
    private static final Set<Class<?>> CALLED = Set.of(
            Agent.class,
            AgentRun.class,
            Timers.Timer.class,
            Storage.class,
            Journal.class,
            Ledger.class,
            Lanes.class,
            Sessions.class,
            Transcripts.class,
            TranscriptSearch.class,
            TurnQueue.class,
            Meta.class,
            StorageMaintenance.class);

    /** What a gateway gives to plug-ins for their answers. */
    private static final Set<Class<?>> ANSWERED =
            Set.of(AgentEvents.class, Agent.SummaryListener.class, InboundListener.class, Runnable.class);

    private final Mischief mischief;
    private final Consumer<Runnable> later;
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private final Runnable hanging;

    /**
     * Makes wrappers whose late answers are never given.
     *
     * @param mischief says what goes wrong
     */
    public HostilePlugIns(Mischief mischief) {
        this(mischief, answer -> {});
    }

    /**
     * Makes wrappers.
     *
     * @param mischief says what goes wrong
     * @param later takes the answers that are late and runs each once, some time after it was given one
     */
    public HostilePlugIns(Mischief mischief, Consumer<Runnable> later) {
        this.mischief = mischief;
        this.later = later;
        hanging = this::untilReleased;
    }

    /**
     * Makes wrappers for tests that say themselves how long a call hangs, such as those that run on one thread.
     *
     * @param mischief says what goes wrong
     * @param later takes the answers that are late and runs each once, some time after it was given one
     * @param hanging is run by each call that hangs, on the thread of that call; the call throws once it returns
     */
    public HostilePlugIns(Mischief mischief, Consumer<Runnable> later, Runnable hanging) {
        this.mischief = mischief;
        this.later = later;
        this.hanging = hanging;
    }

    /** Returns a factory that misbehaves, as do its agents and their runs; so do reports and summaries of the agents. */
    public AgentFactory agents(AgentFactory factory) {
        return called(AgentFactory.class, factory);
    }

    /** Returns a platform that misbehaves, also where it hands in messages and says that it is connected. */
    public ChatPlatform platform(ChatPlatform platform) {
        return called(ChatPlatform.class, platform);
    }

    /** Returns hooks that misbehave. */
    public LifecycleHooks hooks(LifecycleHooks hooks) {
        return called(LifecycleHooks.class, hooks);
    }

    /** Returns a listener to the gateway that misbehaves. */
    public GatewayEvents events(GatewayEvents events) {
        return called(GatewayEvents.class, events);
    }

    /** Returns a listener to one answer that misbehaves. */
    public AnswerListener answers(AnswerListener listener) {
        return called(AnswerListener.class, listener);
    }

    /** Returns a command that misbehaves. */
    public ChatCommand command(ChatCommand command) {
        return called(ChatCommand.class, command);
    }

    /** Returns an authorization that misbehaves. */
    public Authorization authorization(Authorization authorization) {
        return called(Authorization.class, authorization);
    }

    /** Returns a look-up of aliases that misbehaves. */
    public AliasLookup aliases(AliasLookup aliases) {
        return called(AliasLookup.class, aliases);
    }

    /** Returns a look-up of background processes that misbehaves. */
    public ProcessActivity activity(ProcessActivity activity) {
        return called(ProcessActivity.class, activity);
    }

    /** Returns markers that misbehave. */
    public GatewayMarkers markers(GatewayMarkers markers) {
        return called(GatewayMarkers.class, markers);
    }

    /** Returns timers that misbehave; {@code Runnable.run} is a task that has become due. */
    public Timers timers(Timers timers) {
        return called(Timers.class, timers);
    }

    /** Returns a store each of whose parts misbehaves. */
    public Storage storage(Storage storage) {
        return called(Storage.class, storage);
    }

    /** Returns a primary storage that misbehaves where it is opened, as does each store that it opens. */
    public Primary primary(Primary primary) {
        return called(Primary.class, primary);
    }

    /** Returns a fallback that misbehaves where it is opened, as do its journal and its overlay. */
    public Fallback fallback(Fallback fallback) {
        return called(Fallback.class, fallback);
    }

    /** Returns every misdeed so far as a line such as {@code Agent.start THROW}, in order. */
    public List<String> done() {
        return List.copyOf(done);
    }

    /** Lets calls that hang return, by throwing; no call hangs from now on. */
    public void release() {
        released.countDown();
    }

    private <T> T called(Class<T> port, T real) {
        return port.cast(proxy(port, (method, arguments) -> spoil(port, real, method, arguments)));
    }

    private Object answered(Class<?> port, Object real) {
        return proxy(port, (method, arguments) -> answer(port, real, method, arguments));
    }

    private @Nullable Object spoil(Class<?> port, Object real, Method method, @Nullable Object[] arguments)
            throws Throwable {
        String call = port.getSimpleName() + "." + method.getName();
        Misdeed misdeed = drawn(call).orElse(null);
        if (misdeed == null) {
            return goingWell(real, method, arguments);
        }
        switch (misdeed) {
            case THROW -> throw failure(call, misdeed);
            case THROW_ERROR -> {
                note(call, misdeed);
                throw new NoSuchMethodError(call + " was told to fail as one of another release");
            }
            case THROW_AFTERWARDS -> {
                goingWell(real, method, arguments);
                throw failure(call, misdeed);
            }
            case RETURN_NULL -> {
                if (method.getReturnType().isPrimitive()) {
                    return goingWell(real, method, arguments);
                }
                note(call, misdeed);
                return null;
            }
            case TWICE -> {
                note(call, misdeed);
                goingWell(real, method, arguments);
                return goingWell(real, method, arguments);
            }
            case HANG -> {
                RuntimeException failure = failure(call, misdeed);
                hanging.run();
                throw failure;
            }
            default -> {
                return goingWell(real, method, arguments);
            }
        }
    }

    private void untilReleased() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private RuntimeException failure(String call, Misdeed misdeed) {
        note(call, misdeed);
        return new IllegalStateException(call + " was told to misbehave: " + misdeed);
    }

    private @Nullable Object answer(Class<?> port, Object real, Method method, @Nullable Object[] arguments)
            throws Throwable {
        String call = port.getSimpleName() + "." + method.getName();
        Misdeed misdeed = method.getReturnType() == void.class ? drawn(call).orElse(null) : null;
        if (misdeed == Misdeed.TWICE) {
            note(call, misdeed);
            invoke(real, method, arguments);
        } else if (misdeed == Misdeed.LATE) {
            note(call, misdeed);
            later.accept(() -> giveLate(real, method, arguments));
            return null;
        } else if (misdeed == Misdeed.ENDLESS && real instanceof AgentEvents events) {
            note(call, misdeed);
            talk(events::streamed);
        } else if (misdeed == Misdeed.ENDLESS && real instanceof Agent.SummaryListener summary) {
            note(call, misdeed);
            talk(summary::streamed);
        } else if (misdeed == Misdeed.HANG) {
            note(call, misdeed);
            return null;
        }
        return invoke(real, method, arguments);
    }

    private static void talk(Consumer<String> streamed) {
        String piece = "and so on ".repeat(1_000);
        IntStream.range(0, 1_000).forEach(unused -> streamed.accept(piece));
    }

    private static void giveLate(Object real, Method method, @Nullable Object[] arguments) {
        try {
            invoke(real, method, arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private Optional<Misdeed> drawn(String call) {
        return mischief.at(call).filter(misdeed -> misdeed != Misdeed.HANG || released.getCount() > 0);
    }

    private void note(String call, Misdeed misdeed) {
        done.add(call + " " + misdeed);
    }

    /** Calls the plug-in; what it is given for answers and what it returns to be called is wrapped in its turn. */
    private @Nullable Object goingWell(Object real, Method method, @Nullable Object[] arguments) throws Throwable {
        @Nullable Object[] given = arguments.clone();
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < given.length; i++) {
            Object argument = given[i];
            if (argument != null && ANSWERED.contains(types[i])) {
                given[i] = answered(types[i], argument);
            }
        }
        Object result = invoke(real, method, given);
        return result != null && CALLED.contains(method.getReturnType())
                ? wrapped(method.getReturnType(), result)
                : result;
    }

    private <T> T wrapped(Class<T> port, Object real) {
        return called(port, port.cast(real));
    }

    private static @Nullable Object invoke(Object real, Method method, @Nullable Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static <T> Object proxy(Class<T> port, Call call) {
        return Proxy.newProxyInstance(
                HostilePlugIns.class.getClassLoader(), new Class<?>[] {port}, (self, method, arguments) -> {
                    @Nullable Object[] given = arguments == null ? new Object[0] : arguments;
                    if (method.getDeclaringClass() == Object.class) {
                        return switch (method.getName()) {
                            case "equals" -> self == given[0];
                            case "hashCode" -> System.identityHashCode(self);
                            default -> "hostile " + port.getSimpleName();
                        };
                    }
                    return call.make(method, given);
                });
    }

    /** One call of a port. */
    @FunctionalInterface
    private interface Call {
        @Nullable
        Object make(Method method, @Nullable Object[] arguments) throws Throwable;
    }
}
