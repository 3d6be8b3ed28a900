package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.InvalidRequest;
import dev.parley.home.GatewayLock;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Finds the gateway that runs on a home and listens over HTTP. */
final class RunningGateway {
    private RunningGateway() {}

    /**
     * Returns a client of the gateway that holds the home; absent where none does, or where it does not listen. A killed gateway
     * leaves its address behind, and a stranger that listens there now must not see the operator's token: so an address is only believed
     * when it was written after the home was taken last.
     *
     * @param executor runs what waits for the gateway
     */
    static Optional<GatewayClient> on(HomeDirectory home, Executor executor) {
        if (!home.exists() || !GatewayLock.isHeld(home) || !isOfHolder(home, GatewayClient.addressFile(home.path()))) {
            return Optional.empty();
        }
        return GatewayClient.of(home.path(), executor);
    }

    /** Returns what is said where a command needs a gateway and none can be asked. */
    static InvalidRequest missing(HomeDirectory home) {
        return new InvalidRequest("No gateway runs on the home " + home.path()
                + " and listens over HTTP; start one with `parley gateway`.");
    }

    private static boolean isOfHolder(HomeDirectory home, Path address) {
        Optional<Instant> taken = GatewayLock.takenAt(home);
        try {
            return taken.isPresent()
                    && !Files.getLastModifiedTime(address).toInstant().isBefore(taken.get());
        } catch (IOException e) {
            return false;
        }
    }
}
