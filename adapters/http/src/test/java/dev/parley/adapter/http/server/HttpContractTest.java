package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.ChatPlatform;
import dev.parley.contracts.port.ChatPlatformContract;
import io.javalin.Javalin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.io.TempDir;

/**
 * The HTTP platform keeps the contract of platforms, on real sockets: people write by posting without waiting for the answer, and
 * see what a receiver takes that leaves out the ids it has seen, as it is told to.
 */
class HttpContractTest implements ChatPlatformContract {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path home;

    @Override
    public PlatformUnderTest platform() {
        return new OverHttp();
    }

    private final class OverHttp implements PlatformUnderTest {
        private final FakeGateway gateway = new FakeGateway();
        private final Map<String, String> seen = new ConcurrentHashMap<>();
        private final List<String> shown = new CopyOnWriteArrayList<>();
        private final List<String> files = new CopyOnWriteArrayList<>();
        private final Javalin receiver = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.jetty.host = "127.0.0.1";
                    config.jetty.port = 0;
                    config.routes.post("/hook", ctx -> {
                        JsonNode message = JSON.readTree(ctx.body());
                        String text = message.get("text").asText();
                        if (seen.putIfAbsent(String.valueOf(ctx.header("Idempotency-Key")), text) == null) {
                            shown.add(text);
                            message.path("attachments")
                                    .forEach(file -> files.add(file.path("name").asText()));
                        }
                    });
                })
                .start();
        private final HttpClient client = HttpClient.newHttpClient();
        private final ChatPlatform platform = new HttpProvider()
                .create(gateway.settings(
                        home, Map.of("callback_url", "http://127.0.0.1:" + receiver.port() + "/hook")));

        @Override
        public ChatPlatform platform() {
            return platform;
        }

        @Override
        public String chat() {
            return "chat-1";
        }

        @Override
        public CompletionStage<Boolean> write(String text, String messageId) {
            return client.sendAsync(request(text, messageId), HttpResponse.BodyHandlers.discarding())
                    .thenApply(response -> response.statusCode() < 300);
        }

        private HttpRequest request(String text, String messageId) {
            try {
                return HttpRequest.newBuilder(platform.address().orElseThrow().resolve("/v1/messages"))
                        .header(
                                "Authorization",
                                "Bearer "
                                        + Files.readString(GatewayClient.tokenFile(home))
                                                .strip())
                        .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(
                                Map.of("chat_id", chat(), "text", text, "message_id", messageId, "wait", false))))
                        .build();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public List<String> shown() {
            return List.copyOf(shown);
        }

        @Override
        public List<String> files() {
            return List.copyOf(files);
        }

        @Override
        public boolean disconnect() {
            receiver.stop();
            return true;
        }

        @Override
        public void close() {
            platform.stop();
            receiver.stop();
            gateway.close();
        }
    }
}
