package dev.parley.persistence.jsonl.state;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.EntryUsage;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.persistence.jsonl.journal.Directories;
import dev.parley.persistence.jsonl.record.Json;
import dev.parley.persistence.jsonl.record.Times;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lanes in the form in which the requirements keep them (E2.4), for people and other programs. Written with each checkpoint;
 * what counts is the checkpoint.
 */
final class SessionsJson {
    private static final String NOTE = "_README";
    private static final String TEXT =
            "Written by Parley with each checkpoint and when it stops: the current session of each lane."
                    + " Changes made here are not read back.";

    private final ZoneId zone;

    SessionsJson(ZoneId zone) {
        this.zone = zone;
    }

    /** Replaces the file, atomically and durably. A file that Parley did not write is kept under another name. */
    void write(Path file, List<Lane> lanes) throws IOException {
        keepForeign(file);
        Path begun = file.resolveSibling(".sessions_parley.tmp");
        try {
            Files.deleteIfExists(begun);
            try (FileChannel channel =
                    FileChannel.open(begun, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
                JsonGenerator json = Json.FACTORY.createGenerator(out).setPrettyPrinter(new DefaultPrettyPrinter());
                json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
                json.writeStartObject();
                json.writeStringField(NOTE, TEXT);
                for (Lane lane : lanes) {
                    json.writeFieldName(lane.key().value());
                    write(json, lane.entry());
                }
                json.writeEndObject();
                json.close();
                out.flush();
                channel.force(true);
            }
            Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Directories.sync(file);
        } finally {
            Files.deleteIfExists(begun);
        }
    }

    private static void keepForeign(Path file) throws IOException {
        Path kept = file.resolveSibling("sessions.json.original");
        if (Files.exists(file) && !Files.exists(kept) && !isOurs(file)) {
            Files.move(file, kept);
        }
    }

    private static boolean isOurs(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return new String(in.readNBytes(200), StandardCharsets.UTF_8)
                    .contains("\"" + NOTE + "\" : \"Written by Parley");
        }
    }

    private void write(JsonGenerator json, SessionEntry entry) throws IOException {
        EntryUsage usage = entry.usage();
        TokenUsage tokens = usage.tokens();
        Optional<Standing.ResumePending> mark = entry.standing().resumePending();
        json.writeStartObject();
        json.writeStringField("session_key", entry.key().value());
        json.writeStringField("session_id", entry.sessionId().value());
        json.writeStringField("created_at", local(entry.createdAt()));
        json.writeStringField("updated_at", local(entry.updatedAt()));
        write(json, "display_name", entry.displayName().orElse(null));
        write(json, "platform", entry.platform().map(p -> p.name()).orElse(null));
        json.writeStringField("chat_type", entry.chatType().value());
        json.writeNumberField("input_tokens", tokens.input());
        json.writeNumberField("output_tokens", tokens.output());
        json.writeNumberField("cache_read_tokens", tokens.cacheRead());
        json.writeNumberField("cache_write_tokens", tokens.cacheWrite());
        json.writeNumberField("total_tokens", usage.totalTokens());
        json.writeNumberField("last_prompt_tokens", usage.lastPromptTokens());
        json.writeNumberField("estimated_cost_usd", usage.estimatedCostUsd());
        json.writeStringField("cost_status", usage.costStatus());
        json.writeBooleanField("was_auto_reset", entry.beginning() instanceof Beginning.AfterReset);
        write(
                json,
                "auto_reset_reason",
                entry.autoResetReason().map(r -> r.text()).orElse(null));
        json.writeBooleanField(
                "reset_had_activity", entry.beginning() instanceof Beginning.AfterReset after && after.hadActivity());
        json.writeBooleanField("is_fresh_reset", entry.beginning() instanceof Beginning.Fresh);
        json.writeBooleanField("expiry_finalized", entry.expiryFinalized());
        json.writeBooleanField("suspended", entry.isSuspended());
        json.writeBooleanField("resume_pending", mark.isPresent());
        write(
                json,
                "resume_reason",
                mark.flatMap(m -> m.reason()).map(r -> r.text()).orElse(null));
        write(
                json,
                "last_resume_marked_at",
                mark.flatMap(m -> m.markedAt()).map(this::local).orElse(null));
        if (entry.origin().isPresent()) {
            json.writeObjectFieldStart("origin");
            for (Map.Entry<String, ? extends @Nullable Object> each :
                    SourceDictionary.write(entry.origin().get()).entrySet()) {
                json.writePOJOField(each.getKey(), each.getValue());
            }
            json.writeEndObject();
        }
        if (entry.modelOverride().isPresent()) {
            json.writeObjectFieldStart("model_override");
            write(json, entry.modelOverride().get().model(), "model");
            write(json, entry.modelOverride().get().provider(), "provider");
            write(json, entry.modelOverride().get().baseUrl(), "base_url");
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value == null) {
            json.writeNullField(name);
        } else {
            json.writeStringField(name, value);
        }
    }

    private static void write(JsonGenerator json, Optional<String> value, String name) throws IOException {
        if (value.isPresent()) {
            json.writeStringField(name, value.get());
        }
    }

    private String local(Instant at) {
        return Times.local(at, zone);
    }
}
