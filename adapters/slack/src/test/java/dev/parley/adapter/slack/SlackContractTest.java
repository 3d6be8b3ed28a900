package dev.parley.adapter.slack;

import dev.parley.application.port.ChatPlatform;
import dev.parley.contracts.port.ChatPlatformContract;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.slack.FakeSlack;
import dev.parley.fakes.slack.Shown;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.io.TempDir;

/** The Slack app keeps the contract of platforms: an envelope is acknowledged behind the admission. */
class SlackContractTest implements ChatPlatformContract {
    @TempDir
    private Path home;

    @Override
    public PlatformUnderTest platform() {
        return new OverSlack();
    }

    private final class OverSlack implements PlatformUnderTest {
        private final FakeGateway gateway = SlackTesting.gateway();
        private final long begun = System.nanoTime();
        private final FakeSlack slack =
                new FakeSlack(SlackTesting.BOT_TOKEN, SlackTesting.APP_TOKEN, () -> FakeGateway.NOW.plus(running()));
        private final String ada = slack.person("ada");
        private final String chat = slack.directChat(ada);
        private final ChatPlatform platform = SlackTesting.platform(gateway, slack, home, Map.of());

        private Duration running() {
            return Duration.ofNanos(System.nanoTime() - begun);
        }

        @Override
        public ChatPlatform platform() {
            return platform;
        }

        @Override
        public String chat() {
            return chat;
        }

        @Override
        public CompletionStage<Boolean> write(String text, String messageId) {
            // Slack offers what nobody was there for again after three seconds, and then after a minute.
            try {
                FakeGateway.until("it is connected", () -> slack.connections() == 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            synchronized (slack) {
                slack.write(chat, ada, text);
                return slack.lastOffered();
            }
        }

        @Override
        public List<String> shown() {
            return slack.shown(chat).stream().map(Shown::text).toList();
        }

        @Override
        public List<String> files() {
            return slack.shown(chat).stream()
                    .flatMap(shown -> shown.files().stream())
                    .toList();
        }

        @Override
        public boolean disconnect() {
            slack.stop();
            return true;
        }

        @Override
        public void close() {
            platform.stop();
            slack.close();
            gateway.close();
        }
    }
}
