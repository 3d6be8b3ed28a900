package dev.parley.fakes.surroundings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server on loopback that reads one request from each connection and answers it as its handler likes, or not at all. */
final class MoodyServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ServerSocket socket;
    private final Handler handler;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closing = new CountDownLatch(1);

    /** Says what becomes of a request; the connection ends when it returns. */
    interface Handler {
        void handle(Request request, Answer answer) throws IOException, InterruptedException;
    }

    /** A request as it came; the names of headers are in lower case. */
    record Request(String path, Map<String, String> headers, JsonNode body) {
        /** Returns whose request it is: the first step of its path. */
        String by() {
            return path.split("/", 3)[1];
        }
    }

    MoodyServer(Handler handler) throws IOException {
        this.handler = handler;
        socket = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                open.add(client);
                threads.execute(() -> serve(client));
            }
        } catch (IOException closed) {
            // The run is over.
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            handler.handle(read(in), new Answer(in, client.getOutputStream()));
        } catch (IOException | InterruptedException gone) {
            // Clients are killed here, so they may hang up at any time.
        } finally {
            open.remove(client);
        }
    }

    private static Request read(InputStream in) throws IOException {
        String path = line(in).split(" ", 3)[1];
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Request(path, headers, JSON.readTree(body));
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
        closing.countDown();
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

    /** The way back to the client. */
    final class Answer {
        private final InputStream in;
        private final OutputStream out;

        private Answer(InputStream in, OutputStream out) {
            this.in = in;
            this.out = out;
        }

        /** Answers with a status and nothing else. */
        void status(int status) throws IOException {
            raw("HTTP/1.1 " + status + " Status\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }

        /** Begins a stream of events, which ends with the connection. */
        void events() throws IOException {
            raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
        }

        void event(String data) throws IOException {
            raw("data: " + data + "\n\n");
        }

        private void raw(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        /** Lets time pass; less where the run is over. */
        void pause(long millis) throws InterruptedException {
            closing.await(millis, TimeUnit.MILLISECONDS);
        }

        /** Says nothing until the client gives up. */
        void hang() throws IOException {
            while (in.read() >= 0) {
                // Whoever waits for an answer says nothing more.
            }
        }
    }
}
