package dev.parley.adapter.discord.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Proxy;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class SocketTest {
    @Test
    void aConnectionThatOpensAfterItWasGivenUpIsEnded() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Socket socket = new Socket(new Nothing());
        socket.close();
        socket.onOpen((WebSocket) Proxy.newProxyInstance(
                WebSocket.class.getClassLoader(), new Class<?>[] {WebSocket.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    return null;
                }));

        assertThat(asked).containsExactly("abort");
    }

    private static final class Nothing implements Socket.Frames {
        @Override
        public void event(Socket socket, JsonNode frame) {
            throw new AssertionError("nothing is told");
        }

        @Override
        public void beat(Socket socket) {
            throw new AssertionError("nobody asks for a heartbeat");
        }

        @Override
        public void invalid(Socket socket, boolean resumable) {
            throw new AssertionError("no session is given up");
        }

        @Override
        public void leaves(Socket socket) {
            throw new AssertionError("nobody asks to leave");
        }

        @Override
        public void ended(Socket socket) {
            // As it should.
        }
    }
}
