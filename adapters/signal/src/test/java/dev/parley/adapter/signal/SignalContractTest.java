package dev.parley.adapter.signal;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.contracts.port.ChatPlatformContract;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.signal.FakeSignal;
import dev.parley.fakes.signal.Shown;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/** Signal's server is told nothing: a message counts as received once it was stored, and as to be tried again while it waits in the home. */
class SignalContractTest implements ChatPlatformContract {
    private static final Pattern FILE = Pattern.compile(";filename=([^;]+);");

    @TempDir
    private Path home;

    @Override
    public PlatformUnderTest platform() {
        return new OverSignal();
    }

    private final class OverSignal implements PlatformUnderTest, ChatPlatform {
        private final FakeGateway gateway = SignalTesting.gateway();
        private final FakeSignal signal = SignalTesting.signal(gateway);
        private final ChatPlatform platform = SignalTesting.platform(gateway, signal, home, Map.of());
        private final Map<String, CompletableFuture<Boolean>> settled = new ConcurrentHashMap<>();

        @Override
        public ChatPlatform platform() {
            return this;
        }

        @Override
        public String chat() {
            return SignalTesting.ADA;
        }

        @Override
        public CompletionStage<Boolean> write(String text, String messageId) {
            CompletableFuture<Boolean> told = new CompletableFuture<>();
            settled.put(text, told);
            signal.write(SignalTesting.ADA, text);
            return told;
        }

        @Override
        public List<String> shown() {
            return signal.shown(SignalTesting.ADA).stream().map(Shown::text).toList();
        }

        @Override
        public List<String> files() {
            return signal.shown(SignalTesting.ADA).stream()
                    .flatMap(shown -> shown.attachments().stream())
                    .flatMap(file -> FILE.matcher(file).results().map(found -> found.group(1)))
                    .toList();
        }

        @Override
        public boolean disconnect() {
            signal.stop();
            return true;
        }

        @Override
        public void close() {
            platform.stop();
            signal.close();
            gateway.close();
        }

        // ------------------------------------------------------------------ the platform, with a look at what it is
        // told

        @Override
        public Platform name() {
            return platform.name();
        }

        @Override
        public Traits traits() {
            return platform.traits();
        }

        @Override
        public void start(InboundListener listener) {
            platform.start(new InboundListener() {
                @Override
                public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
                    return listener.receive(message, answer)
                            .whenComplete((receipt, failure) -> Objects.requireNonNull(settled.get(message.text()))
                                    .complete(!(receipt instanceof Receipt.Unavailable)));
                }

                @Override
                public void connected(Platform name) {
                    listener.connected(name);
                }

                @Override
                public void disconnected(Platform name) {
                    listener.disconnected(name);
                }
            });
        }

        @Override
        public void send(Outgoing message) {
            platform.send(message);
        }

        @Override
        public void stop() {
            platform.stop();
        }
    }
}
