package dev.parley.adapter.signal;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.contracts.port.HurriedTime;
import dev.parley.contracts.port.NetworkPlatformContract;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.signal.FakeSignal;
import dev.parley.fakes.signal.Shown;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.io.TempDir;

/**
 * The account before the real gateway, with a daemon that breaks off. What is on its way in a stream that its reader leaves is lost by the
 * protocol: here it comes again, and streams break between events.
 */
class SignalNetworkTest implements NetworkPlatformContract {
    @TempDir
    private Path home;

    @Override
    public NetworkUnderTest network(HurriedTime time) {
        return new Daemon(time);
    }

    private final class Daemon implements NetworkUnderTest {
        private final FakeSignal signal;

        Daemon(HurriedTime time) {
            signal = new FakeSignal(
                    SignalTesting.ACCOUNT, time, Duration.ofSeconds(15).dividedBy(HurriedTime.HASTE));
            signal.loseNothing();
            for (int chat = 0; chat < CHATS; chat++) {
                signal.person(person(chat), "uuid-" + chat, "Person " + chat);
            }
        }

        private static String person(int chat) {
            return "+1555020" + chat;
        }

        @Override
        public ChatPlatform platform(ProviderSettings settings) {
            // The process before took its machine with it.
            signal.losePower();
            return new SignalProvider().create(settings);
        }

        @Override
        public Configured configured() {
            return new Configured(
                    home,
                    Map.of(
                            "base_url",
                            signal.address().toString(),
                            "account",
                            SignalTesting.ACCOUNT,
                            "answer_timeout",
                            "1"),
                    Map.of(),
                    Set.of());
        }

        @Override
        public void write(int chat, String text) {
            signal.write(person(chat), text);
        }

        @Override
        public List<String> shown(int chat) {
            return signal.shown(person(chat)).stream().map(Shown::text).toList();
        }

        @Override
        public int waiting() {
            return signal.waiting();
        }

        @Override
        public void plan(LongFunction<Cut> cuts) {
            signal.plan(number -> fault(cuts.apply(number)));
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
        public void restartServer() {
            signal.stop();
            signal.start();
        }

        @Override
        public void limit(Duration pause) {
            signal.limit("send", pause);
        }

        @Override
        public int attempts() {
            return (int) signal.calls().stream()
                    .filter(call -> call.method().equals("send"))
                    .count();
        }

        @Override
        public void close() {
            signal.close();
        }
    }
}
