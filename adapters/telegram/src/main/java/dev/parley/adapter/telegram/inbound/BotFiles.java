package dev.parley.adapter.telegram.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.telegram.api.BotApi;
import dev.parley.adapter.telegram.api.BotApiError;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Fetches files by the path that the Bot API gives for them. */
public final class BotFiles implements FileFetch.Download {
    /** The most bytes that a bot may fetch. */
    public static final long LARGEST = Files.LARGEST;

    private static final Duration LOOK_UP = Duration.ofSeconds(10);
    private static final Duration FETCH = Duration.ofSeconds(60);

    /** What Telegram answers where asking again is of no use. */
    private static final Set<Integer> GONE = Set.of(400, 403, 404, 410);

    private final BotApi api;

    /** Fetches by this API. */
    public BotFiles(BotApi api) {
        this.api = api;
    }

    @Override
    public InputStream open(RemoteFile file) throws FileFetch.NotThere, IOException, InterruptedException {
        JsonNode found;
        try {
            found = api.call("getFile", Map.of("file_id", file.id()), LOOK_UP);
        } catch (BotApiError e) {
            throw new FileFetch.NotThere(String.valueOf(e.getMessage()));
        }
        HttpResponse<InputStream> response = api.file(found.path("file_path").asText(), FETCH);
        int status = response.statusCode();
        if (status == 200) {
            return response.body();
        }
        response.body().close();
        if (GONE.contains(status)) {
            throw new FileFetch.NotThere("Telegram does not have it any more (status " + status + ")");
        }
        throw new IOException("status " + status);
    }
}
