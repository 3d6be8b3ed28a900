package dev.parley.adapter.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.text.Repeated;
import dev.parley.application.port.AgentFailure.Kind;
import dev.parley.domain.text.OneLine;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a server answered instead of an answer.
 *
 * @param kind what went wrong
 * @param message one line for the operator
 * @param passing whether trying again may help
 * @param retryAfter how long the server asks to wait
 */
record Refusal(Kind kind, String message, boolean passing, Optional<Duration> retryAfter) {
    private static final Set<Integer> PASSING = Set.of(408, 409, 425, 429);
    private static final Pattern TOO_LARGE = Pattern.compile(
            "context.?(length|window|size)|maximum context|too many tokens|prompt is too long|input is too long");

    /**
     * Returns what an answer with this status says.
     *
     * @param conversation what was written to the model, which no message repeats
     */
    static Refusal of(
            int status,
            HttpHeaders headers,
            String body,
            Endpoint endpoint,
            String keyName,
            JsonNode conversation,
            Instant now) {
        JsonNode error = Json.read(body).map(Refusal::error).orElse(Json.object());
        String code = Json.text(error, "code") + " " + Json.text(error, "type");
        String said = said(error, body);
        String server = endpoint.baseUrl() + " answered " + status;
        if (status == 413 || (status < 500 && isTooLarge(code + " " + said))) {
            return new Refusal(
                    Kind.CONTEXT_TOO_LARGE,
                    "The conversation is too large for " + endpoint.model() + suffix(said, conversation),
                    false,
                    Optional.empty());
        }
        if (status == 401 || status == 403) {
            return new Refusal(
                    Kind.CONFIGURATION,
                    server + ": it does not accept the key; check " + keyName + suffix(said, conversation),
                    false,
                    Optional.empty());
        }
        if (status == 404) {
            return new Refusal(
                    Kind.CONFIGURATION,
                    server + ": check base_url and the model " + endpoint.model() + suffix(said, conversation),
                    false,
                    Optional.empty());
        }
        boolean spent = code.contains("insufficient_quota");
        return new Refusal(
                Kind.MODEL,
                server + suffix(said, conversation),
                !spent && (status >= 500 || PASSING.contains(status)),
                headers.firstValue("Retry-After").flatMap(text -> wait(text, now)));
    }

    /** Returns what an error in the middle of a stream says; {@code conversation} as above. */
    static Refusal inStream(JsonNode chunk, Endpoint endpoint, JsonNode conversation) {
        JsonNode error = error(chunk);
        String said = said(error, "");
        boolean tooLarge = isTooLarge(Json.text(error, "code") + " " + said);
        return new Refusal(
                tooLarge ? Kind.CONTEXT_TOO_LARGE : Kind.MODEL,
                endpoint.baseUrl() + " broke off" + suffix(said, conversation),
                !tooLarge,
                Optional.empty());
    }

    private static boolean isTooLarge(String said) {
        return TOO_LARGE.matcher(said.toLowerCase(Locale.ROOT)).find();
    }

    private static JsonNode error(JsonNode body) {
        JsonNode error = body.path("error");
        return error.isTextual() ? Json.object().put("message", error.textValue()) : error;
    }

    private static String said(JsonNode error, String body) {
        String message = Json.text(error, "message");
        return message.isEmpty() ? body.strip() : message;
    }

    private static String suffix(String said, JsonNode conversation) {
        if (said.isEmpty()) {
            return ".";
        }
        String shown = OneLine.quoted(said);
        return Repeated.in(shown, texts(conversation))
                ? "; what it says repeats the conversation and is left out."
                : ": " + shown + ".";
    }

    private static List<String> texts(JsonNode conversation) {
        return Stream.of("content", "text", "arguments")
                .flatMap(field -> conversation.findValues(field).stream())
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .toList();
    }

    /** Reads {@code Retry-After}: seconds, or the date until which to wait. */
    static Optional<Duration> wait(String text, Instant now) {
        try {
            return Optional.of(Duration.ofMillis(Math.round(Math.min(Double.parseDouble(text.strip()), 1e9) * 1000)))
                    .filter(wait -> !wait.isNegative());
        } catch (NumberFormatException notSeconds) {
            return until(text, now);
        }
    }

    private static Optional<Duration> until(String text, Instant now) {
        try {
            Instant until = ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Optional.of(until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO);
        } catch (DateTimeParseException neither) {
            return Optional.empty();
        }
    }
}
