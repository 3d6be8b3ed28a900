package dev.parley.application.guard;

import dev.parley.application.ability.Asking;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.Menus;
import dev.parley.application.ability.Previewing;
import dev.parley.application.ability.Reacting;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.ability.Typing;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A platform of which nobody need fear more than an exception, and only where it starts and sends. */
public final class GuardedPlatform implements ChatPlatform {
    /** What the gateway asks platforms for beside receiving and sending. */
    private static final List<Class<?>> ABILITIES = List.of(
            Asking.class,
            Diagnosing.class,
            Menus.class,
            Previewing.class,
            Reacting.class,
            SendingInParts.class,
            Typing.class);

    /** What is assumed of a platform that cannot say: nothing is hidden from prompts, and nothing is sent twice without need. */
    private static final Traits UNKNOWN = new Traits(true, false, false);

    private final ChatPlatform platform;
    private final Platform name;
    private final Set<Platform> bridges;
    private final boolean isShared;
    private final Map<Class<?>, Optional<?>> abilities = new HashMap<>();
    private final Guard guard;
    private volatile Optional<Traits> traits = Optional.empty();

    /**
     * Guards a platform; asks its name, whom it serves and what it can do once, so that no lane waits for that.
     *
     * @throws RuntimeException where it cannot say
     */
    public GuardedPlatform(ChatPlatform platform, Guard guard) {
        this.platform = platform;
        this.name = Guard.unchecked("A platform asked for its name", platform::name);
        this.bridges = Guard.unchecked("The platform " + name, platform::bridges);
        this.guard = guard;
        this.isShared = guard.get(
                Optional.empty(),
                "The platform " + name + " does not say whether it may be connected twice.",
                platform::isShared,
                false);
        ABILITIES.forEach(ability -> abilities.put(ability, asked(ability)));
        var unused = traits();
    }

    private <T> Optional<T> asked(Class<T> ability) {
        return guard.get(
                Optional.empty(),
                "The platform " + name + " does not say what it can.",
                () -> platform.as(ability),
                Optional.empty());
    }

    @Override
    public Platform name() {
        return name;
    }

    @Override
    public Traits traits() {
        if (traits.isEmpty()) {
            traits = guard.get(
                    Optional.empty(),
                    "The platform " + name + " does not say what it can.",
                    () -> Optional.of(platform.traits()),
                    Optional.empty());
        }
        return traits.orElse(UNKNOWN);
    }

    @Override
    public void start(InboundListener listener) {
        Guard.unchecked("The platform " + name, () -> platform.start(listener));
    }

    @Override
    public void send(Outgoing message) {
        Guard.unchecked("The platform " + name, () -> platform.send(message));
    }

    @Override
    public Set<Platform> bridges() {
        return bridges;
    }

    @Override
    public boolean isShared() {
        return isShared;
    }

    @Override
    public Optional<URI> address() {
        return guard.get(
                Optional.empty(),
                "The platform " + name + " does not say where it is.",
                platform::address,
                Optional.empty());
    }

    /** Returns the platform's own side; the caller guards its calls. */
    @Override
    public <T> Optional<T> as(Class<T> ability) {
        return abilities.getOrDefault(ability, Optional.empty()).map(ability::cast);
    }

    @Override
    public void stop() {
        guard.run(Optional.empty(), "The platform " + name + " did not stop.", platform::stop);
    }
}
