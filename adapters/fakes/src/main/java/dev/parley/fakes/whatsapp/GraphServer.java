package dev.parley.fakes.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.parley.fakes.loopback.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Graph API of one number. Safe for concurrent use. */
final class GraphServer implements AutoCloseable {
    private static final int BURST = 45;
    private static final Duration PAIR = Duration.ofSeconds(6);
    private static final int MOST_PER_SECOND = 80;
    private static final String SPENT = "(#131056) (Business Account, Consumer Account) pair rate limit hit";

    private final FakeWhatsApp whatsapp;
    private final String token;
    private final String number;
    private final InstantSource clock;
    private final LoopbackServer server;
    private final Map<String, StoredFile> files = new HashMap<>();
    private final Map<String, Deque<GraphFault>> planned = new HashMap<>();
    private final Map<String, Deque<Instant>> sent = new HashMap<>();
    private final List<FakeWhatsApp.Call> calls = new ArrayList<>();
    private long nextFile = 10_000;
    private boolean limits;
    private boolean statuses;

    GraphServer(FakeWhatsApp whatsapp, String token, String number, InstantSource clock) {
        this.whatsapp = whatsapp;
        this.token = token;
        this.number = number;
        this.clock = clock;
        this.server = new LoopbackServer("fake-graph-api", Map.of("/", this::answer));
        start();
    }

    URI address() {
        return server.address();
    }

    void start() {
        server.start();
    }

    void stop() {
        server.stop();
    }

    @Override
    public void close() {
        server.close();
    }

    synchronized void plan(String call, GraphFault fault) {
        planned.computeIfAbsent(call, c -> new ArrayDeque<>()).add(fault);
    }

    synchronized void keepLimits() {
        limits = true;
    }

    synchronized void tellStatuses() {
        statuses = true;
    }

    synchronized boolean tellsStatuses() {
        return statuses;
    }

    synchronized List<FakeWhatsApp.Call> calls() {
        return List.copyOf(calls);
    }

    synchronized String keep(StoredFile file) {
        String id = String.valueOf(nextFile++);
        files.put(id, file);
        return id;
    }

    synchronized StoredFile file(String id) {
        return Optional.ofNullable(files.get(id))
                .orElseThrow(() -> new IllegalArgumentException("There is no file " + id + "."));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] request = exchange.getRequestBody().readAllBytes();
            try {
                String path = exchange.getRequestURI().getPath();
                authorize(exchange);
                if (path.startsWith("/files/")) {
                    StoredFile file = stored(path.substring("/files/".length()));
                    log("file", request);
                    reply(exchange, 200, file.mediaType(), file.content());
                    return;
                }
                String rest = path.replaceFirst("^/v[0-9]+\\.[0-9]+", "").substring(1);
                JsonNode answer = call(exchange, rest, request);
                reply(exchange, 200, "application/json", FakeWhatsApp.utf8(answer.toString()));
            } catch (GraphFault e) {
                e.retryAfter()
                        .ifPresent(pause ->
                                exchange.getResponseHeaders().add("Retry-After", String.valueOf(pause.toSeconds())));
                reply(exchange, e.status(), "application/json", FakeWhatsApp.utf8(error(e).toString()));
            }
        }
    }

    private void authorize(HttpExchange exchange) throws GraphFault {
        String header = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        String query = String.valueOf(exchange.getRequestURI().getRawQuery());
        boolean shown = header.equals("Bearer " + token) || query.contains("access_token=" + token);
        if (!shown) {
            throw GraphFault.of(401, 190, "Invalid OAuth access token - Cannot parse access token");
        }
    }

    private JsonNode call(HttpExchange exchange, String path, byte[] request) throws GraphFault {
        boolean post = exchange.getRequestMethod().equals("POST");
        if (path.equals(number) && !post) {
            log("phone_number", request);
            return whatsapp.itself();
        }
        if (path.equals(number + "/messages") && post) {
            JsonNode body = log("messages", request);
            return body.path("status").asText().equals("read") ? read(body) : shown(body);
        }
        if (path.equals(number + "/media") && post) {
            log("media", new byte[0]);
            String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
            return Posted.JSON.createObjectNode().put("id", keep(StoredFile.uploaded(type, request)));
        }
        if (path.matches("[0-9]+") && !post) {
            log("media", request);
            StoredFile file = stored(path);
            return Posted.JSON
                    .createObjectNode()
                    .put("messaging_product", "whatsapp")
                    .put("url", address() + "/files/" + path)
                    .put("mime_type", file.mediaType())
                    .put("sha256", file.sha256())
                    .put("file_size", file.content().length)
                    .put("id", path);
        }
        throw unknown(path);
    }

    private JsonNode read(JsonNode body) throws GraphFault {
        whatsapp.read(body);
        return Posted.JSON.createObjectNode().put("success", true);
    }

    private JsonNode shown(JsonNode body) throws GraphFault {
        SentMessage.check(body);
        String to = body.path("to").asText().replace("+", "");
        pace(to);
        ObjectNode answer = Posted.JSON.createObjectNode().put("messaging_product", "whatsapp");
        answer.putArray("contacts")
                .addObject()
                .put("input", body.path("to").asText())
                .put("wa_id", to);
        answer.putArray("messages").addObject().put("id", whatsapp.take(body));
        return answer;
    }

    private synchronized JsonNode log(String name, byte[] request) throws GraphFault {
        JsonNode body = MissingNode.getInstance();
        try {
            body = request.length == 0 ? body : Posted.JSON.readTree(request);
        } catch (IOException notJson) {
            throw GraphFault.of(400, 100, "(#100) Invalid parameter");
        }
        String said = body.path("status").asText().equals("read") ? "read" : name;
        calls.add(new FakeWhatsApp.Call(said, body));
        Deque<GraphFault> faults = planned.get(said);
        if (faults != null && !faults.isEmpty()) {
            throw faults.poll();
        }
        return body;
    }

    /** Keeps the limits where that is wanted. */
    private synchronized void pace(String to) throws GraphFault {
        if (!limits) {
            return;
        }
        Instant now = clock.instant();
        Deque<Instant> pair = times(to, PAIR.multipliedBy(BURST), now);
        Deque<Instant> all = times("all", Duration.ofSeconds(1), now);
        if (pair.size() >= BURST) {
            throw GraphFault.of(400, 131056, SPENT);
        }
        if (all.size() >= MOST_PER_SECOND) {
            throw GraphFault.of(429, 130429, "(#130429) Rate limit hit");
        }
        pair.add(now);
        all.add(now);
    }

    private Deque<Instant> times(String name, Duration window, Instant now) {
        Deque<Instant> times = sent.computeIfAbsent(name, n -> new ArrayDeque<>());
        while (!times.isEmpty() && !times.peek().plus(window).isAfter(now)) {
            times.poll();
        }
        return times;
    }

    private synchronized StoredFile stored(String id) throws GraphFault {
        StoredFile file = files.get(id);
        if (file == null) {
            throw unknown(id);
        }
        return file;
    }

    private static GraphFault unknown(String path) {
        return new GraphFault(
                400,
                100,
                33,
                "Unsupported request. Object with ID '" + path.replaceAll("/.*", "") + "' does not exist, cannot be"
                        + " loaded due to missing permissions, or does not support this operation",
                Optional.empty());
    }

    private static ObjectNode error(GraphFault fault) {
        ObjectNode answer = Posted.JSON.createObjectNode();
        ObjectNode error = answer.putObject("error")
                .put("message", fault.getMessage())
                .put("type", "OAuthException")
                .put("code", fault.code())
                .put("fbtrace_id", "AbC");
        if (fault.subcode() != 0) {
            error.put("error_subcode", fault.subcode());
        }
        return answer;
    }

    private static void reply(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }
}
