package dev.parley.adapter.echo;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** A clock that stands still, timers that run when it is moved, and an executor that runs when it is told to. */
final class Surroundings implements Timers, Ids {
    private record Due(Instant at, Runnable task) {}

    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Due> due = new ArrayList<>();
    private int unique;

    ProviderSettings settings(Map<String, String> values) {
        return new ProviderSettings(
                "agents.echo",
                values,
                Map.of(),
                Path.of("target"),
                () -> now,
                this,
                this,
                tasks::add,
                w -> {},
                nothing());
    }

    void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    void advance(Duration by) {
        Instant until = now.plus(by);
        runAll();
        while (true) {
            Due next = due.stream()
                    .filter(d -> !d.at().isAfter(until))
                    .min(Comparator.comparing(Due::at))
                    .orElse(null);
            if (next == null) {
                break;
            }
            due.remove(next);
            now = next.at();
            next.task().run();
            runAll();
        }
        now = until;
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        Due entry = new Due(now.plus(delay), task);
        due.add(entry);
        return () -> due.remove(entry);
    }

    @Override
    public String sessionSuffix() {
        return "00000000";
    }

    @Override
    public String unique(String prefix) {
        return prefix + "-" + unique++;
    }

    @Override
    public Duration jitter(Duration least, Duration most) {
        return least;
    }

    private static GatewayInspection nothing() {
        return (GatewayInspection) Proxy.newProxyInstance(
                GatewayInspection.class.getClassLoader(), new Class<?>[] {GatewayInspection.class}, (p, method, a) -> {
                    throw new AssertionError("an agent does not look into the gateway: " + method);
                });
    }
}
