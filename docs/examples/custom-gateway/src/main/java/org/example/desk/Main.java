package org.example.desk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.spi.Storage;
import dev.parley.home.GatewayHome;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Scanner;

/** Answers each line of standard input until its end, or a signal; the argument is the home directory. */
public final class Main {
    // docs: main
    /** Runs the gateway until it has stopped. */
    public static void main(String[] arguments) {
        LinePlatform platform = new LinePlatform(System.out);
        try (GatewayHome home = GatewayHome.take(Path.of(arguments[0]), Clock.systemUTC(), System.err::println);
                Storage storage = home.open("sqlite:state.db", "jsonl:fallback", Main::tell)) {
            Gateway gateway = home.gateway()
                    .storage(storage)
                    .agents(new BlockingAgents(
                            "tally",
                            home.threads().agents(),
                            home.clock(),
                            Main::tally,
                            (said, focus) -> said.size() + " said"))
                    .platform(platform)
                    .events(Main::tell)
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

    private static void tell(GatewayEvent event) {
        if (event instanceof GatewayEvent.Trouble trouble) {
            System.err.println(trouble.what()
                    + trouble.cause()
                            .map(cause -> " [" + StrippedFailure.line(cause) + "]")
                            .orElse(""));
        } else if (event instanceof GatewayEvent.Degraded degraded) {
            System.err.println("The fallback takes over: " + degraded.why());
        } else if (event instanceof GatewayEvent.Healed healed) {
            System.err.println("The storage is back, with " + healed.messages() + " messages of meanwhile.");
        }
    }
}
