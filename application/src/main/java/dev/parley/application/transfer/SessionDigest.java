package dev.parley.application.transfer;

import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The SHA-256 digest of a session with all its messages, by which copies in different stores are compared. It says nothing about
 * row numbers, which each store gives itself, nor about how a store writes the JSON of tool calls that it was given as calls.
 */
public final class SessionDigest {
    private final MessageDigest digest;

    private SessionDigest(MessageDigest digest) {
        this.digest = digest;
    }

    /**
     * Returns the digest in hex digits.
     *
     * @param session the session
     * @param messages all its messages, hidden ones too, in order
     */
    public static String of(Session session, List<StoredMessage> messages) {
        try {
            SessionDigest digest = new SessionDigest(MessageDigest.getInstance("SHA-256"));
            digest.session(session);
            messages.forEach(digest::message);
            return HexFormat.of().formatHex(digest.digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    private void session(Session s) {
        text(s.id().value());
        text(s.source());
        optional(s.userId());
        optional(s.model());
        optional(s.modelConfig().map(RawJson::text));
        optional(s.systemPrompt());
        optional(s.parent().map(p -> p.value()));
        text(s.startedAt().toString());
        optional(s.ending().map(e -> e.at() + " " + e.reason().orElse("")));
        text(s.messageCount() + " " + s.toolCallCount() + " " + s.rewindCount());
        text(s.tokens() + " " + s.apiCalls());
        text(s.billing().toString());
        optional(s.title());
        optional(s.peer().map(SessionPeer::key).map(k -> k.value()));
        if (s.archived()) {
            text("archived");
        }
        s.unendedReason().ifPresent(reason -> text("reason " + reason));
    }

    private void message(StoredMessage stored) {
        Message m = stored.message();
        text(m.id().value());
        text(m.role().name());
        content(m.content());
        optional(m.toolCallId());
        optional(m.toolName());
        optional(m.toolCalls().map(SessionDigest::calls));
        text(m.at().toString());
        optional(m.tokenCount().map(String::valueOf));
        optional(m.finishReason());
        reasoning(m.reasoning());
        optional(m.platformMessageId());
        text(m.kind().name());
        text(stored.state().name());
    }

    private void content(Content content) {
        if (content instanceof Content.Text t) {
            text("text");
            text(t.text());
        } else if (content instanceof Content.Multipart parts) {
            text("parts");
            text(parts.json().text());
        } else {
            text("none");
        }
    }

    private static String calls(ToolCalls calls) {
        if (calls.calls().isEmpty()) {
            return calls.count() + " " + calls.json().map(RawJson::text).orElse("");
        }
        StringBuilder text = new StringBuilder();
        for (ToolCall call : calls.calls()) {
            for (String part : List.of(call.id(), call.name(), call.arguments())) {
                text.append(part.length()).append(':').append(part);
            }
        }
        return text.toString();
    }

    private void reasoning(Reasoning r) {
        optional(r.text());
        optional(r.content());
        optional(r.details().map(RawJson::text));
        optional(r.codexItems().map(RawJson::text));
        optional(r.codexMessageItems().map(RawJson::text));
    }

    private void optional(Optional<String> value) {
        digest.update((byte) (value.isPresent() ? 1 : 0));
        value.ifPresent(this::text);
    }

    private void text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }
}
