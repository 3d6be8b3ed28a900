package dev.parley.adapter.telegram;

import dev.parley.application.port.ChatPlatform;
import dev.parley.contracts.port.ChatPlatformContract;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.telegram.FakeTelegram;
import dev.parley.fakes.telegram.Shown;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.io.TempDir;

/** The Telegram bot keeps the contract of platforms: what is received is what a later offset confirms. */
class TelegramContractTest implements ChatPlatformContract {
    private static final long ADA = 100;

    @TempDir
    private Path home;

    @Override
    public PlatformUnderTest platform() {
        return new OverTelegram();
    }

    private final class OverTelegram implements PlatformUnderTest {
        private final FakeGateway around = TelegramTesting.gateway();
        private final FakeTelegram telegram =
                new FakeTelegram(TelegramTesting.TOKEN, "parley_bot", () -> FakeGateway.NOW);
        private final ChatPlatform platform = new TelegramProvider()
                .create(around.settings(
                        home, Map.of("base_url", telegram.address().toString())));

        OverTelegram() {
            telegram.privateChat(ADA, "Ada");
        }

        @Override
        public ChatPlatform platform() {
            return platform;
        }

        @Override
        public String chat() {
            return String.valueOf(ADA);
        }

        @Override
        public CompletionStage<Boolean> write(String text, String messageId) {
            synchronized (telegram) {
                telegram.write(ADA, ADA, text);
                return telegram.lastConfirmed();
            }
        }

        @Override
        public List<String> shown() {
            return telegram.shown(ADA).stream().map(Shown::text).toList();
        }

        @Override
        public List<String> files() {
            return telegram.shown(ADA).stream()
                    .flatMap(shown -> shown.fileName().stream())
                    .toList();
        }

        @Override
        public boolean disconnect() {
            telegram.stop();
            return true;
        }

        @Override
        public void close() {
            platform.stop();
            telegram.close();
            around.close();
        }
    }
}
