package dev.parley.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One live gateway for each home. */
class GatewayLockTest {
    @TempDir
    Path folder;

    private HomeDirectory home;

    @BeforeEach
    void open() {
        home = new HomeDirectory(folder);
    }

    @Test
    void aHomeIsHeldFromTakingToLettingGo() {
        assertThat(GatewayLock.isHeld(home)).isFalse();
        try (GatewayLock lock = GatewayLock.take(home)) {
            assertThat(lock).isNotNull();
            assertThat(GatewayLock.isHeld(home)).isTrue();
            assertThat(GatewayLock.owner(home)).hasValue(ProcessHandle.current().pid());
            assertThat(GatewayLock.tryTake(home)).isEmpty();
            assertThatThrownBy(() -> GatewayLock.take(home))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
        }
        assertThat(GatewayLock.isHeld(home)).isFalse();
    }

    @Test
    void aHomeIsTheSameByItsLinkAndByItsPath() throws IOException {
        Path real = Files.createDirectory(folder.resolve("real"));
        HomeDirectory direct = HomeDirectory.at(real);
        HomeDirectory linked = HomeDirectory.at(Files.createSymbolicLink(folder.resolve("link"), real));
        try (GatewayLock lock = GatewayLock.take(linked)) {
            assertThat(lock).isNotNull();
            assertThat(GatewayLock.isHeld(direct)).isTrue();
            assertThat(GatewayLock.owner(direct))
                    .hasValue(ProcessHandle.current().pid());
            assertThat(GatewayLock.tryTake(direct)).isEmpty();
        }
        assertThat(GatewayLock.isHeld(direct)).isFalse();
    }

    @Test
    void whoeverLooksTakesNoPartOfTheLockThatAStartNeeds() throws IOException {
        Path file = Files.createFile(folder.resolve("gateway.lock"));
        try (FileChannel starting = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock right = starting.lock(0, 1, false)) {
            assertThat(right.isValid()).isTrue();
            assertThat(GatewayLock.isHeld(home))
                    .as(
                            "a start that has the right and not yet the sign is not in the way of looking, nor the other way round")
                    .isFalse();
        }
    }

    @Test
    void takingAHomeDeletesWhereAKilledGatewayListened() throws IOException {
        Path address = Files.writeString(folder.resolve("http-address"), "http://127.0.0.1:1\n");
        try (GatewayLock lock = GatewayLock.take(home)) {
            assertThat(lock).isNotNull();
            assertThat(address).doesNotExist();
        }
    }
}
