package dev.parley.adapter.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.turn.Attachment;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The files that a program says beside its text: pictures, sounds and embedded resources, kept in the media store. */
final class SaidFiles {
    private final MediaStore media;
    private final List<Attachment> kept = new ArrayList<>();

    SaidFiles(MediaStore media) {
        this.media = media;
    }

    /** Returns the files so far, in order. */
    List<Attachment> kept() {
        return List.copyOf(kept);
    }

    /** Keeps the file that a block of content holds, where it holds one; returns what people are told where it cannot be kept. */
    Optional<String> keep(JsonNode block) {
        JsonNode resource = block.path("resource");
        return switch (Json.text(block, "type")) {
            case "image", "audio" -> bytes(Json.text(block, "data")).flatMap(data -> keep(block, data));
            case "resource" ->
                (resource.has("blob")
                                ? bytes(Json.text(resource, "blob"))
                                : Optional.of(Json.text(resource, "text").getBytes(StandardCharsets.UTF_8)))
                        .filter(data -> data.length > 0)
                        .flatMap(data -> keep(resource, data));
            default -> Optional.empty();
        };
    }

    private static Optional<byte[]> bytes(String base64) {
        try {
            return Optional.of(Base64.getMimeDecoder().decode(base64));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private Optional<String> keep(JsonNode described, byte[] data) {
        String uri = Json.text(described, "uri");
        Optional<String> name =
                Optional.of(uri.substring(uri.lastIndexOf('/') + 1)).filter(last -> !last.isEmpty());
        Optional<String> type = Optional.of(Json.text(described, "mimeType")).filter(words -> !words.isEmpty());
        try {
            kept.add(media.keep(new ByteArrayInputStream(data), new Attachment("document", "", name, type)));
            return Optional.empty();
        } catch (InvalidRequest e) {
            return Optional.of("[" + name.orElse("a file") + ": this file cannot be sent. " + e.getMessage() + "]");
        } catch (StorageUnavailable e) {
            // The operator's directories are not for people.
            return Optional.of("[" + name.orElse("a file") + ": this file cannot be kept now, so it is not sent.]");
        }
    }
}
