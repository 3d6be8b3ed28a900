package dev.parley.bootstrap.process;

import dev.parley.application.agents.StreamingAgent;
import dev.parley.application.agents.StreamingTurn;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.turn.Outgoing;
import dev.parley.home.GatewayHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;

/**
 * A gateway of one's own as a process: each line of its input is {@code CHAT ID TEXT}, each line of its output tells what was accepted or sent.
 * Its agent asks where it is told to {@code ask}, and blocks where it is told to {@code wait} until the line {@code go}.
 */
final class KilledDesk {
    private static final CountDownLatch GO = new CountDownLatch(1);

    private KilledDesk() {}

    /** The argument is the home directory. */
    public static void main(String[] arguments) {
        try (GatewayHome home = GatewayHome.take(Path.of(arguments[0]), Clock.systemUTC(), warning -> {});
                Storage storage = home.open("sqlite:state.db", "jsonl:fallback", event -> {})) {
            Gateway gateway = home.gateway()
                    .storage(storage)
                    .agents(new Agents(home))
                    .platform(new Lines())
                    .settings(GatewaySettings.DEFAULT.busy(busy -> busy.withMode(BusyMode.QUEUE)))
                    .build();
            home.run(
                    gateway,
                    () -> home.threads().agents().execute(() -> {
                        tell("ready");
                        new Scanner(System.in, StandardCharsets.UTF_8)
                                .useDelimiter("\\R")
                                .forEachRemaining(line -> hear(gateway, line));
                        gateway.stop(StopMode.SHUTDOWN);
                    }));
        }
        tell("closed");
    }

    private static void hear(Gateway gateway, String line) {
        if (line.equals("go")) {
            GO.countDown();
            return;
        }
        String[] said = line.split(" ", 3);
        SessionSource chat = SessionSource.builder(Platform.TELEGRAM, said[0]).build();
        gateway.receive(new Received(chat, said[2], List.of(), Optional.of(said[1])), AnswerListener.NONE)
                .thenAccept(receipt -> tell((receipt instanceof Receipt.Admitted
                                ? "accepted "
                                : receipt instanceof Receipt.Duplicate ? "accepted before " : "refused ")
                        + said[1]));
    }

    private static synchronized void tell(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static final class Lines implements ChatPlatform {
        @Override
        public Platform name() {
            return Platform.TELEGRAM;
        }

        @Override
        public Traits traits() {
            return new Traits(false, true, false);
        }

        @Override
        public void start(InboundListener inbound) {
            inbound.connected(name());
        }

        @Override
        public void send(Outgoing message) {
            tell("sent " + message.chatId() + " " + message.text().replace('\n', ' '));
        }

        @Override
        public void stop() {
            // Standard output stays.
        }
    }

    private record Agents(GatewayHome home) implements AgentFactory {
        @Override
        public String signature(AgentSpec spec) {
            return "";
        }

        @Override
        public Agent create(AgentSpec spec) {
            return new Desk(home);
        }

        @Override
        public String model(AgentSpec spec) {
            return "desk";
        }

        @Override
        public long contextLength(AgentSpec spec) {
            return 0;
        }
    }

    private static final class Desk extends StreamingAgent {
        Desk(GatewayHome home) {
            super(home.threads().agents(), home.clock());
        }

        @Override
        protected AgentAnswer answer(AgentTurn turn, StreamingTurn now) throws Exception {
            String said = turn.input().content().plainText();
            if (said.contains("ask")) {
                now.approval("delete", "Delete everything?");
            }
            if (said.contains("wait")) {
                GO.await();
            }
            now.say(said.contains("the end") ? "This is the end." : "Done.");
            return now.answer(Optional.of("stop"));
        }

        @Override
        protected AgentAnswer summary(List<Message> history, Optional<String> focus, StreamingTurn now) {
            return now.answer(Optional.empty());
        }
    }
}
