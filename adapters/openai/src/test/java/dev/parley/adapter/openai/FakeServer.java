package dev.parley.adapter.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server on a real socket that answers each request as the next script says, down to the byte. */
final class FakeServer implements AutoCloseable {
    /** What a server does with one connection, after it has read the request. */
    interface Script {
        void run(Connection connection) throws IOException, InterruptedException;
    }

    /** A request as it came. */
    record Request(String line, Map<String, String> headers, JsonNode body) {}

    private final ServerSocket socket;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Script> scripts = new ConcurrentLinkedQueue<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<Request> requests = new LinkedBlockingQueue<>();

    /** Counts down when a client has gone away from a script that waits for it. */
    final CountDownLatch hungUp = new CountDownLatch(1);

    FakeServer() throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort() + "/v1";
    }

    FakeServer then(Script script) {
        scripts.add(script);
        return this;
    }

    /** Streams these chunks and ends as servers do. */
    FakeServer streams(String... chunks) {
        return then(connection -> {
            connection.head(200, "text/event-stream", "");
            for (String chunk : chunks) {
                connection.event(chunk);
            }
            connection.event("[DONE]");
            connection.end();
        });
    }

    FakeServer answers(int status, String headers, String body) {
        return then(connection -> {
            connection.head(status, "application/json", headers);
            connection.chunk(body);
            connection.end();
        });
    }

    Request request() throws InterruptedException {
        Request request = requests.poll(30, TimeUnit.SECONDS);
        if (request == null) {
            throw new AssertionError("no request came");
        }
        return request;
    }

    boolean isIdle() {
        return requests.isEmpty();
    }

    /** Drops the scripts that no request has asked for. */
    void forget() {
        scripts.clear();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                open.add(client);
                threads.execute(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            Request request = read(in);
            Script script = scripts.poll();
            requests.add(request);
            if (script != null) {
                script.run(new Connection(in, client.getOutputStream()));
            }
        } catch (IOException | InterruptedException over) {
            // The client or the test has gone.
        }
    }

    private static Request read(InputStream in) throws IOException {
        String line = line(in);
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Request(
                line,
                headers,
                Json.read(new String(body, StandardCharsets.UTF_8)).orElseThrow());
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("closed");
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
            for (Socket each : open) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }

    /** The server's side of a connection. */
    final class Connection {
        private final InputStream in;
        private final OutputStream out;

        Connection(InputStream in, OutputStream out) {
            this.in = in;
            this.out = out;
        }

        void head(int status, String type, String more) throws IOException {
            raw("HTTP/1.1 " + status + " Status\r\nContent-Type: " + type
                    + "\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n" + more + "\r\n");
        }

        void event(String data) throws IOException {
            chunk("data: " + data + "\n\n");
        }

        void chunk(String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (bytes.length > 0) {
                raw(Integer.toHexString(bytes.length) + "\r\n" + text + "\r\n");
            }
        }

        boolean isOpen() {
            return !socket.isClosed();
        }

        void end() throws IOException {
            raw("0\r\n\r\n");
        }

        void raw(String text) throws IOException {
            bytes(text.getBytes(StandardCharsets.UTF_8));
        }

        void bytes(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        /** Waits until the client closes the connection. */
        void untilHungUp() {
            try {
                while (in.read() >= 0) {
                    // A client that is answered says nothing more.
                }
            } catch (IOException reset) {
                // That is a way to hang up, too.
            }
            hungUp.countDown();
        }
    }
}
