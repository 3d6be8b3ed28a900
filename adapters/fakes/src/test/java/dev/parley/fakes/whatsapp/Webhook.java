package dev.parley.fakes.whatsapp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A webhook that keeps what is posted, and answers as it is told to. */
final class Webhook implements AutoCloseable {
    final List<String> posts = new CopyOnWriteArrayList<>();
    final List<Map<String, List<String>>> headers = new CopyOnWriteArrayList<>();
    volatile int answer = 200;
    private final HttpServer server;

    Webhook() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/webhook", this::answer);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/webhook");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            headers.add(Map.copyOf(exchange.getRequestHeaders()));
            posts.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(answer, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
