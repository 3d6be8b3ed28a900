package dev.parley.adapter.console;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.WebPieces;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.application.spi.WebStream;
import dev.parley.testing.RecordingEvents;
import dev.parley.testing.TestGateway;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** A visit to the console of a real gateway, without a server between. What the console does later waits until the visit goes on. */
final class Visit {
    private final SerialExecutor tasks = new SerialExecutor();
    private final VirtualTimers timers;
    private final TestGateway gateway;
    private final Console console;
    private final List<String> warnings = new ArrayList<>();

    Visit(TestGateway gateway) {
        this(gateway, gateway.gateway());
    }

    /** A visit to a console that looks at the gateway through something else. */
    Visit(TestGateway gateway, GatewayInspection seen) {
        this(gateway, seen, home());
    }

    /** A visit to a console of a gateway with this home. */
    Visit(TestGateway gateway, Path home) {
        this(gateway, gateway.gateway(), home);
    }

    private static Path home() {
        try {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target")), "home");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Visit(TestGateway gateway, GatewayInspection seen, Path home) {
        this.gateway = gateway;
        this.timers = new VirtualTimers(gateway.clock(), tasks);
        this.console = new Console(ProviderSettings.builder("console", home)
                .clock(gateway.clock())
                .ids(new SeededIds(7))
                .timers(timers)
                .executor(tasks)
                .warnings(warnings::add)
                .inspection(seen)
                .build());
    }

    WebResponse.Whole get(String address, WebRole role) {
        int mark = address.indexOf('?');
        String path = mark < 0 ? address : address.substring(0, mark);
        return ask("GET", path, mark < 0 ? Map.of() : parameters(address.substring(mark + 1)), Map.of(), role);
    }

    Document page(String address) {
        return Jsoup.parse(get(address, WebRole.OPERATOR).body());
    }

    WebResponse.Whole post(String path, String form, WebRole role) {
        return ask("POST", path, Map.of(), parameters(form), role);
    }

    WebRole needed(String method, String path) {
        return console.needed(method, Link.ROOT + path);
    }

    private WebResponse.Whole ask(
            String method, String path, Map<String, List<String>> query, Map<String, List<String>> form, WebRole role) {
        return (WebResponse.Whole) answer(method, path, query, form, Map.of(), role);
    }

    /** Asks for a file, with headers. */
    WebResponse save(String address, WebRole role, Map<String, String> headers) {
        int mark = address.indexOf('?');
        String path = mark < 0 ? address : address.substring(0, mark);
        return answer(
                "GET", path, mark < 0 ? Map.of() : parameters(address.substring(mark + 1)), Map.of(), headers, role);
    }

    /** Returns the pieces of a file that an operator saves. */
    List<String> saved(String address) {
        WebResponse answer = save(address, WebRole.OPERATOR, Map.of());
        if (answer instanceof WebResponse.Whole whole) {
            return List.of(whole.body());
        }
        WebPieces source = ((WebResponse.Pieces) answer).source();
        List<String> pieces = new ArrayList<>();
        for (Optional<String> piece = source.next(); piece.isPresent(); piece = source.next()) {
            pieces.add(piece.get());
        }
        return pieces;
    }

    private WebResponse answer(
            String method,
            String path,
            Map<String, List<String>> query,
            Map<String, List<String>> form,
            Map<String, String> headers,
            WebRole role) {
        return console.answer(new WebRequest(
                method,
                Link.ROOT + path,
                query,
                form,
                headers,
                new WebRequest.Caller(role, "somebody", Optional.of("proof"), "127.0.0.1")));
    }

    /** Opens the stream of changes of a page. */
    WebStream stream(String topics, String since) {
        WebResponse answer = answer(
                "GET",
                "/stream",
                Map.of("topics", List.of(topics), "since", List.of(since)),
                Map.of(),
                Map.of(),
                WebRole.READER);
        return ((WebResponse.Stream) answer).source();
    }

    /** Tells the console what has happened in the gateway. */
    void tell(List<? extends GatewayEvent> events) {
        events.forEach(console::on);
    }

    private static Map<String, List<String>> parameters(String text) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        Arrays.stream(text.split("&", -1)).filter(pair -> pair.contains("=")).forEach(pair -> {
            String[] parts = pair.split("=", 2);
            parameters.put(
                    java.net.URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                    List.of(java.net.URLDecoder.decode(parts[1], StandardCharsets.UTF_8)));
        });
        return parameters;
    }

    /** Does what is due now. */
    void settle() {
        tasks.runUntilIdle();
    }

    /** Lets so much time pass. */
    void pass(Duration time) {
        timers.advance(time);
    }

    /** Returns what was done, as told to the audit. */
    List<String> acts() {
        RecordingEvents events = gateway.events();
        return events.of(GatewayEvent.OperatorActed.class).stream()
                .map(act -> act.role() + " " + act.action() + " " + act.outcome())
                .toList();
    }

    List<String> warnings() {
        return warnings;
    }
}
