package dev.parley.adapter.slack.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.kit.flow.Rate;
import dev.parley.adapter.kit.flow.RateLimiter;
import dev.parley.adapter.kit.flow.RateLimiter.Demand;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.adapter.slack.api.SlackError;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.domain.source.Address;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Calls of the Web API for what is sent: no faster than Slack lets an app, and failing as messages fail. A pause that Slack asks for
 * holds for every call of its method. Safe for concurrent use; blocks until Slack has answered.
 */
final class Calls {
    /** Posts a message. */
    static final String POST = "chat.postMessage";

    /** What the calls for files count as. */
    static final String FILES = "files";

    private static final Duration USUAL_PAUSE = Duration.ofSeconds(5);
    private static final Rate CHANNEL = new Rate(1, Duration.ofSeconds(1), 20);
    private static final Rate POSTS = new Rate(100, Duration.ofSeconds(1), 100);
    private static final Rate CHANGES = new Rate(50, Duration.ofMinutes(1), 20);
    private static final Set<String> GONE = Set.of("channel_not_found", "is_archived", "channel_is_archived");
    private static final Set<String> FORBIDDEN = Set.of(
            "not_in_channel",
            "restricted_action",
            "restricted_action_read_only_channel",
            "restricted_action_thread_only_channel",
            "restricted_action_non_threadable_channel",
            "restricted_action_thread_locked",
            "ekm_access_denied",
            "missing_scope",
            "cannot_dm_bot",
            "messages_tab_disabled",
            "access_denied");

    private final SlackApi api;
    private final RateLimiter limiter;

    Calls(SlackApi api, InstantSource clock) {
        this.api = api;
        this.limiter = new RateLimiter(clock);
    }

    /** What is called. */
    @FunctionalInterface
    interface Work<T> {
        T run(SlackApi api) throws SlackError, ApiFailure, InterruptedException;
    }

    /** Waits for no permit; throws where Slack did not do it, or where that is not known. */
    <T> T run(String method, Work<T> work) {
        try {
            return work.run(api);
        } catch (SlackError e) {
            throw failed(method, e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    /** Has something done; what it throws is that of {@link #run}. */
    JsonNode post(String method, Map<String, Object> arguments) {
        return run(method, slack -> slack.post(method, arguments));
    }

    /** Takes a permit to post, or gives the message back to the gateway, which waits without a thread. */
    void pace(Address to) {
        wait(List.of(new Demand(POST, POSTS), new Demand(to.chatId(), CHANNEL)));
    }

    /** Takes a permit to change what was posted, as {@link #pace} does. */
    void paceChange(String method) {
        wait(List.of(new Demand(method, CHANGES)));
    }

    private void wait(List<Demand> demands) {
        Duration wait = limiter.take(demands);
        if (!wait.isZero()) {
            long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
            throw DeliveryFailed.rateLimited("Slack is sent no more for " + seconds + " s.", wait);
        }
    }

    RuntimeException failed(String method, SlackError e) {
        String what = String.valueOf(e.getMessage());
        if (e.isLimit()) {
            Duration pause = e.retryAfter().orElse(USUAL_PAUSE);
            limiter.pause(method.equals(FILES) ? POST : method, pause);
            return DeliveryFailed.rateLimited(what, pause);
        }
        if (e.isUnknown()) {
            return new OutcomeUnknown(what, e);
        }
        return new DeliveryFailed(kind(e), what, e);
    }

    private static DeliveryFailed.Kind kind(SlackError e) {
        if (e.isUnauthorized()) {
            return DeliveryFailed.Kind.UNAUTHORIZED;
        }
        if (GONE.stream().anyMatch(e::is)) {
            return DeliveryFailed.Kind.CHAT_GONE;
        }
        if (FORBIDDEN.stream().anyMatch(e::is)) {
            return DeliveryFailed.Kind.FORBIDDEN;
        }
        return e.isPassing() || !e.isSpoken() ? DeliveryFailed.Kind.AWAY : DeliveryFailed.Kind.REJECTED;
    }
}
