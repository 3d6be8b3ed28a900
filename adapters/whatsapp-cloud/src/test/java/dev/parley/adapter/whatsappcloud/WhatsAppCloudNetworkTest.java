package dev.parley.adapter.whatsappcloud;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.contracts.port.HurriedTime;
import dev.parley.contracts.port.NetworkPlatformContract;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import dev.parley.fakes.whatsapp.FakeWhatsApp;
import dev.parley.fakes.whatsapp.Shown;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.io.TempDir;

/** The WhatsApp number before the real gateway, over a network that breaks at any byte, its calls and Meta's posts alike. */
class WhatsAppCloudNetworkTest implements NetworkPlatformContract {
    @TempDir
    private Path home;

    @Override
    public NetworkUnderTest network(HurriedTime time) {
        return new BehindProxies(time);
    }

    private final class BehindProxies implements NetworkUnderTest {
        private final FakeWhatsApp whatsapp;
        private final FaultyProxy calls;
        private final FaultyProxy posts;
        private volatile LongFunction<Cut> plan = number -> new Cut.None();

        BehindProxies(HurriedTime time) {
            whatsapp = new FakeWhatsApp(
                    WhatsAppCloudTesting.TOKEN, WhatsAppCloudTesting.SECRET, WhatsAppCloudTesting.NUMBER, time);
            whatsapp.keepLimits();
            whatsapp.tellStatuses();
            whatsapp.postInOrder();
            whatsapp.postPatience(Duration.ofSeconds(1));
            for (int chat = 0; chat < CHATS; chat++) {
                whatsapp.person(person(chat), "Person " + chat);
            }
            calls = new FaultyProxy("127.0.0.1", whatsapp.address().getPort(), number -> fault(plan.apply(number)));
            posts = new FaultyProxy("127.0.0.1", calls.port(), number -> fault(plan.apply(number)));
            posts.sever();
            whatsapp.webhook(URI.create("http://127.0.0.1:" + posts.port() + "/webhook"));
        }

        private static String person(int chat) {
            return "4915100000" + chat;
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
            return new Found(new WhatsAppCloudProvider().create(settings), address -> {
                posts.leadTo(address.getPort());
                posts.restore();
            });
        }

        @Override
        public Configured configured() {
            return new Configured(
                    home,
                    Map.of(
                            "base_url",
                            "http://127.0.0.1:" + calls.port(),
                            "phone_number_id",
                            WhatsAppCloudTesting.NUMBER,
                            "port",
                            "0",
                            "answer_timeout",
                            "1"),
                    WhatsAppCloudTesting.ENVIRONMENT,
                    Set.copyOf(WhatsAppCloudTesting.ENVIRONMENT.values()));
        }

        @Override
        public void write(int chat, String text) {
            whatsapp.write(person(chat), text);
        }

        @Override
        public List<String> shown(int chat) {
            return whatsapp.shown(person(chat)).stream().map(Shown::text).toList();
        }

        @Override
        public int waiting() {
            return whatsapp.unsettled();
        }

        @Override
        public void plan(LongFunction<Cut> cuts) {
            plan = cuts;
        }

        @Override
        public void restartServer() {
            whatsapp.stop();
            whatsapp.start();
        }

        @Override
        public void limit(Duration pause) {
            whatsapp.limit(pause);
        }

        @Override
        public int attempts() {
            return whatsapp.calls("messages").size();
        }

        @Override
        public void close() {
            posts.close();
            calls.close();
            whatsapp.close();
        }
    }
}
