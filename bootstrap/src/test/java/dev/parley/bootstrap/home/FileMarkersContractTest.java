package dev.parley.bootstrap.home;

import dev.parley.application.port.GatewayMarkers;
import dev.parley.contracts.port.GatewayMarkersContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** The marker files keep the contract of markers. */
class FileMarkersContractTest implements GatewayMarkersContract {
    @TempDir
    Path home;

    @Override
    public GatewayMarkers open() {
        return new FileMarkers(new HomeDirectory(home));
    }

    @Override
    public boolean damage() {
        try (Stream<Path> files = Files.list(home)) {
            for (Path file : files.toList()) {
                Files.writeString(file, "{\"torn");
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
