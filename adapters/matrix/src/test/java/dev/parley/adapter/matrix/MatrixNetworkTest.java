package dev.parley.adapter.matrix;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.contracts.port.HurriedTime;
import dev.parley.contracts.port.NetworkPlatformContract;
import dev.parley.fakes.matrix.FakeMatrix;
import dev.parley.fakes.matrix.Shown;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;

/** The Matrix bot before the real gateway, over a network that breaks at any byte. It is invited to the chats and joins them itself. */
class MatrixNetworkTest implements NetworkPlatformContract {
    @TempDir
    private Path home;

    @Override
    public NetworkUnderTest network(HurriedTime time) {
        return new BehindAProxy(time);
    }

    private final class BehindAProxy implements NetworkUnderTest {
        private final FakeMatrix matrix;
        private final String bot;
        private final List<String> people;
        private final List<String> rooms;
        private final FaultyProxy proxy;
        private volatile LongFunction<Cut> plan = number -> new Cut.None();

        BehindAProxy(HurriedTime time) {
            matrix = new FakeMatrix("parley.test", time);
            bot = matrix.bot("parley", MatrixTesting.TOKEN);
            people = IntStream.range(0, CHATS)
                    .mapToObj(chat -> matrix.person("person" + chat))
                    .toList();
            rooms = people.stream()
                    .map(person -> matrix.directChat(person, bot))
                    .toList();
            proxy = new FaultyProxy("127.0.0.1", matrix.address().getPort(), number -> fault(plan.apply(number)));
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
            return new MatrixProvider().create(settings);
        }

        @Override
        public Configured configured() {
            return new Configured(
                    home,
                    Map.of(
                            "homeserver",
                            "http://127.0.0.1:" + proxy.port(),
                            "sync_timeout",
                            "1",
                            "answer_timeout",
                            "1",
                            "allow",
                            "*"),
                    Map.of("MATRIX_ACCESS_TOKEN", MatrixTesting.TOKEN),
                    Set.of("matrix-secret"));
        }

        @Override
        public void write(int chat, String text) {
            matrix.write(rooms.get(chat), people.get(chat), text);
        }

        @Override
        public List<String> shown(int chat) {
            return matrix.shown(rooms.get(chat), bot).stream().map(Shown::text).toList();
        }

        @Override
        public int waiting() {
            return matrix.unread(bot);
        }

        @Override
        public void plan(LongFunction<Cut> cuts) {
            plan = cuts;
        }

        @Override
        public void restartServer() {
            matrix.stop();
            matrix.start();
        }

        @Override
        public void limit(Duration pause) {
            matrix.limit("send", pause);
        }

        @Override
        public int attempts() {
            return matrix.calls("send").size();
        }

        @Override
        public void close() {
            proxy.close();
            matrix.close();
        }
    }
}
