package dev.parley.application.port;

import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/** A place where people talk: receives messages and sends answers. */
public interface ChatPlatform {
    /** Returns the platform's name. */
    Platform name();

    /** Returns what this platform can do. */
    Traits traits();

    /**
     * Begins to receive. Messages go to {@code listener} from any thread; the platform tells its own server that a message
     * was received only after {@link InboundListener#receive} has completed with an admission. The platform calls {@link
     * InboundListener#connected} as soon as it can send, within this call or later; nothing is sent before.
     *
     * <p>Where it throws anything but {@code InvalidRequest} nothing is left running, and it is called again later.
     *
     * @throws InvalidRequest where the platform cannot start as it is configured; it is not called again
     */
    void start(InboundListener listener);

    /**
     * Sends a message; returns once the platform has taken it. Called again with the same id where it is not known whether the
     * first try arrived.
     *
     * @throws DeliveryFailed where the platform did not take it
     */
    void send(Outgoing message);

    /**
     * Returns the platforms in whose names this one hands in messages beside its own: messages to such a platform are sent
     * through it where that platform has none of its own. Usually none.
     */
    default Set<Platform> bridges() {
        return Set.of();
    }

    /** Returns where a started platform can be reached, for display; absent where it has no address or is not started. */
    default Optional<URI> address() {
        return Optional.empty();
    }

    /** Stops receiving and sending; does nothing the second time. */
    void stop();

    /**
     * What a platform can do.
     *
     * @param mentionsNeedRawIds whether a person is mentioned by raw id, so that ids must not be redacted in prompts (X9.8)
     * @param personalDataSafe whether ids may be redacted in prompts (X9.8)
     * @param recognisesRepeats whether a message sent twice with one id is shown once
     */
    record Traits(boolean mentionsNeedRawIds, boolean personalDataSafe, boolean recognisesRepeats) {}
}
