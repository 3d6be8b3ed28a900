package dev.parley.adapter.signal.inbound;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.signal.api.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files of messages. The daemon has them already, and gives them as base64 in its answer; it is decoded into a file beside the media
 * store while it comes, for it may be large.
 */
public final class Files implements FileFetch.Download {
    /** The most bytes that Signal lets people send. */
    public static final long LARGEST = 100L << 20;

    private static final Duration FETCH = Duration.ofSeconds(60);
    private static final JsonFactory JSON = new JsonFactory();

    private final Daemon daemon;
    private final Path directory;

    /**
     * Fetches from a daemon.
     *
     * @param daemon the daemon
     * @param directory where files lie while they come; it exists
     */
    public Files(Daemon daemon, Path directory) {
        this.daemon = daemon;
        this.directory = directory;
    }

    /** Returns the files of a message of a chat. */
    static List<RemoteFile> of(JsonNode data, String chat) {
        List<RemoteFile> files = new ArrayList<>();
        for (JsonNode file : data.path("attachments")) {
            String type = file.path("contentType").asText("");
            files.add(new RemoteFile(
                    file.path("id").asText("") + " " + chat,
                    kind(type),
                    present(file.path("filename").asText("")),
                    present(type),
                    Optional.of(file.path("size").asLong()).filter(size -> size > 0)));
        }
        return files;
    }

    private static String kind(String type) {
        int slash = type.indexOf('/');
        return switch (slash < 0 ? type : type.substring(0, slash)) {
            case "image" -> "photo";
            case "audio" -> "audio";
            case "video" -> "video";
            default -> "document";
        };
    }

    private static Optional<String> present(String text) {
        return Optional.of(text).filter(value -> !value.isEmpty());
    }

    @Override
    public InputStream open(RemoteFile file) throws FileFetch.NotThere, IOException, InterruptedException {
        int blank = file.id().indexOf(' ');
        String id = file.id().substring(0, blank);
        if (id.isEmpty()) {
            throw new FileFetch.NotThere("signal-cli has not fetched it");
        }
        String chat = file.id().substring(blank + 1);
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("id", id);
        if (chat.startsWith(Place.GROUP)) {
            parameters.put("groupId", chat.substring(Place.GROUP.length()));
        } else {
            parameters.put("recipient", chat);
        }
        HttpResponse<InputStream> answer = daemon.open("getAttachment", parameters, FETCH);
        try (InputStream body = answer.body()) {
            if (answer.statusCode() != 200) {
                throw new IOException("status " + answer.statusCode());
            }
            return decoded(body);
        }
    }

    private InputStream decoded(InputStream answer) throws FileFetch.NotThere, IOException {
        Path file = java.nio.file.Files.createTempFile(directory, "file", ".part");
        try (JsonParser parser = JSON.createParser(answer);
                OutputStream out = java.nio.file.Files.newOutputStream(file)) {
            if (!content(parser, out)) {
                throw new FileFetch.NotThere("signal-cli does not give it");
            }
        } catch (IOException | FileFetch.NotThere | RuntimeException e) {
            java.nio.file.Files.deleteIfExists(file);
            throw e;
        }
        return java.nio.file.Files.newInputStream(file, StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** The result is the text itself, or an object with the text under {@code data}. */
    private static boolean content(JsonParser parser, OutputStream out) throws IOException {
        boolean inResult = false;
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (name.equals("error")) {
                    return false;
                }
                boolean result = name.equals("result");
                inResult |= result;
                if ((result || (inResult && name.equals("data"))) && parser.nextToken() == JsonToken.VALUE_STRING) {
                    parser.readBinaryValue(out);
                    return true;
                }
            }
        }
        return false;
    }
}
