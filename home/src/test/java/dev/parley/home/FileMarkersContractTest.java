package dev.parley.home;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayMarkers;
import dev.parley.contracts.port.GatewayMarkersContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The marker files keep the contract of markers. */
class FileMarkersContractTest implements GatewayMarkersContract {
    private static final String HOLD = ".drain_request.json";

    @TempDir
    Path home;

    @Override
    public GatewayMarkers open() {
        return new FileMarkers(new HomeDirectory(home));
    }

    @Test
    @DisplayName(
            "P7.49: a hold made before the machine started again is over; one that names no start, or is torn, holds")
    void aHoldEndsWithTheMachine() throws IOException {
        Path bootId = home.resolve("boot_id");
        Files.writeString(bootId, "b2\n");
        GatewayMarkers markers = new FileMarkers(new HomeDirectory(home), bootId);
        assertThat(markers.isHeld()).isFalse();
        for (String holds : List.of("", "{\"torn", "{}", "{\"epoch\":\"b2\"}", "[]", "{\"epoch\":7}")) {
            Files.writeString(home.resolve(HOLD), holds);
            assertThat(markers.isHeld()).as(holds).isTrue();
        }
        Files.writeString(home.resolve(HOLD), "{\"epoch\":\"b1\"}");
        assertThat(markers.isHeld()).isFalse();
        Files.delete(bootId);
        assertThat(markers.isHeld()).as("where the machine names no start").isTrue();
        Files.delete(home.resolve(HOLD));
        assertThat(markers.isHeld()).isFalse();
    }

    @Test
    void aHoldOfAnOperatorLastsUntilItIsTakenAway() throws IOException {
        Path bootId = home.resolve("boot_id");
        Files.writeString(bootId, "b1\n");
        GatewayMarkers markers = new FileMarkers(new HomeDirectory(home), bootId);

        assertThat(markers.hold(true)).isTrue();
        Files.writeString(bootId, "b2\n");
        assertThat(new FileMarkers(new HomeDirectory(home), bootId).isHeld())
                .as("after the machine was started again")
                .isTrue();
        assertThat(markers.hold(false)).isTrue();
        assertThat(markers.hold(false)).isTrue();
        assertThat(markers.isHeld()).isFalse();
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
