package dev.parley.adapter.slack;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.contracts.port.HurriedTime;
import dev.parley.contracts.port.NetworkPlatformContract;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import dev.parley.fakes.slack.FakeSlack;
import dev.parley.fakes.slack.Shown;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;

/** The Slack app before the real gateway, over a network that breaks at any byte, its calls and its connections alike. */
class SlackNetworkTest implements NetworkPlatformContract {
    @TempDir
    private Path home;

    @Override
    public NetworkUnderTest network(HurriedTime time) {
        return new BehindProxies(time);
    }

    private final class BehindProxies implements NetworkUnderTest {
        private final FakeSlack slack;
        private final List<String> people;
        private final List<String> chats;
        private final FaultyProxy calls;
        private final FaultyProxy sockets;
        private volatile LongFunction<Cut> plan = number -> new Cut.None();

        BehindProxies(HurriedTime time) {
            slack = new FakeSlack(SlackTesting.BOT_TOKEN, SlackTesting.APP_TOKEN, time);
            people = IntStream.range(0, CHATS)
                    .mapToObj(chat -> slack.person("person" + chat))
                    .toList();
            chats = people.stream().map(slack::directChat).toList();
            calls = new FaultyProxy("127.0.0.1", slack.address().getPort(), number -> fault(plan.apply(number)));
            sockets = new FaultyProxy("127.0.0.1", slack.socketPort(), number -> fault(plan.apply(number)));
            slack.tellSocketPort(sockets.port());
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
            return new SlackProvider().create(settings);
        }

        @Override
        public Configured configured() {
            return new Configured(
                    home,
                    Map.of(
                            "base_url",
                            "http://127.0.0.1:" + calls.port() + "/api/",
                            "answer_timeout",
                            "1",
                            "silence_timeout",
                            "20",
                            "allow",
                            "*"),
                    SlackTesting.ENVIRONMENT,
                    Set.of("slack-secret", "ticket="));
        }

        @Override
        public void write(int chat, String text) {
            slack.write(chats.get(chat), people.get(chat), text);
        }

        @Override
        public List<String> shown(int chat) {
            return slack.shown(chats.get(chat)).stream().map(Shown::text).toList();
        }

        @Override
        public int waiting() {
            return slack.unread();
        }

        @Override
        public void plan(LongFunction<Cut> cuts) {
            plan = cuts;
        }

        @Override
        public void restartServer() {
            slack.stop();
            slack.start();
        }

        @Override
        public void limit(Duration pause) {
            slack.limit("chat.postMessage", pause);
        }

        @Override
        public int attempts() {
            return slack.calls("chat.postMessage").size();
        }

        @Override
        public void close() {
            calls.close();
            sockets.close();
            slack.close();
        }
    }
}
