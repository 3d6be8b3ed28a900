package dev.parley.adapter.whatsappcloud.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.whatsappcloud.api.GraphApi;
import dev.parley.adapter.whatsappcloud.api.GraphError;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Fetches what people send: by its id Meta tells an address that holds for five minutes. */
public final class MetaFiles implements FileFetch.Download {
    /** The most bytes of a file of any kind. */
    public static final long LARGEST = 100L << 20;

    private static final Map<String, Long> LARGEST_OF = Map.of(
            "photo", 5L << 20, "video", 16L << 20, "audio", 16L << 20, "voice", 16L << 20, "sticker", 500L << 10);
    private static final Duration LOOK_UP = Duration.ofSeconds(10);
    private static final Duration FETCH = Duration.ofSeconds(60);

    /** What Meta answers where asking again is of no use. */
    private static final Set<Integer> GONE = Set.of(400, 403, 404, 410);

    private final GraphApi api;

    /** Fetches by this API. */
    public MetaFiles(GraphApi api) {
        this.api = api;
    }

    @Override
    public InputStream open(RemoteFile file) throws FileFetch.NotThere, IOException, InterruptedException {
        JsonNode found = look(file);
        if (found.path("file_size").asLong() > LARGEST_OF.getOrDefault(file.kind(), LARGEST)) {
            throw new FileFetch.NotThere("it is larger than WhatsApp lets a " + file.kind() + " be");
        }
        HttpResponse<InputStream> response = api.file(address(found), FETCH);
        int status = response.statusCode();
        if (status == 200) {
            return response.body();
        }
        response.body().close();
        if (GONE.contains(status)) {
            throw new FileFetch.NotThere("Meta does not have it any more (status " + status + ")");
        }
        throw new IOException("status " + status);
    }

    private JsonNode look(RemoteFile file) throws FileFetch.NotThere, ApiFailure, IOException, InterruptedException {
        try {
            return api.media(file.id(), LOOK_UP);
        } catch (GraphError e) {
            if (e.isAway()) {
                throw new IOException("Meta is out of order", e);
            }
            throw new FileFetch.NotThere(String.valueOf(e.getMessage()));
        }
    }

    private URI address(JsonNode found) throws FileFetch.NotThere {
        try {
            URI address = URI.create(found.path("url").asText());
            if (api.mayFetch(address)) {
                return address;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Said below, together with addresses of another kind.
        }
        throw new FileFetch.NotThere("Meta tells no address for it");
    }
}
