package dev.parley.adapter.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which of a program's sessions goes on with which conversation, in a file of the home, for the last thousand. Losing it loses nothing but
 * what a program remembers beside what was said: it is told the conversation again. Safe for concurrent use.
 */
final class KnownSessions {
    private static final int MOST = 1000;

    private final Path file;
    private final Map<String, Known> known = new LinkedHashMap<>();
    private boolean read;

    /**
     * A session of a program, and how far it has heard of a conversation.
     *
     * @param session the program's name of its session
     * @param input the message that it was given last
     * @param before a digest of the messages before that
     */
    record Known(String session, String input, String before) {
        static Known of(String session, List<Message> history, MessageId input) {
            return new Known(session, input.value(), digest(history));
        }

        /**
         * Returns whether a conversation is what the program has heard: what it was given last stands behind the same messages, and nobody
         * has said anything since that it was not given.
         */
        boolean hasHeard(List<Message> history) {
            for (int at = 0; at < history.size(); at++) {
                if (history.get(at).id().value().equals(input)) {
                    return digest(history.subList(0, at)).equals(before)
                            && history.subList(at + 1, history.size()).stream()
                                    .noneMatch(message -> message.role().equals(Role.USER));
                }
            }
            return false;
        }

        private static String digest(List<Message> messages) {
            try {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                messages.forEach(
                        message -> digest.update((message.id().value() + "\n").getBytes(StandardCharsets.UTF_8)));
                return HexFormat.of().formatHex(digest.digest());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every Java platform has SHA-256", e);
            }
        }
    }

    KnownSessions(Path file) {
        this.file = file;
    }

    /** Returns what is known of a conversation; absent where nothing is, or the file cannot be read. */
    synchronized Optional<Known> find(SessionId conversation) {
        read();
        return Optional.ofNullable(known.get(conversation.value()));
    }

    /** Keeps what is known from now on; a file that cannot be written is left as it is. */
    synchronized void put(SessionId conversation, Known next) {
        read();
        known.remove(conversation.value());
        known.put(conversation.value(), next);
        known.keySet().stream().limit(Math.max(0, known.size() - MOST)).toList().forEach(known::remove);
        write();
    }

    private void read() {
        if (read) {
            return;
        }
        read = true;
        try {
            if (Files.exists(file)) {
                Json.read(Files.readString(file))
                        .ifPresent(all -> all.path("sessions").forEach(this::add));
            }
        } catch (IOException lost) {
            // The programs are told the conversations again.
        }
    }

    private void add(JsonNode each) {
        known.put(
                Json.text(each, "conversation"),
                new Known(Json.text(each, "session"), Json.text(each, "input"), Json.text(each, "before")));
    }

    private void write() {
        ObjectNode all = Json.object();
        ArrayNode sessions = all.putArray("sessions");
        known.forEach((conversation, each) -> sessions.addObject()
                .put("conversation", conversation)
                .put("session", each.session())
                .put("input", each.input())
                .put("before", each.before()));
        try {
            // A temporary file is its owner's only.
            Path next = Files.createTempFile(file.toAbsolutePath().getParent(), "." + file.getFileName() + ".", ".new");
            try {
                Files.writeString(next, Json.write(all));
                Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(next);
            }
        } catch (IOException lost) {
            // As above.
        }
    }
}
