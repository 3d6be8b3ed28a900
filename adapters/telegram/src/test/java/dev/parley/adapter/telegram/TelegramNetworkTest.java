package dev.parley.adapter.telegram;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.contracts.port.HurriedTime;
import dev.parley.contracts.port.NetworkPlatformContract;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import dev.parley.fakes.telegram.FakeTelegram;
import dev.parley.fakes.telegram.Shown;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.io.TempDir;

/** The Telegram bot before the real gateway, over a network that breaks at any byte. */
class TelegramNetworkTest implements NetworkPlatformContract {
    @TempDir
    private Path home;

    @Override
    public NetworkUnderTest network(HurriedTime time) {
        return new BehindAProxy(time);
    }

    private final class BehindAProxy implements NetworkUnderTest {
        private final FakeTelegram telegram;
        private final FaultyProxy proxy;
        private volatile LongFunction<Cut> plan = number -> new Cut.None();

        BehindAProxy(HurriedTime time) {
            telegram = new FakeTelegram(TelegramTesting.TOKEN, "parley_bot", time);
            for (int chat = 0; chat < CHATS; chat++) {
                telegram.privateChat(person(chat), "Person " + chat);
            }
            proxy = new FaultyProxy("127.0.0.1", telegram.address().getPort(), number -> fault(plan.apply(number)));
        }

        private static long person(int chat) {
            return 100L + chat;
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
            return new TelegramProvider().create(settings);
        }

        @Override
        public Configured configured() {
            return new Configured(
                    home,
                    Map.of("base_url", "http://127.0.0.1:" + proxy.port(), "poll_timeout", "1"),
                    Map.of("TELEGRAM_BOT_TOKEN", TelegramTesting.TOKEN),
                    Set.of("telegram-secret"));
        }

        @Override
        public void write(int chat, String text) {
            telegram.write(person(chat), person(chat), text);
        }

        @Override
        public List<String> shown(int chat) {
            return telegram.shown(person(chat)).stream().map(Shown::text).toList();
        }

        @Override
        public int waiting() {
            return telegram.unconfirmed();
        }

        @Override
        public void plan(LongFunction<Cut> cuts) {
            plan = cuts;
        }

        @Override
        public void restartServer() {
            telegram.stop();
            telegram.start();
        }

        @Override
        public void limit(Duration pause) {
            telegram.limit("sendMessage", pause);
        }

        @Override
        public int attempts() {
            return (int) telegram.calls().stream()
                    .filter(call -> call.method().equals("sendMessage"))
                    .count();
        }

        @Override
        public void close() {
            proxy.close();
            telegram.close();
        }
    }
}
