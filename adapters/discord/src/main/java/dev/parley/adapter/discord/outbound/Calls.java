package dev.parley.adapter.discord.outbound;

import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.discord.api.DiscordError;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.application.port.DeliveryFailed;
import java.time.Duration;

/** Calls of Discord's API for what is sent, failing as messages fail. Safe for concurrent use; blocks until Discord has answered. */
final class Calls {
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(5);
    private static final int UNKNOWN_CHANNEL = 10_003;
    private static final int FORBIDDEN = 403;

    private final DiscordApi api;

    Calls(DiscordApi api) {
        this.api = api;
    }

    /** What is called. */
    @FunctionalInterface
    interface Work<T> {
        T run(DiscordApi api) throws DiscordError, ApiFailure, InterruptedException;
    }

    /** Has something done; throws where Discord did not do it, or where that is not known. */
    <T> T run(Work<T> work) {
        try {
            return work.run(api);
        } catch (DiscordError e) {
            throw failed(e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    /** Has something done as {@link #run} does; what Discord refuses for good is {@code otherwise}. */
    <T> T runOr(T otherwise, Work<T> work) {
        return run(discord -> {
            try {
                return work.run(discord);
            } catch (DiscordError e) {
                if (e.isPassing()) {
                    throw e;
                }
                return otherwise;
            }
        });
    }

    private static RuntimeException failed(DiscordError e) {
        String what = String.valueOf(e.getMessage());
        if (e.isLimit()) {
            return DeliveryFailed.rateLimited(what, e.retryAfter().orElse(USUAL_PAUSE));
        }
        if (e.isUnknown()) {
            return new OutcomeUnknown(what, e);
        }
        return new DeliveryFailed(kind(e), what, e);
    }

    private static DeliveryFailed.Kind kind(DiscordError e) {
        if (e.isUnauthorized()) {
            return DeliveryFailed.Kind.UNAUTHORIZED;
        }
        if (e.is(UNKNOWN_CHANNEL)) {
            return DeliveryFailed.Kind.CHAT_GONE;
        }
        if (e.isSpoken() && e.status() == FORBIDDEN) {
            return DeliveryFailed.Kind.FORBIDDEN;
        }
        return e.isPassing() || !e.isSpoken() ? DeliveryFailed.Kind.AWAY : DeliveryFailed.Kind.REJECTED;
    }
}
