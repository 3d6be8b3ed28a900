package dev.parley.adapter.kit.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Proxy;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class JsonSocketTest {
    private final List<String> asked = new ArrayList<>();
    private final List<CompletableFuture<WebSocket>> sent = new ArrayList<>();
    private final WebSocket open = (WebSocket) Proxy.newProxyInstance(
            WebSocket.class.getClassLoader(), new Class<?>[] {WebSocket.class}, (proxy, method, arguments) -> {
                boolean sends = method.getName().equals("sendText");
                asked.add(sends ? "sendText " + arguments[0] : method.getName());
                if (!sends) {
                    return null;
                }
                CompletableFuture<WebSocket> done = new CompletableFuture<>();
                sent.add(done);
                return done;
            });
    private final Heard socket = new Heard();

    @Test
    void aConnectionThatOpensAfterItWasGivenUpIsEnded() {
        socket.close();
        socket.onOpen(open);

        assertThat(asked).containsExactly("abort");
    }

    @Test
    void aFrameComesWholeAndWithoutItsNulls() {
        socket.onOpen(open);
        socket.onText(open, "{\"a\":1,", false);
        socket.onText(open, "\"b\":null}", true);

        assertThat(socket.told).containsExactly("{\"a\":1}");
    }

    @Test
    void whatIsNoJsonIsLeftOut() {
        socket.onOpen(open);
        socket.onText(open, "{\"a\":", true);
        socket.onText(open, "{\"b\":2}", true);

        assertThat(socket.told).containsExactly("{\"b\":2}");
    }

    @Test
    void aFrameThatIsTooLongEndsTheConnection() {
        socket.onOpen(open);
        socket.onText(open, "{\"a\":1111", false);
        socket.onText(open, "111111111}", true);

        assertThat(socket.isEnded()).isTrue();
        assertThat(asked).endsWith("abort");
        assertThat(socket.told).containsExactly("ended");
    }

    @Test
    void noFrameIsToldOnceTheConnectionHasEnded() {
        socket.onOpen(open);
        socket.close();
        socket.onText(open, "{\"a\":1}", true);

        assertThat(socket.told).containsExactly("ended");
    }

    @Test
    void whatIsSentWaitsForWhatWasSentBefore() {
        socket.onOpen(open);
        socket.send("one");
        socket.send("two");
        assertThat(asked).containsExactly("request", "sendText one");

        sent.get(0).complete(open);
        assertThat(asked).containsExactly("request", "sendText one", "sendText two");
    }

    @Test
    void aSendThatFailsEndsTheConnection() {
        socket.onOpen(open);
        socket.send("one");
        sent.get(0).completeExceptionally(new IllegalStateException("gone"));

        assertThat(socket.isEnded()).isTrue();
        assertThat(asked).endsWith("abort");
    }

    @Test
    void theServersStatusIsToldBeforeTheEnd() {
        socket.onOpen(open);
        socket.onClose(open, 4004, "no");

        assertThat(socket.told).containsExactly("closed 4004", "ended");
    }

    private static final class Heard extends JsonSocket {
        private final List<String> told = new ArrayList<>();

        private Heard() {
            super(16);
        }

        private void send(String text) {
            send(socket -> socket.sendText(text, true));
        }

        @Override
        protected void frame(JsonNode frame) {
            told.add(frame.toString());
        }

        @Override
        protected void closed(int status) {
            told.add("closed " + status);
        }

        @Override
        protected void ended() {
            told.add("ended");
        }
    }
}
