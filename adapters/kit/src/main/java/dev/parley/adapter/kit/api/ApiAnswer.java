package dev.parley.adapter.kit.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Optional;

/**
 * An answer of a platform's API, whatever its status.
 *
 * @param status the HTTP status
 * @param headers its headers
 * @param body the JSON in it; a missing node where there was none or it could not be read
 */
public record ApiAnswer(int status, HttpHeaders headers, JsonNode body) {
    private static final long LONGEST_SECONDS = 24 * 60 * 60;

    /** Returns whether the status is one of success. */
    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** Returns how long the server asks to wait, by its {@code Retry-After} in seconds; at most a day, absent where it does not say. */
    public Optional<Duration> retryAfter() {
        return headers.firstValue("Retry-After").flatMap(ApiAnswer::seconds);
    }

    /** Reads a number of seconds, with or without a fraction, rounded up to milliseconds; absent where it is none. */
    public static Optional<Duration> seconds(String text) {
        try {
            double value = Double.parseDouble(text.strip());
            if (Double.isNaN(value) || value < 0) {
                return Optional.empty();
            }
            return Optional.of(Duration.ofMillis((long) Math.ceil(Math.min(value, LONGEST_SECONDS) * 1000)));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }
}
