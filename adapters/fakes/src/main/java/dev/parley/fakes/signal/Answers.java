package dev.parley.fakes.signal;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;

/** How requests are answered, whole or in part. */
final class Answers {
    /** As many bytes count for the head of an answer. */
    static final int HEAD = 120;

    private Answers() {}

    /** Answers a request. */
    interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    static void guarded(HttpExchange exchange, Handler handler) throws IOException {
        try (exchange) {
            handler.handle(exchange);
        }
    }

    static void check(HttpExchange exchange) throws IOException {
        status(exchange, exchange.getRequestURI().getPath().equals("/api/v1/check") ? allowed(exchange, "GET") : 404);
    }

    static int allowed(HttpExchange exchange, String method) {
        return exchange.getRequestMethod().equals(method) ? 200 : 405;
    }

    static void status(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
    }

    /** Sends so many bytes of an answer, and no more. */
    static void part(HttpExchange exchange, byte[] body, long bytes) throws IOException {
        if (bytes >= HEAD) {
            exchange.sendResponseHeaders(200, body.length);
            OutputStream out = exchange.getResponseBody();
            out.write(body, 0, (int) bytes - HEAD);
            out.flush();
        }
    }
}
