package dev.parley.adapter.metrics;

import dev.parley.application.spi.WebSurface;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** Times what is asked of the gateway's web server. Safe for concurrent use. */
final class RequestMeters {
    /** Those of the conventions: 5 ms to 10 s. */
    private static final Duration[] BUCKETS = LongStream.of(
                    5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT");

    private final BoundedWord routes = new BoundedWord();
    private final Kept<Timer> requests;

    RequestMeters(MeterRegistry registry) {
        this.requests = new Kept<>(
                List.of(Names.METHOD, Names.ROUTE, Names.STATUS),
                (Tags tags) -> Timer.builder(Names.REQUESTS)
                        .description("How long requests took.")
                        .serviceLevelObjectives(BUCKETS)
                        .tags(tags)
                        .register(registry));
        Timer unused = timer("GET", "/metrics", 200);
    }

    void served(WebSurface.Served request) {
        timer(request.method(), request.route(), request.status()).record(request.took());
    }

    private Timer timer(String method, String route, int status) {
        return requests.of(METHODS.contains(method) ? method : "_OTHER", routes.shown(route), String.valueOf(status));
    }
}
