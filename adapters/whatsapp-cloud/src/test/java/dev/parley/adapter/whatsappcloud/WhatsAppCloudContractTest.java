package dev.parley.adapter.whatsappcloud;

import dev.parley.application.port.ChatPlatform;
import dev.parley.contracts.port.ChatPlatformContract;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.whatsapp.FakeWhatsApp;
import dev.parley.fakes.whatsapp.Shown;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.io.TempDir;

/** The WhatsApp number keeps the contract of platforms: what is received is what a post is answered for with 200. */
class WhatsAppCloudContractTest implements ChatPlatformContract {
    @TempDir
    private Path home;

    @Override
    public PlatformUnderTest platform() {
        return new OverWhatsApp();
    }

    private final class OverWhatsApp implements PlatformUnderTest {
        private final FakeGateway gateway = WhatsAppCloudTesting.gateway();
        private final FakeWhatsApp whatsapp = WhatsAppCloudTesting.whatsapp(gateway);
        private final ChatPlatform platform = WhatsAppCloudTesting.platform(gateway, whatsapp, home, Map.of());

        @Override
        public ChatPlatform platform() {
            return platform;
        }

        @Override
        public String chat() {
            return WhatsAppCloudTesting.ADA;
        }

        @Override
        public CompletionStage<Boolean> write(String text, String messageId) {
            whatsapp.webhook(platform.address().orElseThrow());
            return whatsapp.offer(WhatsAppCloudTesting.ADA, text);
        }

        @Override
        public List<String> shown() {
            return whatsapp.shown(WhatsAppCloudTesting.ADA).stream()
                    .map(Shown::text)
                    .toList();
        }

        @Override
        public List<String> files() {
            return whatsapp.shown(WhatsAppCloudTesting.ADA).stream()
                    .map(shown ->
                            shown.message().path("document").path("filename").asText())
                    .filter(name -> !name.isEmpty())
                    .toList();
        }

        @Override
        public boolean disconnect() {
            whatsapp.stop();
            return true;
        }

        @Override
        public void close() {
            platform.stop();
            whatsapp.close();
            gateway.close();
        }
    }
}
