package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.media.RemoteFile;
import java.util.List;
import java.util.Optional;

/** The file that a message carries. */
final class Files {
    private Files() {}

    /** Returns a message's file; none where it carries none. A file without an address cannot be fetched. */
    static List<RemoteFile> of(String type, JsonNode content) {
        Optional<String> kind = kind(type, content);
        if (kind.isEmpty()) {
            return List.of();
        }
        JsonNode info = content.path("info");
        // The file of an encrypted message is encrypted too.
        String address = content.has("file") ? "" : content.path("url").asText();
        return List.of(new RemoteFile(
                address,
                kind.get(),
                name(content),
                Optional.of(info.path("mimetype").asText()).filter(text -> !text.isEmpty()),
                Optional.of(info.path("size").asLong()).filter(size -> size > 0)));
    }

    /** Returns what was said with a file: the body, where it is not just the file's name. */
    static String caption(JsonNode content) {
        String body = content.path("body").asText();
        String name = content.path("filename").asText();
        return name.isEmpty() || name.equals(body) ? "" : body;
    }

    private static Optional<String> name(JsonNode content) {
        String name = content.path("filename").asText();
        return Optional.of(name.isEmpty() ? content.path("body").asText() : name)
                .filter(text -> !text.isBlank() && text.length() <= 255);
    }

    private static Optional<String> kind(String type, JsonNode content) {
        if (type.equals("m.sticker")) {
            return Optional.of("sticker");
        }
        return switch (content.path("msgtype").asText()) {
            case "m.image" -> Optional.of("photo");
            case "m.video" -> Optional.of("video");
            case "m.audio" ->
                Optional.of(content.has("org.matrix.msc3245.voice") || content.has("m.voice") ? "voice" : "audio");
            case "m.file" -> Optional.of("document");
            default -> Optional.empty();
        };
    }
}
