package dev.parley.adapter.telegram.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.media.RemoteFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files that a message carries. */
final class Files {
    /** The most bytes that a bot may fetch. */
    static final long LARGEST = 20L << 20;

    private static final List<String> KINDS =
            List.of("animation", "document", "voice", "audio", "video", "video_note", "sticker");

    private Files() {}

    /** Returns a message's files: of a picture the largest form that may be fetched, of an animation not its document too. */
    static List<RemoteFile> of(JsonNode message) {
        List<RemoteFile> files = new ArrayList<>();
        picture(message.path("photo")).ifPresent(files::add);
        for (String kind : KINDS) {
            JsonNode file = message.path(kind);
            boolean doubled = kind.equals("document") && message.has("animation");
            if (file.path("file_id").isTextual() && !doubled) {
                files.add(file(kind, file, mediaType(kind, file)));
            }
        }
        return files;
    }

    private static Optional<RemoteFile> picture(JsonNode sizes) {
        Optional<JsonNode> largest = Optional.empty();
        for (JsonNode size : sizes) {
            boolean fits = size.path("file_size").asLong() <= LARGEST
                    && size.path("file_id").isTextual();
            if (fits && largest.filter(l -> pixels(l) > pixels(size)).isEmpty()) {
                largest = Optional.of(size);
            }
        }
        return largest.map(size -> file("photo", size, Optional.of("image/jpeg")));
    }

    private static long pixels(JsonNode size) {
        return size.path("width").asLong() * size.path("height").asLong();
    }

    private static RemoteFile file(String kind, JsonNode file, Optional<String> mediaType) {
        return new RemoteFile(
                file.path("file_id").asText(),
                kind,
                Optional.of(file.path("file_name").asText()).filter(name -> !name.isEmpty()),
                mediaType,
                Optional.of(file.path("file_size").asLong()).filter(size -> size > 0));
    }

    private static Optional<String> mediaType(String kind, JsonNode file) {
        if (kind.equals("sticker")) {
            boolean video = file.path("is_video").asBoolean(false);
            boolean animated = file.path("is_animated").asBoolean(false);
            return Optional.of(video ? "video/webm" : animated ? "application/x-tgsticker" : "image/webp");
        }
        String said = file.path("mime_type").asText();
        return Optional.of(kind.equals("video_note") && said.isEmpty() ? "video/mp4" : said)
                .filter(type -> !type.isEmpty());
    }
}
