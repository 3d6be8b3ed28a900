package org.example.desk;

import static dev.parley.application.spi.StorageSettings.Mode.READ_WRITE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.ZoneOffset.UTC;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.RandomIds;
import dev.parley.application.gateway.ScheduledTimers;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;
import java.util.Scanner;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Answers each line of standard input and stops at its end; the argument is the home directory. */
public final class Main {
    /** Runs the gateway; its exit code is the process's. */
    public static void main(String[] arguments) {
        Clock clock = Clock.systemUTC();
        RandomIds ids = new RandomIds(new SecureRandom());
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
        ExecutorService agents = Executors.newFixedThreadPool(4); // of their own: slow answers hold up no command
        LinePlatform platform = new LinePlatform(System.out);
        try (Storage storage = sqlite(Path.of(arguments[0]), clock, ids)) {
            Gateway gateway = Gateway.builder()
                    .storage(storage)
                    .agents(new BlockingAgents(
                            "tally", agents, clock, Main::tally, (said, focus) -> said.size() + " said"))
                    .platform(platform)
                    .clock(clock)
                    .ids(ids)
                    .executor(threads)
                    .timers(new ScheduledTimers(threads, threads))
                    .build();
            gateway.start().toCompletableFuture().join();
            new Scanner(System.in, UTF_8).useDelimiter("\\R").forEachRemaining(platform::say);
            gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().join();
        } finally {
            agents.shutdown();
            threads.shutdown();
        }
    }

    /** The agent: says how much it remembers. */
    private static AgentAnswer tally(AgentTurn turn) {
        return AgentAnswer.text("I remember " + turn.history().size() + " messages.");
    }

    private static Storage sqlite(Path home, Clock clock, RandomIds ids) {
        return ServiceLoader.load(StorageProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.scheme().equals("sqlite"))
                .findFirst()
                .orElseThrow()
                .open(new StorageSettings(
                        "state.db", home, READ_WRITE, clock, UTC, ids, Thread::new, System.err::println, Map.of()));
    }
}
