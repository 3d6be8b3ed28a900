package dev.parley.adapter.kit.flow;

import dev.parley.application.ability.Diagnosing.Ailment;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.StrippedFailure;
import dev.parley.domain.source.Platform;
import java.util.Optional;
import java.util.function.Consumer;

/** How a platform's connection stands: told to the gateway and to the operator once per change. Safe for concurrent use. */
public final class Connection {
    private final Platform platform;
    private final String server;
    private final InboundListener listener;
    private final Consumer<String> warnings;
    private boolean up;
    private Optional<Ailment> ailment = Optional.empty();

    /**
     * A connection that is not up yet.
     *
     * @param platform the platform
     * @param server who answers, at the beginning of a sentence, such as {@code The homeserver}
     * @param listener told whether the platform can send
     * @param warnings takes one line per change
     */
    public Connection(Platform platform, String server, InboundListener listener, Consumer<String> warnings) {
        this.platform = platform;
        this.server = server;
        this.listener = listener;
        this.warnings = warnings;
    }

    /** The server answers. */
    public void up() {
        boolean better;
        boolean connected;
        synchronized (this) {
            better = ailment.isPresent();
            ailment = Optional.empty();
            connected = !up;
            up = true;
        }
        if (better) {
            warnings.accept(server + " answers again.");
        }
        if (connected) {
            tellConnected();
        }
    }

    private void tellConnected() {
        try {
            listener.connected(platform);
        } catch (Throwable e) {
            // It is told again when the server has answered next.
            synchronized (this) {
                up = false;
            }
            throw e;
        }
    }

    /**
     * The server does not answer, or not as it should.
     *
     * @param what one line, without secrets
     * @param advice what the operator can do; empty where nothing but waiting helps
     * @param down whether nothing can be sent either
     */
    public void trouble(String what, String advice, boolean down) {
        boolean worse;
        boolean disconnected;
        synchronized (this) {
            worse = ailment.isEmpty();
            ailment = Optional.of(new Ailment(what, advice));
            disconnected = down && up;
            up = up && !down;
        }
        if (worse) {
            warnings.accept(what + "; trying again." + (advice.isEmpty() ? "" : " " + advice));
        }
        if (disconnected) {
            listener.disconnected(platform, what);
        }
    }

    /** Reading what the server says has failed, and is tried again; what was thrown is told as {@link StrippedFailure} says. */
    public void readingFailed(Throwable thrown) {
        trouble("Reading failed (" + StrippedFailure.line(thrown) + ")", "", false);
    }

    /** Returns what is wrong now. */
    public synchronized Optional<Ailment> ailment() {
        return ailment;
    }
}
