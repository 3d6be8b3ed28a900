package dev.parley.adapter.discord.outbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.parley.adapter.kit.api.Multipart;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.port.DeliveryFailed;
import java.io.FileNotFoundException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What messages of Discord hold beside their text, as its API takes it. */
final class Contents {
    private static final int NONCE_BYTES = 16;
    private static final int LONGEST_LABEL = 80;
    private static final int IN_ROW = 5;

    private Contents() {}

    /** People may be named, nobody names a role or a whole channel; who is answered is told once, by the answer itself. */
    static Map<String, Object> allowed() {
        return Map.of("parse", List.of("users"), "replied_user", true);
    }

    /** Returns buttons, five in a row. */
    static List<Map<String, Object>> rows(List<Choice> choices) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < choices.size(); i += IN_ROW) {
            List<Map<String, Object>> buttons = new ArrayList<>();
            for (Choice choice : choices.subList(i, Math.min(choices.size(), i + IN_ROW))) {
                buttons.add(Map.of(
                        "type",
                        2,
                        "style",
                        2,
                        "label",
                        label(choice.label()),
                        "custom_id",
                        "parley:" + choice.value()));
            }
            rows.add(Map.of("type", 1, "components", buttons));
        }
        return rows;
    }

    private static String label(String text) {
        if (text.isBlank()) {
            return "\u2026";
        }
        int most = text.offsetByCodePoints(0, Math.min(LONGEST_LABEL, text.codePointCount(0, text.length())));
        return text.substring(0, most);
    }

    /** Returns what Discord folds repetitions of a message by: the same for the same text, in 22 characters. */
    static String nonce(String of) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(of.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, NONCE_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    /** Returns a file with the message that shows it. */
    static Multipart form(SentFile sent, Map<String, Object> body) {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("id", 0);
        file.put("filename", sent.name());
        sent.attachment().description().ifPresent(words -> file.put("description", words));
        Map<String, Object> payload = new LinkedHashMap<>(body);
        payload.put("attachments", List.of(file));
        try {
            return new Multipart(
                            "parley" + Integer.toHexString(body.hashCode()) + "x" + Long.toHexString(System.nanoTime()))
                    .field("payload_json", Json.MAPPER.writeValueAsString(payload))
                    .file(
                            "files[0]",
                            sent.path().orElseThrow(() -> new FileNotFoundException("no path")),
                            sent.name(),
                            sent.mediaType());
        } catch (FileNotFoundException gone) {
            throw new DeliveryFailed(
                    DeliveryFailed.Kind.REJECTED, "A file that was to be sent is not there any more.", gone);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("What was to be sent is no Json.MAPPER.", e);
        }
    }
}
