package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.domain.context.HomeChannel;
import dev.parley.testing.TestGateway;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A gateway that waits for its storage is not one that hangs: who restarts it for that loses what it is in the middle of. */
class AliveTest {
    private final SwitchableStorage storage = new SwitchableStorage(new MemoryStorage());
    private final TestGateway gateway = TestGateway.builder()
            .storage(storage)
            .settings(s -> s.delivery(d -> d.withHomeChannels(
                    List.of(new HomeChannel(TestGateway.PLATFORM, "ops", Optional.empty(), Optional.empty())))))
            .start();

    @AfterEach
    void close() {
        storage.become(SwitchableStorage.State.AVAILABLE);
        gateway.close();
    }

    private CompletableFuture<Void> alive() {
        return gateway.gateway().alive().toCompletableFuture();
    }

    @Test
    void theActorAnswersWhileTheStoreIsFull() {
        storage.become(SwitchableStorage.State.FULL);
        var unused = gateway.gateway().stop(StopMode.SHUTDOWN);
        CompletableFuture<Void> before = alive();
        gateway.settle();

        assertThat(before).as("asked before it had to wait").isCompleted();
        CompletableFuture<Void> meanwhile = alive();
        gateway.settle();
        assertThat(meanwhile).as("asked while the store is away").isCompleted();
        gateway.pass(Duration.ofSeconds(2));
        assertThat(gateway.gateway().health().rows()).containsEntry("status", "draining");
        CompletableFuture<Void> after = alive();
        gateway.settle();
        assertThat(after).as("asked after the store was tried again").isCompleted();
    }

    @Test
    void theActorAnswersOnceItHasGotToItWhereTheStoreIsWhole() {
        CompletableFuture<Void> asked = alive();
        assertThat(asked).isNotCompleted();

        gateway.settle();

        assertThat(asked).isCompleted();
    }
}
