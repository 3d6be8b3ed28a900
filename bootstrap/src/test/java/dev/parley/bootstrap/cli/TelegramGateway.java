package dev.parley.bootstrap.cli;

import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.bootstrap.wiring.Closer;
import dev.parley.bootstrap.wiring.GatewayParts;
import dev.parley.bootstrap.wiring.GatewayWiring;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;

/** A gateway that runs on a home in this process, as the command {@code gateway} makes it. */
final class TelegramGateway implements AutoCloseable {
    private final Closer closer = new Closer();
    private final Gateway gateway;

    TelegramGateway(Path home, Map<String, String> environment) {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Workplace w = new Workplace(
                new Surroundings(
                        environment,
                        home,
                        InputStream.nullInputStream(),
                        nowhere,
                        nowhere,
                        InstantSource.system(),
                        ZoneOffset.UTC,
                        false),
                Optional.of(home),
                Optional.empty());
        try {
            closer.add(w.lock());
            gateway = GatewayWiring.assemble(new GatewayParts(
                            w.configuration(),
                            w.home(),
                            home,
                            w.providers(),
                            environment,
                            w.around().clock(),
                            false,
                            Optional.empty(),
                            closer,
                            warning -> {}))
                    .gateway();
            gateway.start().toCompletableFuture().join();
        } catch (RuntimeException e) {
            closer.close();
            throw e;
        }
    }

    @Override
    public void close() {
        gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().join();
        closer.close();
    }
}
