package dev.parley.persistence.jsonl.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.text.Unicode;
import dev.parley.persistence.jsonl.record.Json;
import dev.parley.persistence.jsonl.record.Times;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The first line of a session file: what the file says of itself (storage 7.1). Keys that are not known here are kept. */
public final class MetaLine {
    /** The key under which everything stands that the RFC's format has no place for. */
    public static final String EXTRA = "parley";

    private final ObjectNode line;

    private MetaLine(ObjectNode line) {
        this.line = line;
    }

    /** Returns the line of a new file. */
    public static MetaLine of(String agent, String createdBy, Instant createdAt, String title, long uptimeSecs) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("agent", Unicode.wellFormed(agent));
        line.put("created_by", Unicode.wellFormed(createdBy));
        line.put("created_at", Times.withOffset(createdAt, ZoneOffset.UTC));
        line.put("title", Unicode.wellFormed(title));
        line.put("uptime_secs", Math.max(0, uptimeSecs));
        return new MetaLine(line);
    }

    /** Reads a first line, or returns nothing where it is none: no object, or without agent, created_by or created_at. */
    public static Optional<MetaLine> parse(byte[] bytes) {
        try {
            String text = SessionLine.decode(bytes);
            JsonNode node = Json.TREE.readTree(text);
            return node instanceof ObjectNode line
                            && isText(line.get("agent"))
                            && isText(line.get("created_by"))
                            && isText(line.get("created_at"))
                            && isAbsent(line.get("title"), JsonNode::isTextual)
                            && isAbsent(line.get("uptime_secs"), JsonNode::isNumber)
                    ? Optional.of(new MetaLine(line))
                    : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    private static boolean isText(@Nullable JsonNode node) {
        return node != null && node.isTextual();
    }

    private static boolean isAbsent(@Nullable JsonNode node, java.util.function.Predicate<JsonNode> otherwise) {
        return node == null || node.isNull() || otherwise.test(node);
    }

    /** Returns the agent. */
    public String agent() {
        return line.path("agent").asText();
    }

    /** Returns the sender. */
    public String createdBy() {
        return line.path("created_by").asText();
    }

    /** Returns when the file was created, as it stands there. */
    public String createdAt() {
        return line.path("created_at").asText();
    }

    /** Returns the title, possibly empty. */
    public String title() {
        return line.path("title").isTextual() ? line.path("title").asText() : "";
    }

    /** Returns the whole seconds of work, never negative. */
    public long uptimeSecs() {
        JsonNode uptime = line.path("uptime_secs");
        if (!uptime.isNumber()) {
            return 0;
        }
        BigDecimal value = uptime.decimalValue();
        return value.signum() <= 0
                ? 0
                : value.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
    }

    /** Returns what stands under Parley's own key, or nothing. */
    public Optional<JsonNode> extra() {
        return Optional.ofNullable(line.get(EXTRA));
    }

    /** Returns this line with another title, time of work and extra; every other key stays as it is. */
    public MetaLine with(String title, long uptimeSecs, @Nullable JsonNode extra) {
        ObjectNode next = line.deepCopy();
        next.put("title", Unicode.wellFormed(title));
        next.put("uptime_secs", Math.max(0, uptimeSecs));
        if (extra != null) {
            next.set(EXTRA, extra);
        }
        return new MetaLine(next);
    }

    /** Returns the line as UTF-8 with its line feed. */
    public byte[] toBytes() {
        try {
            return (Json.MAPPER.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
