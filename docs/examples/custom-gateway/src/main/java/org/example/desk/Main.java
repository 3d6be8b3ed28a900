package org.example.desk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.home.GatewayHome;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Scanner;
import java.util.ServiceLoader;

/** Answers each line of standard input until its end, or a signal; the argument is the home directory. */
public final class Main {
    // docs: main
    /** Runs the gateway until it has stopped. */
    public static void main(String[] arguments) {
        LinePlatform platform = new LinePlatform(System.out);
        try (GatewayHome home = GatewayHome.take(Path.of(arguments[0]), Clock.systemUTC(), System.err::println);
                Storage storage = sqlite(home)) {
            Gateway gateway = home.gateway()
                    .storage(storage)
                    .agents(new BlockingAgents(
                            "tally",
                            home.threads().agents(),
                            home.clock(),
                            Main::tally,
                            (said, focus) -> said.size() + " said"))
                    .platform(platform)
                    .build();
            home.run(
                    gateway,
                    () -> home.threads().agents().execute(() -> {
                        new Scanner(System.in, UTF_8).useDelimiter("\\R").forEachRemaining(platform::say);
                        gateway.stop(StopMode.SHUTDOWN);
                    }));
        }
    }
    // docs: end

    /** The agent: says how much it remembers. */
    static AgentAnswer tally(AgentTurn turn) {
        return AgentAnswer.text("I remember " + turn.history().size() + " messages.");
    }

    private static Storage sqlite(GatewayHome home) {
        return ServiceLoader.load(StorageProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.scheme().equals("sqlite"))
                .findFirst()
                .orElseThrow()
                .open(home.storage("state.db").build());
    }
}
