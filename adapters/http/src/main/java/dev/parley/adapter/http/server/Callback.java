package dev.parley.adapter.http.server;

import dev.parley.application.port.DeliveryFailed;
import dev.parley.domain.turn.Outgoing;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/** Posts messages to the address that was configured; what it tells of it leaves out the query, which may hold a secret. */
final class Callback {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<Integer> PASSING = Set.of(408, 421, 425, 429);

    private final URI address;
    private final String shown;
    private final Optional<CallbackSecret> secret;
    private final InstantSource clock;
    private final HttpClient client;

    Callback(URI address, Optional<CallbackSecret> secret, InstantSource clock, Executor executor) {
        this.address = address;
        this.shown = address.getScheme() + "://" + address.getRawAuthority() + address.getRawPath();
        this.secret = secret;
        this.clock = clock;
        this.client = HttpClient.newBuilder()
                .executor(executor)
                .connectTimeout(PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /**
     * Posts a message, with its id as {@code Idempotency-Key} and signed where there is a secret; returns once it was answered with a success.
     *
     * @throws DeliveryFailed where it was not; for good where the answer says that the request itself is wrong
     */
    void post(Outgoing message) {
        byte[] body = Json.bytes(LiveRows.outgoing(message));
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", message.id().value())
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        secret.ifPresent(key -> request.header("Parley-Signature", key.sign(clock.instant(), body)));
        int status = status(request.build(), message);
        if (status < 200 || status > 299) {
            throw new DeliveryFailed(
                    "The callback " + shown + " answered " + status + " to message "
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
                    "The callback " + shown + " could not be reached for message "
                            + message.id().value() + ": " + e,
                    false,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeliveryFailed("Posting message " + message.id().value() + " was interrupted.", false, e);
        }
    }
}
