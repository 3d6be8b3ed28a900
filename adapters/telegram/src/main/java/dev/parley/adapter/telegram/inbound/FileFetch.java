package dev.parley.adapter.telegram.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.telegram.api.BotApi;
import dev.parley.adapter.telegram.api.BotApiError;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.turn.Attachment;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Fetches the files of messages into the media store. A file that cannot be had is left out with a warning, and what it was is said in
 * its attachment's description: a message is never lost for its file. Safe for concurrent use; blocks while it fetches.
 */
public final class FileFetch {
    private static final Duration LOOK_UP = Duration.ofSeconds(10);
    private static final Duration FETCH = Duration.ofSeconds(60);
    private static final int TRIES = 3;

    private final BotApi api;
    private final MediaStore store;
    private final Consumer<String> warnings;

    /** Fetches by this API into this store. */
    public FileFetch(BotApi api, MediaStore store, Consumer<String> warnings) {
        this.api = api;
        this.store = store;
        this.warnings = warnings;
    }

    /** Returns the files as attachments, in order; of one that cannot be had, what it was. */
    public List<Attachment> fetch(List<RemoteFile> files) {
        List<Attachment> attachments = new ArrayList<>();
        for (RemoteFile file : files) {
            attachments.add(fetch(file));
        }
        return attachments;
    }

    private Attachment fetch(RemoteFile file) {
        if (file.bytes()
                .filter(size -> size > Math.min(Files.LARGEST, store.largest()))
                .isPresent()) {
            return missing(file, "it is larger than may be fetched");
        }
        String why = "";
        for (int i = 0; i < TRIES; i++) {
            try {
                return kept(file);
            } catch (BotApiError | InvalidRequest | StorageUnavailable e) {
                return missing(file, String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return missing(file, "the gateway stops");
            } catch (IOException e) {
                why = e instanceof ApiFailure ? String.valueOf(e.getMessage()) : "the connection broke";
            }
        }
        return missing(file, why);
    }

    private Attachment kept(RemoteFile file) throws BotApiError, IOException, InterruptedException {
        JsonNode found = api.call("getFile", Map.of("file_id", file.id()), LOOK_UP);
        HttpResponse<InputStream> response = api.file(found.path("file_path").asText(), FETCH);
        try (InputStream content = response.body()) {
            if (response.statusCode() != 200) {
                throw new IOException("status " + response.statusCode());
            }
            Attachment kept = store.keep(content, described(file, ""));
            // What people sent it as counts for voices and pictures; the bytes say the rest.
            return new Attachment(
                    file.kind(), kept.location(), kept.name(), kept.mediaType(), kept.description(), kept.bytes());
        }
    }

    private Attachment missing(RemoteFile file, String why) {
        warnings.accept("A " + file.kind() + " was left out of its message: " + why + ".");
        return described(file, "").described("The " + file.kind() + " could not be fetched.");
    }

    private static Attachment described(RemoteFile file, String location) {
        return new Attachment(file.kind(), location, file.name(), file.mediaType(), Optional.empty(), file.bytes());
    }
}
