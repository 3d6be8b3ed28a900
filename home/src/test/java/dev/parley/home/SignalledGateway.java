package dev.parley.home;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Received;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.testing.RecordingPlatform;
import dev.parley.testing.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * A process with a gateway that works on a turn when it is told to end. It prints a line for each thing that happens; the turn ends once
 * the process is ending.
 */
final class SignalledGateway {
    private SignalledGateway() {}

    /** The argument is the home directory. */
    public static void main(String[] arguments) {
        MemoryStore store = new MemoryStore("signalled");
        try (GatewayHome home = GatewayHome.take(Path.of(arguments[0]), Clock.systemUTC(), warning -> {})) {
            work(home, store);
        }
    }

    /** The process ends once its home is closed: the last line is said before that. */
    private static void work(GatewayHome home, MemoryStore store) {
        CountDownLatch ending = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(ending::countDown));
        try (Storage storage = store.open(Mode.READ_WRITE)) {
            RecordingPlatform platform = new RecordingPlatform(Platform.TELEGRAM);
            Gateway gateway = home.gateway()
                    .storage(storage)
                    .platform(platform)
                    .agents(new BlockingAgents(
                            "a",
                            home.threads().agents(),
                            home.clock(),
                            turn -> {
                                say("working");
                                ending.await();
                                return AgentAnswer.text("done");
                            },
                            (history, focus) -> ""))
                    .build();
            SessionSource chat = SessionSource.builder(Platform.TELEGRAM, "1").build();
            home.run(
                    gateway,
                    () -> platform.say(new Received(chat, "work", List.of(), Optional.empty()), AnswerListener.NONE));
            say("answered " + platform.texts("1").contains("done"));
        } finally {
            say("closed");
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
