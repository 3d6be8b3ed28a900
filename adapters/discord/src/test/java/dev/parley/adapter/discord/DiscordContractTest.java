package dev.parley.adapter.discord;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Happened;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.contracts.port.ChatPlatformContract;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.fakes.discord.FakeDiscord;
import dev.parley.fakes.discord.Shown;
import dev.parley.fakes.gateway.FakeGateway;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.io.TempDir;

/** The Discord bot keeps the contract of platforms: a heartbeat covers a message behind its admission, and never before. */
class DiscordContractTest implements ChatPlatformContract {
    @TempDir
    private Path home;

    @Override
    public PlatformUnderTest platform() {
        return new OverDiscord();
    }

    private final class OverDiscord implements PlatformUnderTest {
        private final FakeGateway gateway = DiscordTesting.gateway();
        private final FakeDiscord discord = new FakeDiscord(DiscordTesting.TOKEN, gateway::now);
        private final String ada = discord.person("ada");
        private final String chat = discord.directChat(ada);
        private final ChatPlatform platform =
                new Interrupted(DiscordTesting.platform(gateway, discord, home, Map.of()), discord::dropConnections);

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
            synchronized (discord) {
                discord.write(chat, ada, text);
                return discord.lastOffered();
            }
        }

        @Override
        public List<String> shown() {
            return discord.shown(chat).stream().map(Shown::text).toList();
        }

        @Override
        public List<String> files() {
            return discord.shown(chat).stream()
                    .flatMap(shown -> shown.files().stream())
                    .toList();
        }

        @Override
        public boolean disconnect() {
            discord.stop();
            return true;
        }

        @Override
        public void close() {
            platform.stop();
            discord.close();
            gateway.close();
        }
    }

    /** A bot whose connection breaks whenever something could not be stored, so that Discord is asked for it again. */
    private record Interrupted(ChatPlatform bot, Runnable cut) implements ChatPlatform {
        @Override
        public Platform name() {
            return bot.name();
        }

        @Override
        public Traits traits() {
            return bot.traits();
        }

        @Override
        public void start(InboundListener listener) {
            bot.start(new InboundListener() {
                @Override
                public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
                    return listener.receive(message, answer).whenComplete((receipt, failure) -> {
                        if (receipt instanceof Receipt.Unavailable) {
                            cut.run();
                        }
                    });
                }

                @Override
                public CompletionStage<Receipt> happened(Happened what) {
                    return listener.happened(what);
                }

                @Override
                public void connected(Platform platform) {
                    listener.connected(platform);
                }

                @Override
                public void disconnected(Platform platform) {
                    listener.disconnected(platform);
                }
            });
        }

        @Override
        public void send(Outgoing message) {
            bot.send(message);
        }

        @Override
        public void stop() {
            bot.stop();
        }
    }
}
