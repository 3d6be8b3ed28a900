package dev.parley.adapter.slack.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.WholeFile;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.domain.source.Address;
import java.io.FileNotFoundException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shares files in conversations. Safe for concurrent use; blocks until Slack has answered. */
final class SharedFiles {
    private static final Duration UPLOAD = Duration.ofSeconds(50);

    private final SlackApi slack;
    private final Calls calls;

    SharedFiles(SlackApi slack, Calls calls) {
        this.slack = slack;
        this.calls = calls;
    }

    /**
     * Uploads a file and has it shown.
     *
     * @throws DeliveryFailed where Slack did not take it
     */
    void share(Address to, SentFile file, Path path) {
        calls.pace(to);
        WholeFile content = content(file, path);
        Map<String, String> announced = new LinkedHashMap<>();
        announced.put("filename", file.name());
        announced.put("length", String.valueOf(path.toFile().length()));
        file.attachment().description().ifPresent(words -> announced.put("alt_txt", words));
        calls.run(Calls.FILES, api -> {
            JsonNode given = api.get("files.getUploadURLExternal", announced);
            api.upload(uploadTo(given), content, UPLOAD);
            Map<String, Object> arguments = new LinkedHashMap<>();
            arguments.put("files", List.of(Map.of("id", given.path("file_id").asText(), "title", file.name())));
            arguments.put("channel_id", to.chatId());
            to.threadId().ifPresent(thread -> arguments.put("thread_ts", thread));
            return api.post("files.completeUploadExternal", arguments);
        });
    }

    private static WholeFile content(SentFile file, Path path) {
        try {
            return new WholeFile(path, file.mediaType());
        } catch (FileNotFoundException gone) {
            throw new DeliveryFailed(
                    DeliveryFailed.Kind.REJECTED, "A file that was to be sent is not there any more.", gone);
        }
    }

    private URI uploadTo(JsonNode given) {
        try {
            URI address = URI.create(given.path("upload_url").asText());
            if (slack.isSlacks(address)) {
                return address;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Said below.
        }
        throw new DeliveryFailed(
                DeliveryFailed.Kind.REJECTED, "Slack gave an address for the file that is not its own.", null);
    }
}
