package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.Page;
import io.javalin.http.Context;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What is written back. */
final class Responses {
    /** Tells where a list goes on: the value of {@code after} for the next page. */
    private static final String NEXT = "Parley-Next";

    private static final int BUFFER = 1 << 14;
    static final String RETRY_SECONDS = "5";
    static final String STOPPING =
            "The gateway is stopping, and whether it has taken a message is not known; hand it in again with the same"
                    + " 'message_id' once the gateway is back.";

    private Responses() {}

    /** Tells where the list goes on, where it does. */
    static void next(Context ctx, Page<?> page) {
        page.next().ifPresent(place -> ctx.header(NEXT, place.text()));
    }

    /** Writes rows as they are read, one at a time. What fails before the first is answered as a failure. */
    static void written(Context ctx, Consumer<Consumer<JsonNode>> rows) {
        ctx.status(200).contentType("application/json");
        try (OutputStream out = new BufferedOutputStream(ctx.outputStream(), BUFFER)) {
            AtomicInteger before = new AtomicInteger('[');
            rows.accept(row -> {
                try {
                    out.write(before.getAndSet(','));
                    out.write(Json.bytes(row));
                } catch (IOException callerIsGone) {
                    throw new UncheckedIOException(callerIsGone);
                }
            });
            if (before.get() == '[') {
                out.write('[');
            }
            out.write(']');
        } catch (IOException | UncheckedIOException callerIsGone) {
            // Nobody reads the rest.
        }
    }

    /** Writes as many rows as there are, one at a time. */
    static void rows(Context ctx, Stream<JsonNode> rows) {
        written(ctx, rows::forEachOrdered);
    }

    static void json(Context ctx, int status, JsonNode body) {
        ctx.status(status).contentType("application/json").result(Json.bytes(body));
    }

    static void error(Context ctx, int status, String message) {
        if (status == 503) {
            ctx.header("Retry-After", RETRY_SECONDS);
        }
        json(ctx, status, Json.error(message));
    }
}
