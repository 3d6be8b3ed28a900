package dev.parley.benchmarks;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Asks a gateway on a large home for each page of its console, over HTTP and one after the other: how long the page takes, from sending the
 * request until its last byte, what the server's processor works for it, and how large it is. The home is a copy.
 */
final class ConsolePages {
    private static final int USUAL = 1_000_000;
    private static final int QUICK = 20_000;
    private static final int WARM = 5;
    private static final int ASKED = 21;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Path home;
    private final Process gateway;
    private final URI address;

    private ConsolePages(Path home, Process gateway, URI address) {
        this.home = home;
        this.gateway = gateway;
        this.address = address;
    }

    /** Prints a table in Markdown, of a home of 100,000 lanes and 1,000,000 messages; {@code --quick} takes 2,000 and 20,000. */
    public static void main(String[] arguments) throws Exception {
        int messages = List.of(arguments).contains("--quick") ? QUICK : USUAL;
        Path made = ScaleHome.of(messages);
        Path home = Files.createTempDirectory(made.getParent(), "pages-");
        try {
            Files.copy(made.resolve("state.db"), home.resolve("state.db"));
            Files.writeString(home.resolve("parley.yaml"), "platforms:\n  http:\n    port: 0\n");
            Process gateway = new ProcessBuilder(
                            System.getProperty(Commands.PROGRAM, "./parley"), "--home", home.toString(), "gateway")
                    .redirectInput(new File("/dev/null"))
                    .redirectError(home.resolve("errors.txt").toFile())
                    .start();
            try (BufferedReader lines = gateway.inputReader(StandardCharsets.UTF_8)) {
                new ConsolePages(
                                home,
                                gateway,
                                URI.create(String.valueOf(lines.readLine()).strip()))
                        .run(messages);
            } finally {
                gateway.destroy();
                if (!gateway.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    gateway.destroyForcibly().waitFor();
                }
            }
        } finally {
            Stores.remove(home);
        }
    }

    private void run(int messages) throws IOException, InterruptedException {
        System.out.println("| Page | median, ms | slowest of " + ASKED + ", ms | processor, ms | KB |");
        System.out.println("|---|---|---|---|---|");
        for (String page : pages(messages)) {
            System.out.println(line(page));
        }
    }

    private List<String> pages(int messages) throws IOException, InterruptedException {
        List<String> pages = new ArrayList<>(List.of("/", "/lanes", "/sessions", "/sessions?order=start"));
        pages.add(behind("/lanes", messages));
        pages.add("/lanes?state=suspended");
        pages.add("/lanes?q=c0000042");
        pages.add(String.format(Locale.ROOT, "/lane?key=agent:main:telegram:dm:c%07d", 42));
        pages.add("/session?id=" + ScaleHome.session(0).value());
        pages.addAll(List.of(
                "/usage?days=30&by=day",
                "/deliveries?state=all",
                "/failures",
                "/events?all=1",
                "/storage",
                "/recovery",
                "/settings?all=1",
                "/audit",
                "/what-if",
                "/sessions/prune?days=7",
                "/search?q=" + URLEncoder.encode(ChatTexts.TWO_WORDS, StandardCharsets.UTF_8)));
        return pages;
    }

    /** Returns a page some pages behind the first. */
    private String behind(String page, int messages) throws IOException, InterruptedException {
        String at = page;
        for (int i = 0; i < Math.min(20, ScaleHome.lanes(messages) / 100); i++) {
            String html = get(at).body();
            int next = html.indexOf("rel=\"next\"");
            int begins = html.lastIndexOf("href=\"", next) + "href=\"".length();
            at = html.substring(begins, html.indexOf('"', begins))
                    .replace("/console", "")
                    .replace("&amp;", "&")
                    .replace("&#x3D;", "=");
        }
        return at;
    }

    private String line(String page) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(page);
        for (int i = 1; i < WARM; i++) {
            answer = get(page);
        }
        List<Long> took = new ArrayList<>();
        Duration before = processor();
        for (int i = 0; i < ASKED; i++) {
            long begun = System.nanoTime();
            answer = get(page);
            took.add(System.nanoTime() - begun);
        }
        Duration worked = processor().minus(before);
        Collections.sort(took);
        return String.format(
                Locale.ROOT,
                "| `%s`%s | %.0f | %.0f | %.0f | %d |",
                page.length() > 60 ? page.substring(0, 40) + "…" : page,
                answer.statusCode() == 200 ? "" : " (" + answer.statusCode() + ")",
                took.get(ASKED / 2) / 1e6,
                took.get(ASKED - 1) / 1e6,
                (double) worked.toMillis() / ASKED,
                answer.body().length() >> 10);
    }

    private Duration processor() {
        return gateway.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private HttpResponse<String> get(String page) throws IOException, InterruptedException {
        String token = Files.readString(home.resolve("http-token")).strip();
        return client.send(
                HttpRequest.newBuilder(address.resolve("/console" + page))
                        .header("Authorization", "Bearer " + token)
                        .timeout(PATIENCE)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
