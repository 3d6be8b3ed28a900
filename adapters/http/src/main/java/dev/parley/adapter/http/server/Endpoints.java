package dev.parley.adapter.http.server;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.spi.ProviderSettings;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What can be asked over HTTP: who answers what, where, on which threads, and how failures are told. */
final class Endpoints {
    private static final String BROKEN = "Something went wrong in the gateway; its log tells more.";

    private final ProviderSettings settings;
    private final Messages messages;

    Endpoints(ProviderSettings settings, Messages messages) {
        this.settings = settings;
        this.messages = messages;
    }

    /** Returns what a path leads to, with a placeholder for what differs; {@code none} where it leads nowhere. */
    static String route(String path) {
        boolean known = path.equals(Guard.MESSAGES)
                || path.equals(Guard.ICON)
                || HealthChecks.ROUTES.contains(path)
                || Changes.ROUTES.contains(path);
        return known ? path : Reads.route(path).orElse("none");
    }

    /** Health is answered at once; whatever may take longer runs on the gateway's threads, so that health always is. */
    void addTo(RoutesConfig routes) {
        routes.post(Guard.MESSAGES, answering(messages::post));
        routes.get(Guard.MESSAGES, later(messages::list));
        new Reads(settings::inspection).addTo(routes, this::later);
        new Changes(settings::inspection).addTo(routes, this::later);
        new HealthChecks(settings).addTo(routes);
        routes.get(Guard.ICON, ctx -> ctx.status(204));

        routes.exception(HttpResponseException.class, this::failed);
        routes.exception(Exception.class, this::failed);
    }

    /** What a request does that is answered when the future completes. */
    private interface Answering {
        CompletableFuture<@Nullable Void> answer(Context ctx) throws IOException;
    }

    private Handler later(Consumer<Context> work) {
        return answering(ctx -> {
            work.accept(ctx);
            return CompletableFuture.completedFuture(null);
        });
    }

    private Handler answering(Answering work) {
        return ctx -> {
            CompletableFuture<@Nullable Void> done = CompletableFuture.supplyAsync(() -> work, settings.executor())
                    .thenCompose(each -> {
                        try {
                            return each.answer(ctx);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
            ctx.future(() -> done.exceptionally(failure -> {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
                failed(cause == null ? failure : cause, ctx);
                return null;
            }));
        };
    }

    private void failed(Throwable failure, Context ctx) {
        if (failure instanceof Rejected rejected) {
            Responses.error(ctx, rejected.status(), rejected.message());
        } else if (failure instanceof InvalidRequest refused) {
            Responses.error(ctx, 400, String.valueOf(refused.getMessage()));
        } else if (failure instanceof HttpResponseException refusal && refusal.getStatus() < 500) {
            Responses.error(ctx, refusal.getStatus(), known(refusal.getStatus()));
        } else {
            broken(failure, ctx);
        }
    }

    private void broken(Throwable failure, Context ctx) {
        if (failure instanceof StorageUnavailable) {
            Responses.error(ctx, 503, String.valueOf(failure.getMessage()));
        } else if (failure instanceof StorageCorrupt) {
            Responses.error(ctx, 500, String.valueOf(failure.getMessage()));
        } else if (messages.isStopping()) {
            Responses.error(ctx, 503, Responses.STOPPING);
        } else {
            settings.warnings()
                    .accept("HTTP " + ctx.method() + " " + ctx.path() + " failed: " + StrippedFailure.line(failure));
            Responses.error(ctx, 500, BROKEN);
        }
    }

    private static String known(int status) {
        return switch (status) {
            case 404 -> "There is nothing here; see /v1/lanes, /v1/sessions, /v1/search, /v1/messages and /healthz.";
            case 405 -> "This address does not take that method.";
            case 413 -> "The body is too large.";
            default -> "The request cannot be answered (" + status + ").";
        };
    }
}
