package dev.parley.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the agent over HTTP: named in the rows, fetched by whoever may read the messages. */
class SentFilesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Attachment REPORT = new Attachment(
            "document",
            "/kept/1",
            Optional.of("the \"best\" report.txt"),
            Optional.of("text/plain"),
            Optional.of("a report"),
            Optional.of(11L));

    @TempDir
    private Path home;

    private final FakeGateway gateway = new FakeGateway();
    private final Map<String, String> kept = new HashMap<>(Map.of("/kept/1", "all is well"));
    private final HttpClient client = HttpClient.newHttpClient();
    private Optional<ChatPlatform> platform = Optional.empty();

    @BeforeEach
    void anAnswerWithAFile() {
        Outgoing answer =
                FakeGateway.outgoing("o-1", "a chat&", Outgoing.Kind.REPLY, "See.", Optional.of(new TurnId("turn-1")))
                        .toBuilder()
                        .attachments(List.of(REPORT))
                        .build();
        gateway.stored.add(answer);
        gateway.taking = (message, told) -> {
            told.finished(answer);
            return FakeGateway.admitted();
        };
        ChatPlatform made =
                new HttpProvider().create(gateway.settings(home, Map.of()).keeping(Cursors.inMemory(), new Kept()));
        made.start(gateway);
        platform = Optional.of(made);
    }

    @AfterEach
    void stop() {
        platform.ifPresent(ChatPlatform::stop);
        gateway.close();
    }

    private HttpRequest.Builder request(String path) throws Exception {
        return HttpRequest.newBuilder(
                        platform.orElseThrow().address().orElseThrow().resolve(path))
                .header(
                        "Authorization",
                        "Bearer "
                                + Files.readString(GatewayClient.tokenFile(home))
                                        .strip());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode answer() throws Exception {
        HttpRequest question = request("/v1/messages")
                .POST(HttpRequest.BodyPublishers.ofString("{\"chat_id\":\"a chat&\",\"text\":\"hi\"}"))
                .build();
        return JSON.readTree(
                client.send(question, HttpResponse.BodyHandlers.ofString()).body());
    }

    @Test
    void anAnswerNamesItsFilesAndTheyAreHandedOut() throws Exception {
        JsonNode file = answer().path("attachments").path(0);

        assertThat(file.path("name").asText()).isEqualTo("the \"best\" report.txt");
        assertThat(file.path("bytes").asLong()).isEqualTo(11);
        assertThat(file.path("description").asText()).isEqualTo("a report");
        assertThat(file.has("location")).as("where it lies in the home is told").isFalse();
        HttpResponse<String> content = get(file.path("url").asText());
        assertThat(content.body()).isEqualTo("all is well");
        assertThat(content.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        assertThat(content.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename*=UTF-8''the%20%22best%22%20report.txt");
    }

    @Test
    void theMessagesOfAChatNameTheirFilesToo() throws Exception {
        JsonNode rows = JSON.readTree(get("/v1/messages?chat_id=a%20chat%26").body());

        assertThat(rows.path("messages")
                        .path(0)
                        .path("attachments")
                        .path(0)
                        .path("url")
                        .asText())
                .isEqualTo("/v1/messages?platform=webhook&chat_id=a%20chat%26&message=o-1&file=1");
    }

    @Test
    void whatIsGoneOrNeverWasIsToldSo() throws Exception {
        String url = answer().path("attachments").path(0).path("url").asText();

        assertThat(get(url.replace("file=1", "file=2")).statusCode()).isEqualTo(404);
        assertThat(get(url.replace("o-1", "o-2")).statusCode()).isEqualTo(404);
        kept.clear();
        HttpResponse<String> gone = get(url);
        assertThat(gone.statusCode()).isEqualTo(410);
        assertThat(gone.body()).contains("not kept any more");
    }

    @Test
    void strangersGetNoFiles() throws Exception {
        String url = answer().path("attachments").path(0).path("url").asText();

        HttpRequest stranger = HttpRequest.newBuilder(
                        platform.orElseThrow().address().orElseThrow().resolve(url))
                .build();
        assertThat(client.send(stranger, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(401);
    }

    private final class Kept implements MediaStore {
        @Override
        public Attachment keep(InputStream content, Attachment named) {
            throw new AssertionError("not asked for here");
        }

        @Override
        public InputStream open(Attachment attachment) {
            return new ByteArrayInputStream(Optional.ofNullable(kept.get(attachment.location()))
                    .orElseThrow(() -> new InvalidRequest("The file is not kept any more."))
                    .getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public long largest() {
            return 1_000;
        }
    }
}
