package dev.parley.adapter.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** A collector on loopback that reads what it is sent with the classes of OpenTelemetry, and keeps it. */
final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final int status;
    private final List<ExportTraceServiceRequest> requests = new CopyOnWriteArrayList<>();
    private final List<Map<String, String>> headers = new CopyOnWriteArrayList<>();
    private final List<String> raw = new CopyOnWriteArrayList<>();

    Collector() {
        this(200);
    }

    /** A collector that answers everything with a status. */
    Collector(int status) {
        this.status = status;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void take(HttpExchange exchange) throws IOException {
        Map<String, String> names = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        exchange.getRequestHeaders().forEach((name, values) -> names.put(name, values.get(0)));
        try (InputStream body = names.getOrDefault("content-encoding", "").equals("gzip")
                ? new GZIPInputStream(exchange.getRequestBody())
                : exchange.getRequestBody()) {
            byte[] bytes = body.readAllBytes();
            raw.add(new String(bytes, StandardCharsets.ISO_8859_1));
            requests.add(ExportTraceServiceRequest.parseFrom(bytes));
            headers.add(names);
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    /** Returns every span there is, in the order in which they came. */
    List<Span> spans() {
        return requests.stream()
                .flatMap(request -> request.getResourceSpansList().stream())
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    List<Span> spans(String name) {
        return spans().stream().filter(span -> span.getName().equals(name)).toList();
    }

    Resource resource() {
        return requests.get(0).getResourceSpans(0).getResource();
    }

    /** Returns everything that came, as it came; texts in it can be looked for. */
    String everything() {
        return String.join("\n", raw);
    }

    List<Map<String, String>> headers() {
        return headers;
    }

    static Optional<String> attribute(List<KeyValue> attributes, String name) {
        return attributes.stream()
                .filter(pair -> pair.getKey().equals(name))
                .findFirst()
                .map(KeyValue::getValue)
                .map(Collector::text);
    }

    static Optional<String> attribute(Span span, String name) {
        return attribute(span.getAttributesList(), name);
    }

    private static String text(AnyValue value) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> value.getStringValue();
            case INT_VALUE -> Long.toString(value.getIntValue());
            case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
            default -> value.toString();
        };
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
