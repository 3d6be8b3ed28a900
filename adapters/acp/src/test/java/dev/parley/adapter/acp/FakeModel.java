package dev.parley.adapter.acp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A model behind the protocol of OpenAI-compatible servers, for a program that needs one. Asked to {@code make NAME} it calls the program's
 * shell, asked to {@code hang} it says nothing more, and everything else it answers with what it was asked last.
 */
final class FakeModel implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ServerSocket socket;
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final List<List<String>> calls = new CopyOnWriteArrayList<>();

    FakeModel() {
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort() + "/v1";
    }

    /** Waits until it hangs. */
    void awaitHanging() throws InterruptedException {
        assertThat(hanging.await(2, TimeUnit.MINUTES)).as("the model was asked").isTrue();
    }

    /** Returns what people said in each call with tools so far. */
    List<List<String>> calls() {
        return List.copyOf(calls);
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = socket.accept();
                threads.execute(() -> answer(caller));
            }
        } catch (IOException closed) {
            threads.shutdownNow();
        }
    }

    private void answer(Socket caller) {
        try (caller;
                InputStream in = new BufferedInputStream(caller.getInputStream());
                OutputStream out = caller.getOutputStream()) {
            int length = 0;
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                String header = line.toLowerCase(Locale.ROOT);
                if (header.startsWith("content-length:")) {
                    length = Integer.parseInt(
                            header.substring(header.indexOf(':') + 1).strip());
                }
            }
            JsonNode asked = Json.read(new String(in.readNBytes(length), UTF_8)).orElseThrow();
            out.write(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n".getBytes(UTF_8));
            out.flush();
            say(asked, in, out);
        } catch (IOException gone) {
            // The program has ended, or asks no longer.
        }
    }

    private void say(JsonNode asked, InputStream in, OutputStream out) throws IOException {
        List<String> users = new ArrayList<>();
        asked.path("messages").forEach(message -> {
            if (Json.text(message, "role").equals("user")) {
                users.add(text(message.path("content")));
            }
        });
        boolean withTools = !asked.path("tools").isEmpty();
        if (withTools) {
            calls.add(List.copyOf(users));
        }
        JsonNode messages = asked.path("messages");
        JsonNode latest = messages.path(messages.size() - 1);
        String said = users.isEmpty() ? "" : users.get(users.size() - 1);
        ObjectNode delta = Json.object().put("role", "assistant");
        boolean answered = !Json.text(latest, "role").equals("user");
        if (withTools && !answered && said.startsWith("make ")) {
            ObjectNode call = delta.putArray("tool_calls")
                    .addObject()
                    .put("index", 0)
                    .put("id", "call-" + calls.size())
                    .put("type", "function");
            call.putObject("function")
                    .put("name", "bash")
                    .put(
                            "arguments",
                            Json.write(Json.object()
                                    .put("command", "touch " + said.substring("make ".length()))
                                    .put("description", "Makes a file")));
        } else if (withTools && said.startsWith("hang")) {
            hanging.countDown();
            // Until the program gives up.
            in.read();
            return;
        } else {
            delta.put("content", "You said: " + said);
        }
        event(out, delta, "");
        event(out, Json.object(), delta.has("tool_calls") ? "tool_calls" : "stop");
        out.write("data: [DONE]\n\n".getBytes(UTF_8));
    }

    private static void event(OutputStream out, ObjectNode delta, String finish) throws IOException {
        ObjectNode chunk = Json.object()
                .put("id", "1")
                .put("object", "chat.completion.chunk")
                .put("created", 1)
                .put("model", "small");
        ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
        choice.set("delta", delta);
        if (!finish.isEmpty()) {
            choice.put("finish_reason", finish);
        }
        out.write(("data: " + Json.write(chunk) + "\n\n").getBytes(UTF_8));
    }

    /** Returns what somebody said; notes of the gateway stand before it. */
    private static String text(JsonNode content) {
        StringBuilder text = new StringBuilder(content.isTextual() ? content.asText() : "");
        content.forEach(part -> text.append(Json.text(part, "text")));
        return text.substring(text.lastIndexOf("\n") + 1);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != -1 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return new String(line.toString().getBytes(ISO_8859_1), UTF_8).strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        threads.shutdownNow();
    }
}
