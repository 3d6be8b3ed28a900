package dev.parley.application.replay;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InboundListener;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.util.Optional;
import java.util.Set;

/**
 * A platform in one process of a replay: takes everything that is sent while it is connected. Used by one thread.
 *
 * <p>Ids stay as they are in prompts, and a message sent twice is shown twice, so that a replay shows it.
 */
final class ReplayPlatform implements ChatPlatform {
    private final Platform name;
    private final Set<Platform> disconnected;
    private Optional<InboundListener> listener = Optional.empty();

    /** A platform that is connected unless it is among {@code disconnected}, which may change. */
    ReplayPlatform(Platform name, Set<Platform> disconnected) {
        this.name = name;
        this.disconnected = disconnected;
    }

    @Override
    public Platform name() {
        return name;
    }

    @Override
    public Traits traits() {
        return new Traits(false, false, false);
    }

    @Override
    public void start(InboundListener inbound) {
        listener = Optional.of(inbound);
        connectionChanged();
    }

    /** Tells the gateway whether this platform is connected; does nothing where it is not started. */
    void connectionChanged() {
        listener.ifPresent(told -> {
            if (disconnected.contains(name)) {
                told.disconnected(name);
            } else {
                told.connected(name);
            }
        });
    }

    @Override
    public void send(Outgoing message) {
        if (listener.isEmpty() || disconnected.contains(name)) {
            throw new DeliveryFailed("The platform " + name + " is not connected; try again later.", false, null);
        }
    }

    @Override
    public void stop() {
        listener = Optional.empty();
    }
}
