package dev.parley.adapter.discord;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.contracts.port.HurriedTime;
import dev.parley.contracts.port.NetworkPlatformContract;
import dev.parley.fakes.discord.FakeDiscord;
import dev.parley.fakes.discord.Shown;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;

/** The Discord bot before the real gateway, over a network that breaks at any byte, its calls and its connections alike. */
class DiscordNetworkTest implements NetworkPlatformContract {
    @TempDir
    private Path home;

    @Override
    public NetworkUnderTest network(HurriedTime time) {
        return new BehindProxies(time);
    }

    private final class BehindProxies implements NetworkUnderTest {
        private final FakeDiscord discord;
        private final List<String> people;
        private final List<String> chats;
        private final FaultyProxy calls;
        private final FaultyProxy sockets;
        private final Queue<Runnable> said = new ConcurrentLinkedQueue<>();
        private volatile LongFunction<Cut> plan = number -> new Cut.None();

        BehindProxies(HurriedTime time) {
            discord = new FakeDiscord(DiscordTesting.TOKEN, time);
            discord.heartbeats(Duration.ofSeconds(20));
            discord.keepLimits();
            people = IntStream.range(0, CHATS)
                    .mapToObj(chat -> discord.person("person" + chat))
                    .toList();
            // Channels, since a first direct message is in no history where its session is lost on the way.
            String guild = discord.guild("Parley");
            chats = people.stream()
                    .map(person -> discord.channel(guild, "of-" + person))
                    .toList();
            calls = new FaultyProxy("127.0.0.1", discord.address().getPort(), number -> fault(plan.apply(number)));
            sockets = new FaultyProxy("127.0.0.1", discord.gatewayPort(), number -> fault(plan.apply(number)));
            discord.tellGatewayPort(sockets.port());
        }

        private static Fault fault(Cut cut) {
            if (cut instanceof Cut.Request request) {
                return request.bytes() == 0 ? new Fault.Refused() : new Fault.CutRequest(request.bytes());
            }
            if (cut instanceof Cut.Answer answer) {
                return new Fault.CutAnswer(answer.bytes());
            }
            return cut instanceof Cut.Silence silence ? new Fault.HalfOpen(silence.bytes()) : new Fault.None();
        }

        @Override
        public ChatPlatform platform(ProviderSettings settings) {
            return new DiscordProvider().create(settings);
        }

        @Override
        public Configured configured() {
            return new Configured(
                    home,
                    Map.of(
                            "base_url",
                            "http://127.0.0.1:" + calls.port() + "/api/v10",
                            "require_mention",
                            "false",
                            "answer_timeout",
                            "1",
                            "allow",
                            "*"),
                    DiscordTesting.ENVIRONMENT,
                    Set.of(DiscordTesting.TOKEN));
        }

        /** What was written before a bot was ever there is history: people write once it is. */
        @Override
        public void write(int chat, String text) {
            said.add(() -> discord.write(chats.get(chat), people.get(chat), text));
            say();
        }

        private void say() {
            while (discord.identified() > 0 && !said.isEmpty()) {
                Runnable next = said.poll();
                if (next != null) {
                    next.run();
                }
            }
        }

        @Override
        public List<String> shown(int chat) {
            say();
            return discord.shown(chats.get(chat)).stream().map(Shown::text).toList();
        }

        @Override
        public int waiting() {
            say();
            return discord.unread() + said.size();
        }

        @Override
        public void plan(LongFunction<Cut> cuts) {
            plan = cuts;
        }

        @Override
        public void restartServer() {
            discord.stop();
            discord.start();
        }

        @Override
        public void limit(Duration pause) {
            discord.limit("POST /channels/{id}/messages", pause);
        }

        @Override
        public int attempts() {
            return discord.calls("POST /channels/{id}/messages").size();
        }

        @Override
        public void close() {
            calls.close();
            sockets.close();
            discord.close();
        }
    }
}
