package dev.parley.adapter.signal.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiAnswer;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.signal.api.RpcError;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.DeliveryFailed.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the daemon's refusals mean for a message. */
final class Failures {
    private static final String PAUSE = "Signal wants a pause";
    private static final String PROOF = "Signal wants proof that a person sends: solve the captcha at"
            + " https://signalcaptchas.org/challenge/generate.html and give it to signal-cli submitRateLimitChallenge"
            + " with --challenge ";
    private static final String UNTRUSTED =
            "The recipient's safety number has changed; compare it, and trust it with signal-cli trust";
    private static final String GONE = "The recipient is not in Signal any more";
    private static final String UNREACHED = "signal-cli did not reach Signal, or lost it while it sent";
    private static final String AWAY = "Signal did not take it for the recipient's devices";

    private Failures() {}

    /** Returns what the results of a message mean: absent where at least one recipient has it, or none is named. */
    static Optional<RuntimeException> of(JsonNode results) {
        Map<String, JsonNode> kinds = new HashMap<>();
        for (JsonNode result : results) {
            kinds.merge(result.path("type").asText(""), result, Failures::longerPause);
        }
        if (kinds.isEmpty() || kinds.containsKey("SUCCESS")) {
            return Optional.empty();
        }
        if (kinds.containsKey("NETWORK_FAILURE")) {
            return Optional.of(new OutcomeUnknown(UNREACHED + ".", new IOException("NETWORK_FAILURE")));
        }
        for (String limit : new String[] {"PROOF_REQUIRED_FAILURE", "RATE_LIMIT_FAILURE"}) {
            if (kinds.containsKey(limit)) {
                return Optional.of(limited(kinds.get(limit)));
            }
        }
        if (kinds.containsKey("IDENTITY_FAILURE")) {
            return Optional.of(new DeliveryFailed(Kind.AWAY, UNTRUSTED + ".", null));
        }
        return Optional.of(
                kinds.containsKey("UNREGISTERED_FAILURE")
                        ? new DeliveryFailed(Kind.CHAT_GONE, GONE + ".", null)
                        : new DeliveryFailed(Kind.AWAY, AWAY + ".", null));
    }

    private static JsonNode longerPause(JsonNode one, JsonNode other) {
        return seconds(one).orElse(Duration.ZERO).compareTo(seconds(other).orElse(Duration.ZERO)) >= 0 ? one : other;
    }

    private static Optional<Duration> seconds(JsonNode result) {
        return ApiAnswer.seconds(result.path("retryAfterSeconds").asText(""));
    }

    /** Returns whether the operator has to prove that a person sends; the message says how. */
    static boolean wantsProof(DeliveryFailed failure) {
        return String.valueOf(failure.getMessage()).startsWith(PROOF);
    }

    private static DeliveryFailed limited(JsonNode result) {
        String token = result.path("token").asText("");
        String what = token.isEmpty() ? PAUSE : PROOF + token;
        return seconds(result)
                .map(pause -> DeliveryFailed.rateLimited(what + ".", pause))
                .orElseGet(() -> new DeliveryFailed(Kind.RATE_LIMITED, what + ".", null));
    }

    /** Returns what an error means. */
    static RuntimeException of(RpcError e) {
        Optional<RuntimeException> byResult = of(e.results());
        if (byResult.isPresent()) {
            return byResult.get();
        }
        String what = String.valueOf(e.getMessage());
        if (e.isUnknown()) {
            return new OutcomeUnknown(what, e);
        }
        if (e.code() == RpcError.RATE_LIMIT || e.status() == 429) {
            return e.retryAfter()
                    .map(pause -> DeliveryFailed.rateLimited(what, pause))
                    .orElseGet(() -> new DeliveryFailed(Kind.RATE_LIMITED, what, e));
        }
        return new DeliveryFailed(kind(e), what, e);
    }

    private static Kind kind(RpcError e) {
        if (e.isAboutAccount() || e.says("not registered") || e.says("AuthorizationFailed")) {
            return e.says("unregistered user") ? Kind.CHAT_GONE : Kind.UNAUTHORIZED;
        }
        return switch (e.code()) {
            case RpcError.USER -> user(e);
            case RpcError.REQUEST, RpcError.PARAMETERS -> Kind.REJECTED;
            default -> Kind.AWAY;
        };
    }

    private static Kind user(RpcError e) {
        if (e.says("not a group member") || e.says("not allowed")) {
            return Kind.FORBIDDEN;
        }
        return e.says("unregistered") || e.says("group not found") || e.says("no group")
                ? Kind.CHAT_GONE
                : Kind.REJECTED;
    }
}
