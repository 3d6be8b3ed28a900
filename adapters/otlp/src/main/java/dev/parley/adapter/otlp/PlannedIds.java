package dev.parley.adapter.otlp;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Gives a turn's trace and its first span the ids that follow from the turn's id, so that logs, stores and traces meet, and spans
 * that become known later find their trace. All other spans get ids by chance. Used by one thread.
 */
final class PlannedIds implements IdGenerator {
    private final IdGenerator chance = IdGenerator.random();
    private Optional<SpanContext> next = Optional.empty();

    /** Returns what the first span of a turn's trace is called: from the SHA-256 of the turn's id, 16 bytes and the 8 behind them. */
    static SpanContext of(String turn) {
        byte[] digest = sha256(turn);
        HexFormat hex = HexFormat.of();
        return SpanContext.create(
                hex.formatHex(digest, 0, 16),
                hex.formatHex(digest, 16, 24),
                TraceFlags.getSampled(),
                TraceState.getDefault());
    }

    /** Makes what {@code beginning} begins this span. */
    <T> T as(SpanContext first, Supplier<T> beginning) {
        next = Optional.of(first);
        try {
            return beginning.get();
        } finally {
            next = Optional.empty();
        }
    }

    @Override
    public String generateTraceId() {
        return next.map(SpanContext::getTraceId).orElseGet(chance::generateTraceId);
    }

    @Override
    public String generateSpanId() {
        return next.map(SpanContext::getSpanId).orElseGet(chance::generateSpanId);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
