package dev.parley.adapter.http.server;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayInspection.LaneOrder;
import dev.parley.application.port.GatewayOperations;
import dev.parley.application.port.HeldElsewhere;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.OutgoingId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What an operator does over HTTP: to lanes, to messages that wait in them, to deliveries. Each act is told to the audit. */
final class Changes {
    private static final String RESET = "/v1/lanes/reset";
    private static final String UNRESET = "/v1/lanes/unreset";
    private static final String SUSPEND = "/v1/lanes/suspend";
    private static final String UNSUSPEND = "/v1/lanes/unsuspend";
    private static final String INTERRUPT = "/v1/lanes/interrupt";
    private static final String RESUME = "/v1/lanes/resume";
    private static final String DROP = "/v1/lanes/drop";
    private static final String RETRY = "/v1/deliveries/retry";
    private static final String GIVE_UP = "/v1/deliveries/give-up";

    /** The paths. */
    static final Set<String> ROUTES =
            Set.of(RESET, UNRESET, SUSPEND, UNSUSPEND, INTERRUPT, RESUME, DROP, RETRY, GIVE_UP);

    private final Supplier<GatewayInspection> gateway;

    Changes(Supplier<GatewayInspection> gateway) {
        this.gateway = gateway;
    }

    /**
     * Adds the routes.
     *
     * @param later has work done on the gateway's threads
     */
    void addTo(RoutesConfig routes, Function<Consumer<Context>, Handler> later) {
        routes.post(
                RESET, later.apply(ctx -> lane(ctx, "reset", key -> gateway().resetLane(key))));
        routes.post(
                SUSPEND,
                later.apply(ctx -> lane(ctx, "suspended", key -> gateway().suspendLane(key))));
        routes.post(
                INTERRUPT,
                later.apply(ctx -> lane(ctx, "interrupted", key -> gateway().interruptLane(key))));
        routes.post(UNRESET, later.apply(ctx -> lane(ctx, "unreset", key -> order(LaneOrder.UNRESET, key))));
        routes.post(UNSUSPEND, later.apply(ctx -> lane(ctx, "unsuspended", key -> order(LaneOrder.UNSUSPEND, key))));
        routes.post(RESUME, later.apply(ctx -> {
            SessionId session = SessionId.of(needed(ctx, "session", "which session?"));
            lane(ctx, "resumed", key -> operations().resume(key, session, epoch(key)));
        }));
        routes.post(DROP, later.apply(ctx -> {
            InboundId message = new InboundId(needed(ctx, "id", "which message?"));
            lane(ctx, "dropped", key -> operations().drop(key, message));
        }));
        routes.post(
                RETRY,
                later.apply(ctx -> delivery(ctx, "tried", id -> operations().tryNow(id))));
        routes.post(
                GIVE_UP,
                later.apply(ctx -> delivery(ctx, "given_up", id -> operations().giveUp(id))));
    }

    private GatewayInspection gateway() {
        return gateway.get();
    }

    private GatewayOperations operations() {
        return gateway().operations().orElseThrow(() -> new Rejected(403, "This gateway can only be looked at."));
    }

    private boolean order(LaneOrder order, SessionKey key) {
        return gateway().order(order, key, epoch(key));
    }

    /** Returns the epoch of a lane as it is now; one that no lane has where there is no such lane. */
    private long epoch(SessionKey key) {
        return gateway().laneReads().find(key).map(lane -> lane.epoch()).orElse(-1L);
    }

    private void lane(Context ctx, String done, Function<SessionKey, Boolean> change) {
        SessionKey key = Queries.key(ctx);
        boolean changed = told(ctx, key.value(), () -> change.apply(key));
        if (!changed && gateway().lane(key).isEmpty()) {
            throw Rejected.noLane(key);
        }
        Responses.json(ctx, 200, Json.object().put("session_key", key.value()).put(done, changed));
    }

    private void delivery(Context ctx, String done, Function<OutgoingId, Boolean> change) {
        String id = needed(ctx, "id", "which message?");
        boolean changed = told(ctx, id, () -> change.apply(new OutgoingId(id)));
        if (!changed) {
            throw new Rejected(
                    404,
                    "No message " + OneLine.quoted(id)
                            + " waits to be delivered by this gateway, or it is being sent.");
        }
        Responses.json(ctx, 200, Json.object().put("id", id).put(done, true));
    }

    private static String needed(Context ctx, String name, String what) {
        return Queries.text(ctx, name).orElseThrow(() -> new Rejected(400, "'" + name + "' is missing: " + what));
    }

    /** Does something and tells the audit what became of it. */
    private boolean told(Context ctx, String target, BooleanSupplier change) {
        String outcome = "failed";
        try {
            boolean changed = change.getAsBoolean();
            outcome = changed ? "done" : "nothing";
            return changed;
        } catch (HeldElsewhere e) {
            outcome = "held elsewhere";
            throw new Rejected(409, String.valueOf(e.getMessage()));
        } catch (StorageUnavailable e) {
            outcome = "unavailable";
            throw e;
        } finally {
            String action = ctx.path().substring("/v1/".length()).replace('/', ' ');
            gateway().told(new GatewayEvent.OperatorActed("token", "operator", remote(ctx), action, target, outcome));
        }
    }

    private static String remote(Context ctx) {
        @Nullable String address = ctx.req().getRemoteAddr();
        return address == null ? "" : address;
    }
}
