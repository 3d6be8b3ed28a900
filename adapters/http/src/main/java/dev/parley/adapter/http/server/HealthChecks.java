package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Whether the gateway is well, lives, and takes messages. */
final class HealthChecks {
    private static final Duration ALIVE_WITHIN = Duration.ofSeconds(5);

    /** The paths. */
    static final Set<String> ROUTES = Set.of(Guard.HEALTH, Guard.LIVE, Guard.READY);

    private final ProviderSettings settings;

    HealthChecks(ProviderSettings settings) {
        this.settings = settings;
    }

    /** Adds the routes. They are answered at once, also while all of the gateway's threads are busy. */
    void addTo(RoutesConfig routes) {
        routes.get(Guard.HEALTH, this::health);
        routes.get(Guard.LIVE, this::live);
        routes.get(Guard.READY, this::ready);
    }

    private GatewayInspection inspection() {
        return settings.inspection();
    }

    /** Without a token only the word is told: what goes wrong inside is the operator's business. */
    private void health(Context ctx) {
        GatewayHealth health = inspection().health();
        List<PlatformState> states = inspection().platforms();
        boolean troubled =
                health.state() == GatewayHealth.State.OK && states.stream().anyMatch(HealthChecks::isTroubled);
        String word = troubled ? "troubled" : health.state().word();
        ObjectNode body = Json.object().put("status", word);
        Guard.Caller caller = ctx.attribute(Gate.CALLER);
        if (caller != null && (caller.operator() || caller.reader())) {
            health.facts().forEach(body::put);
            ArrayNode platforms = body.putArray("platforms");
            states.forEach(state -> platform(platforms.addObject(), state));
        }
        Responses.json(ctx, health.state().takesMessages() ? 200 : 503, body);
    }

    /** Returns whether people are not heard or not answered somewhere, though messages are taken. */
    private static boolean isTroubled(PlatformState state) {
        return switch (state.standing()) {
            case TROUBLED, AWAY, REFUSED -> true;
            case CONNECTING -> state.error().isPresent();
            case CONNECTED -> false;
        };
    }

    private static void platform(ObjectNode row, PlatformState state) {
        row.put("platform", state.platform().name());
        row.put("state", state.standing().word());
        row.put("since", state.since().toString());
        state.error().ifPresent(error -> row.put("error", error));
        state.advice().ifPresent(advice -> row.put("advice", advice));
    }

    /** Whether the process is worth keeping: it is while it drains, starts or is degraded. */
    private void live(Context ctx) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Timers.Timer limit = settings.timers().after(ALIVE_WITHIN, () -> answer.complete(false));
        var unused = inspection().alive().whenComplete((done, failure) -> answer.complete(failure == null));
        ctx.future(() -> answer.thenAccept(alive -> {
            limit.cancel();
            checks(ctx, List.of(new Check("actor", alive, alive ? "" : "has not answered for " + ALIVE_WITHIN)));
        }));
    }

    /** Whether messages should be sent here. */
    private void ready(Context ctx) {
        GatewayHealth health = inspection().health();
        String word = health.state().word();
        boolean takes = health.state() != GatewayHealth.State.REFUSING;
        boolean runs = health.state().takesMessages() || !takes;
        checks(
                ctx,
                List.of(
                        new Check("running", runs, runs ? "" : word),
                        new Check(
                                "storage", takes, takes ? "" : health.refusing().orElse(word))));
    }

    /** Something that must hold. */
    private record Check(String name, boolean ok, String why) {}

    private void checks(Context ctx, List<Check> checks) {
        boolean ok = checks.stream().allMatch(Check::ok);
        ObjectNode body = Json.object().put("status", ok ? "ok" : "failing");
        Guard.Caller caller = ctx.attribute(Gate.CALLER);
        if (caller != null && (caller.operator() || caller.reader())) {
            ArrayNode rows = body.putArray("checks");
            checks.forEach(check -> {
                ObjectNode row = rows.addObject().put("name", check.name()).put("ok", check.ok());
                if (!check.ok()) {
                    row.put("why", check.why());
                }
            });
        }
        Responses.json(ctx, ok ? 200 : 503, body);
    }
}
