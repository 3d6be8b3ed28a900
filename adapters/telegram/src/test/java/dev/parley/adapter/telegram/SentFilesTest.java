package dev.parley.adapter.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.SentPart;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.telegram.FakeTelegram;
import dev.parley.fakes.telegram.Shown;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the agent in Telegram. */
class SentFilesTest {
    private static final long ADA = 100;

    @TempDir
    private Path home;

    private final FakeGateway around = TelegramTesting.gateway();
    private final FakeTelegram telegram = new FakeTelegram(TelegramTesting.TOKEN, "parley_bot", () -> around.now());
    private Optional<TelegramPlatform> platform = Optional.empty();

    @BeforeEach
    void aBot() {
        telegram.privateChat(ADA, "Ada");
        TelegramPlatform made = (TelegramPlatform) new TelegramProvider()
                .create(around.settings(
                        home, Map.of("base_url", telegram.address().toString())));
        made.start(around);
        platform = Optional.of(made);
    }

    @AfterEach
    void stop() {
        platform.ifPresent(TelegramPlatform::stop);
        telegram.close();
        around.close();
    }

    private Attachment file(String kind, String name, String content) throws Exception {
        Path file = Files.writeString(home.resolve(name), content);
        return new Attachment(kind, file.toString(), Optional.of(name), Optional.empty());
    }

    private Outgoing message(String text, Attachment... files) {
        return Outgoing.builder(
                        new OutgoingId("o-1"),
                        Address.of(Platform.TELEGRAM, String.valueOf(ADA)),
                        text,
                        Outgoing.Kind.REPLY,
                        around.now())
                .attachments(List.of(files))
                .build();
    }

    private void send(Outgoing message) {
        platform.orElseThrow().send(message);
    }

    private List<String> texts() {
        return telegram.shown(ADA).stream().map(Shown::text).toList();
    }

    private List<String> names() {
        return telegram.shown(ADA).stream()
                .map(shown -> shown.fileName().orElse("-"))
                .toList();
    }

    @Test
    void aShortTextStandsBelowTheFirstFile() throws Exception {
        send(message("See **both**.", file("photo", "a.png", "A"), file("document", "b.csv", "B")));

        assertThat(texts()).containsExactly("See both.", "");
        assertThat(names()).containsExactly("a.png", "b.csv");
        assertThat(telegram.calls()).extracting(FakeTelegram.Call::method).contains("sendPhoto", "sendDocument");
        assertThat(telegram.fileContent(ADA, telegram.shown(ADA).get(1).id())).containsExactly('B');
    }

    @Test
    void aTextThatIsTooLongForACaptionComesBeforeTheFile() throws Exception {
        String text = "a".repeat(1_025);
        send(message(text, file("document", "b.csv", "B")));

        assertThat(texts()).containsExactly(text, "");
    }

    @Test
    void whatTakesThePlaceOfAPreviewIsNoCaption() throws Exception {
        send(message("thinking").toBuilder().build());
        String preview = String.valueOf(telegram.shown(ADA).get(0).id());
        send(message("done", file("document", "b.csv", "B")).toBuilder()
                .replaces(preview)
                .build());

        assertThat(texts()).containsExactly("done", "");
        assertThat(names()).containsExactly("-", "b.csv");
    }

    @Test
    void anAttemptContinuesBehindTheFilesThatWereTaken() throws Exception {
        Outgoing message = message("See.", file("document", "a.csv", "A"), file("document", "b.csv", "B"));
        send(message.sent(new SentPart(1, List.of("17"))));

        assertThat(names()).containsExactly("b.csv");
    }

    @Test
    void aFileThatIsGoneIsToldInItsPlace() throws Exception {
        Attachment gone = file("photo", "a.png", "A");
        Files.delete(Path.of(gone.location()));
        send(message("See **both**.", gone, file("document", "b.csv", "B")));

        assertThat(texts()).containsExactly("See both.\n\n[a.png: this file is not kept any more.]", "");
        assertThat(names()).containsExactly("-", "b.csv");
    }

    @Test
    void aPictureThatCannotBeShownIsSentAsAFile() throws Exception {
        telegram.fail("sendPhoto", 400, "Bad Request: PHOTO_INVALID_DIMENSIONS");
        send(message("See.", file("photo", "a.png", "A")));

        assertThat(names()).containsExactly("a.png");
        assertThat(telegram.calls()).extracting(FakeTelegram.Call::method).contains("sendDocument");
    }

    @Test
    void aFileThatTelegramRefusesIsToldInItsPlaceAndWhatFollowsIsSent() throws Exception {
        telegram.fail("sendDocument", 413, "Request Entity Too Large");
        send(message("See both.", file("document", "a.csv", "A"), file("document", "b.csv", "B")));

        assertThat(texts()).containsExactly("See both.\n\n[a.csv: this file could not be sent here.]", "");
        assertThat(names()).containsExactly("-", "b.csv");
    }
}
