package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.adapter.slack.api.SlackError;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of messages. They are fetched with the bot's token, so from Slack alone. */
final class Files implements FileFetch.Download {
    private static final Duration FETCH = Duration.ofSeconds(60);
    private static final String LOOK_UP = "file:";

    private final SlackApi api;

    Files(SlackApi api) {
        this.api = api;
    }

    /** Returns a message's files; one without an address cannot be fetched. */
    static List<RemoteFile> of(JsonNode message) {
        List<RemoteFile> files = new ArrayList<>();
        for (JsonNode file : message.path("files")) {
            if (file.isObject() && !file.path("mode").asText().equals("tombstone")) {
                String type = file.path("mimetype").asText();
                boolean known = !file.path("file_access").asText().equals("check_file_info");
                files.add(new RemoteFile(
                        known ? address(file) : LOOK_UP + file.path("id").asText(),
                        kind(file, type),
                        text(file, "name").or(() -> text(file, "title")),
                        Optional.of(type).filter(words -> !words.isEmpty()),
                        Optional.of(file.path("size").asLong()).filter(size -> size > 0)));
            }
        }
        return files;
    }

    private static String address(JsonNode file) {
        // Another service's file lies at an address that is not Slack's.
        return file.path("is_external").asBoolean(false)
                ? ""
                : text(file, "url_private_download")
                        .or(() -> text(file, "url_private"))
                        .orElse("");
    }

    private static String kind(JsonNode file, String type) {
        if (file.path("subtype").asText().equals("slack_audio")) {
            return "voice";
        }
        int slash = type.indexOf('/');
        return switch (slash < 0 ? type : type.substring(0, slash)) {
            case "image" -> "photo";
            case "audio" -> "audio";
            case "video" -> "video";
            default -> "document";
        };
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.of(node.path(field).asText()).filter(text -> !text.isEmpty());
    }

    @Override
    public InputStream open(RemoteFile file) throws FileFetch.NotThere, IOException, InterruptedException {
        String found = file.id().startsWith(LOOK_UP) ? lookedUp(file.id().substring(LOOK_UP.length())) : file.id();
        URI address = address(found);
        HttpResponse<InputStream> answer = api.download(address, FETCH);
        int status = answer.statusCode();
        boolean page = answer.headers()
                        .firstValue("Content-Type")
                        .filter(type -> type.startsWith("text/html"))
                        .isPresent()
                && file.mediaType().filter(type -> type.startsWith("text/html")).isEmpty();
        if (status == 200 && !page) {
            return answer.body();
        }
        answer.body().close();
        if (status == 200 || (status >= 300 && status < 400)) {
            throw new FileFetch.NotThere("Slack asks to log in for it; the app needs the scope files:read");
        }
        if (status >= 400 && status < 500 && status != 429) {
            throw new FileFetch.NotThere("Slack does not give it (" + status + ")");
        }
        throw new IOException("status " + status);
    }

    private URI address(String text) throws FileFetch.NotThere {
        try {
            URI address = URI.create(text);
            if (!text.isEmpty() && api.isSlacks(address)) {
                return address;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Said below.
        }
        throw new FileFetch.NotThere("it does not lie with Slack");
    }

    private String lookedUp(String id) throws FileFetch.NotThere, IOException, InterruptedException {
        try {
            return address(api.get("files.info", Map.of("file", id)).path("file"));
        } catch (SlackError e) {
            throw new FileFetch.NotThere(String.valueOf(e.getMessage()));
        }
    }
}
