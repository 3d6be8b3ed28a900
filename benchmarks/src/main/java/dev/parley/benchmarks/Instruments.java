package dev.parley.benchmarks;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/**
 * Measures what metrics, a log in JSON and traces add to a turn: the same turns by gateways of the distribution with and without them, in
 * rounds, one gateway after the other in each and in changing order. A second gateway without any shows how far two equal gateways lie
 * apart.
 */
final class Instruments {
    private static final int WARM = 4;

    private final List<Variant> variants = new ArrayList<>();
    private final int rounds;
    private final int turns;

    private Instruments(boolean quick) {
        rounds = quick ? 3 : 12;
        turns = quick ? 100 : 250;
    }

    /** Prints a table in Markdown; {@code --quick} measures fewer turns in fewer rounds. */
    public static void main(String[] arguments) throws Exception {
        new Instruments(List.of(arguments).contains("--quick")).run();
    }

    private void run() throws Exception {
        Path folder = Stores.folder();
        AtomicLong taken = new AtomicLong();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        HttpServer collector = collector(taken, executor);
        try {
            start(folder, "none", "off", "text", "");
            start(folder, "none, a second time", "off", "text", "");
            start(folder, "all", "on", "json", traces(collector.getAddress().getPort()));
            start(folder, "all, and no collector there", "on", "json", traces(unused()));
            for (int i = 0; i < WARM + rounds; i++) {
                round(i);
            }
            print(taken.get());
        } finally {
            for (Variant variant : variants) {
                variant.gateway.stop();
            }
            collector.stop(0);
            executor.shutdownNow();
            Stores.remove(folder);
        }
    }

    private void start(Path folder, String name, String metrics, String log, String observers) throws IOException {
        String settings = "platforms:\n  http:\n    port: 0\n    metrics: " + metrics + "\n" + observers;
        Path home = folder.resolve("home-" + variants.size());
        variants.add(new Variant(name, TurnProcess.start(home, settings, log), new ArrayList<>()));
    }

    private static String traces(int port) {
        return "observers:\n  otlp:\n    endpoint: http://127.0.0.1:" + port + "\n";
    }

    /** Takes traces and does nothing with them. */
    private static HttpServer collector(AtomicLong taken, ExecutorService executor) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/v1/traces", exchange -> {
            taken.addAndGet(exchange.getRequestBody().transferTo(OutputStream.nullOutputStream()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** Returns a port where nobody listened a moment ago. */
    private static int unused() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void round(int number) throws IOException, InterruptedException {
        List<Variant> order = new ArrayList<>(variants);
        Collections.rotate(order, number);
        if (number % 2 == 1) {
            Collections.reverse(order);
        }
        for (Variant variant : order) {
            TurnProcess.Cost cost = variant.gateway.turns(turns);
            if (number >= WARM) {
                variant.costs.add(cost);
            }
        }
    }

    private void print(long taken) {
        System.out.printf(
                Locale.ROOT,
                "%nJava %s, %d processors; %d rounds of %d turns by each; the collector took %d KB. Milliseconds of a turn; the ratios are"
                        + " medians of those of the rounds.%n%n",
                System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors(),
                rounds,
                turns,
                taken >> 10);
        System.out.println("| Instruments | a turn | processor | ratio | ratio of the processor's time |");
        System.out.println("|---|---|---|---|---|");
        for (Variant variant : variants) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.2f | %.2f | %.3f | %.3f |%n",
                    variant.name,
                    millis(variant, TurnProcess.Cost::wall),
                    millis(variant, TurnProcess.Cost::processor),
                    ratio(variant, TurnProcess.Cost::wall),
                    ratio(variant, TurnProcess.Cost::processor));
        }
    }

    private double millis(Variant variant, ToLongFunction<TurnProcess.Cost> of) {
        return Rounds.median(variant.costs.stream()
                .map(cost -> of.applyAsLong(cost) / 1e6 / turns)
                .toList());
    }

    /** Compares with the first, which has no instruments. */
    private double ratio(Variant variant, ToLongFunction<TurnProcess.Cost> of) {
        List<TurnProcess.Cost> plain = variants.get(0).costs;
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < plain.size(); i++) {
            ratios.add((double) of.applyAsLong(variant.costs.get(i)) / Math.max(1, of.applyAsLong(plain.get(i))));
        }
        return Rounds.median(ratios);
    }

    /** A gateway with some instruments, and what its turns took in each round. */
    private record Variant(String name, TurnProcess gateway, List<TurnProcess.Cost> costs) {}
}
