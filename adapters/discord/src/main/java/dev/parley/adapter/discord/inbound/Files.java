package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.kit.media.RemoteFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files of messages. They lie with Discord, so they are fetched from there alone, and without the token. */
final class Files implements FileFetch.Download {
    private static final Duration FETCH = Duration.ofSeconds(60);
    private static final int VOICE = 1 << 13;

    private final DiscordApi api;

    Files(DiscordApi api) {
        this.api = api;
    }

    /** Returns a message's files, those of what it forwards included. */
    static List<RemoteFile> of(JsonNode message) {
        List<RemoteFile> files = new ArrayList<>();
        boolean voice = (message.path("flags").asInt() & VOICE) != 0;
        message.path("attachments").forEach(file -> files.add(file(file, voice)));
        message.path("message_snapshots")
                .forEach(
                        each -> each.path("message").path("attachments").forEach(file -> files.add(file(file, false))));
        return files;
    }

    private static RemoteFile file(JsonNode file, boolean voice) {
        Optional<String> type = Chat.text(file, "content_type");
        return new RemoteFile(
                file.path("url").asText(),
                voice ? "voice" : kind(type.orElse("")),
                Chat.text(file, "filename"),
                type,
                Optional.of(file.path("size").asLong()).filter(size -> size > 0));
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

    @Override
    public InputStream open(RemoteFile file) throws FileFetch.NotThere, IOException, InterruptedException {
        HttpResponse<InputStream> answer = api.download(address(file.id()), FETCH);
        int status = answer.statusCode();
        if (status == 200) {
            return answer.body();
        }
        answer.body().close();
        if (status < 500 && status != 429) {
            throw new FileFetch.NotThere("Discord does not give it (" + status + ")");
        }
        throw new IOException("status " + status);
    }

    private URI address(String text) throws FileFetch.NotThere {
        try {
            URI address = URI.create(text);
            if (!text.isEmpty() && api.isFile(address)) {
                return address;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Said below.
        }
        throw new FileFetch.NotThere("it does not lie with Discord");
    }
}
