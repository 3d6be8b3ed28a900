package dev.parley.adapter.http.server;

import dev.parley.application.port.DeliveryFailed;
import dev.parley.domain.turn.Outgoing;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;

/** Posts messages to the address that was configured. */
final class Callback {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<Integer> PASSING = Set.of(408, 421, 425, 429);

    private final URI address;
    private final HttpClient client;

    Callback(URI address, Executor executor) {
        this.address = address;
        this.client = HttpClient.newBuilder()
                .executor(executor)
                .connectTimeout(PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /**
     * Posts a message, with its id as {@code Idempotency-Key}; returns once it was answered with a success.
     *
     * @throws DeliveryFailed where it was not; for good where the answer says that the request itself is wrong
     */
    void post(Outgoing message) {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", message.id().value())
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(LiveRows.outgoing(message))))
                .build();
        int status = status(request, message);
        if (status < 200 || status > 299) {
            throw new DeliveryFailed(
                    "The callback " + address + " answered " + status + " to message "
                            + message.id().value() + ".",
                    status >= 400 && status < 500 && !PASSING.contains(status),
                    null);
        }
    }

    private int status(HttpRequest request, Outgoing message) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new DeliveryFailed(
                    "The callback " + address + " could not be reached for message "
                            + message.id().value() + ": " + e,
                    false,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeliveryFailed("Posting message " + message.id().value() + " was interrupted.", false, e);
        }
    }
}
