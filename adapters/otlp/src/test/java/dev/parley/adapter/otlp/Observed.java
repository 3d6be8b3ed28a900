package dev.parley.adapter.otlp;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.Observer;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.home.DeferredInspection;
import dev.parley.testing.RecordingEvents;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** An observer as the configuration makes it, with timers that run when they are told to. */
final class Observed implements Timers, Ids, InstantSource {
    final Map<String, String> values = new HashMap<>();
    final Map<String, String> environment = new HashMap<>();
    final List<String> warnings = new ArrayList<>();
    final RecordingEvents failures = new RecordingEvents();
    private final Path home;
    private final List<Runnable> later = new CopyOnWriteArrayList<>();
    private Executor executor = Runnable::run;
    InstantSource clock = InstantSource.fixed(Instant.parse("2026-03-10T09:00:00Z"));

    Observed(Path home) {
        this.home = home;
    }

    Observed to(String endpoint) {
        return with("endpoint", endpoint);
    }

    Observed with(String setting, String value) {
        values.put(setting, value);
        return this;
    }

    Observed where(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** The executor is so busy that it does nothing that it is given. */
    Observed busy() {
        executor = task -> {};
        return this;
    }

    ProviderSettings settings() {
        return ProviderSettings.builder("observers.otlp", home)
                .values(values)
                .environment(environment)
                .clock(this)
                .ids(this)
                .timers(this)
                .executor(executor)
                .warnings(warnings::add)
                .inspection(new DeferredInspection(ZoneOffset.UTC, List.of(), limit -> List.of()))
                .build();
    }

    Optional<Observer> made() {
        return new OtlpProvider().create(settings(), GatewayEvents.prompt(failures));
    }

    Observer started() {
        Observer observer = made().orElseThrow();
        observer.start();
        return observer;
    }

    /** Ends an observer once it has sent everything, or was refused, however slow the machine is. */
    static void end(Observer observer) {
        ((OtlpObserver) observer).close(Duration.ofMinutes(2));
    }

    /** Returns how much was told as lost. */
    long lost() {
        return failures.of(GatewayEvent.NotExported.class).stream()
                .mapToLong(GatewayEvent.NotExported::lost)
                .sum();
    }

    /** Everything that was put off becomes due, and what is put off by that. */
    void timePasses() {
        while (!later.isEmpty()) {
            later.remove(0).run();
        }
    }

    boolean isSomethingPutOff() {
        return !later.isEmpty();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        later.add(task);
        return () -> later.remove(task);
    }

    @Override
    public Instant instant() {
        return clock.instant();
    }

    @Override
    public String unique(String prefix) {
        return prefix + "-1";
    }

    @Override
    public String sessionSuffix() {
        return "00000000";
    }

    @Override
    public Duration jitter(Duration least, Duration most) {
        return least;
    }
}
