package dev.parley.adapter.whatsapp;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.contracts.port.ChatPlatformContract;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The bridge keeps the contract of platforms: what is received is what leaves its spool. */
class WhatsAppContractTest implements ChatPlatformContract {
    @TempDir
    private Path root;

    @BeforeAll
    static void node() {
        FakeWhatsApp.needsNode();
    }

    @Override
    public PlatformUnderTest platform() {
        return new OverTheBridge();
    }

    private final class OverTheBridge implements PlatformUnderTest {
        private final Around around = new Around();
        private final FakeWhatsApp whatsApp = new FakeWhatsApp(root);
        private final WhatsAppPlatform bridge = (WhatsAppPlatform)
                new WhatsAppProvider().create(around.settings(root.resolve("home"), whatsApp, Map.of()));
        private final Waiting platform = new Waiting(bridge);
        private final ExecutorService watching = Executors.newSingleThreadExecutor();

        @Override
        public ChatPlatform platform() {
            return platform;
        }

        @Override
        public String chat() {
            return FakeWhatsApp.ADA;
        }

        @Override
        public CompletionStage<Boolean> write(String text, String messageId) {
            whatsApp.write(FakeWhatsApp.ADA, text, messageId);
            Path spool = root.resolve("home/platforms/whatsapp/spool");
            return CompletableFuture.supplyAsync(
                    () -> {
                        FakeWhatsApp.until(
                                "the message is settled or turned away",
                                () -> platform.turnedAway
                                        || (platform.handedIn
                                                && FakeWhatsApp.count(spool) == 0
                                                && FakeWhatsApp.count(whatsApp.server.resolve("in")) == 0));
                        return !platform.turnedAway;
                    },
                    watching);
        }

        @Override
        public List<String> shown() {
            return whatsApp.shown(FakeWhatsApp.ADA);
        }

        @Override
        public List<String> files() {
            return whatsApp.documents(FakeWhatsApp.ADA);
        }

        @Override
        public boolean disconnect() {
            whatsApp.set("down", "428");
            FakeWhatsApp.until("the outage is seen", () -> bridge.ailment().isPresent());
            return true;
        }

        @Override
        public void close() {
            bridge.stop();
            watching.shutdownNow();
            around.close();
        }
    }

    /** The platform, started once it is connected, with an eye on what the gateway answers. */
    private static final class Waiting implements ChatPlatform {
        private final ChatPlatform platform;
        private volatile boolean connected;
        private volatile boolean handedIn;
        private volatile boolean turnedAway;

        Waiting(ChatPlatform platform) {
            this.platform = platform;
        }

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
                    return listener.receive(message, answer).thenApply(receipt -> {
                        handedIn = true;
                        turnedAway |= receipt instanceof Receipt.Unavailable;
                        return receipt;
                    });
                }

                @Override
                public void connected(Platform which) {
                    connected = true;
                    listener.connected(which);
                }

                @Override
                public void disconnected(Platform which) {
                    listener.disconnected(which);
                }
            });
            FakeWhatsApp.until("it is connected", () -> connected);
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
