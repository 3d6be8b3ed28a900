package dev.parley.fakes.signal;

import com.sun.net.httpserver.HttpExchange;
import dev.parley.fakes.network.Fault;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One stream of events. Like the real daemon's on newer Java, its head goes out with the first line and no sooner. */
final class Stream {
    /** What stands before an event of which only a half is sent. */
    static final String BREAK = "\u0000";

    private final HttpExchange exchange;
    private final Fault fault;
    private boolean begun;
    private boolean silent;
    private long sent;

    Stream(HttpExchange exchange, Fault fault) {
        this.exchange = exchange;
        this.fault = fault;
    }

    /** Returns whether an event still gets through whole; where not, the stream is silent from now on, or over. */
    boolean takes(String data) {
        long after = sent + bytes(data).length;
        if (fault instanceof Fault.HalfOpen half && after > half.bytes()) {
            silent = true;
        }
        return !silent && !(fault instanceof Fault.CutAnswer cut && after > cut.bytes());
    }

    boolean isSilent() {
        return silent;
    }

    /** Sends an event, or a sign of life; returns whether the stream stands. */
    boolean send(Optional<String> data) throws IOException {
        boolean breaks = data.filter(text -> text.startsWith(BREAK)).isPresent();
        byte[] bytes = data.map(text -> breaks ? text.substring(BREAK.length()) : text)
                .map(Stream::bytes)
                .orElse(":\n".getBytes(StandardCharsets.UTF_8));
        if (!begun) {
            begun = true;
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
        }
        OutputStream out = exchange.getResponseBody();
        out.write(bytes, 0, breaks ? bytes.length / 2 : bytes.length);
        out.flush();
        sent += bytes.length;
        return !breaks;
    }

    private static byte[] bytes(String data) {
        return ("event:receive\ndata:" + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}
