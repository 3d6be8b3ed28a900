package org.example.desk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.testing.TestGateway;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The agent of the desk behind a real gateway, whose clock and chats are the test's. */
class TallyTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private TestGateway gateway() {
        return TestGateway.with(new BlockingAgents(
                "tally", threads, InstantSource.system(), Main::tally, (said, focus) -> said.size() + " said"));
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    // docs: test
    @Test
    void remembersUntilTheConversationIsReset() {
        try (TestGateway gateway = gateway()) {
            assertEquals("I remember 0 messages.", gateway.ask("one"));
            assertEquals("I remember 2 messages.", gateway.ask("two"));
            gateway.pass(Duration.ofDays(2));
            assertEquals("I remember 0 messages.", gateway.ask("three"));
        }
    }
    // docs: end

    @Test
    void remembersAcrossCrashes() {
        try (TestGateway gateway = gateway()) {
            gateway.ask("one");
            gateway.crash();
            assertEquals("I remember 2 messages.", gateway.ask("two"));
            assertEquals(List.of("I remember 0 messages.", "I remember 2 messages."), gateway.seen());
        }
    }
}
