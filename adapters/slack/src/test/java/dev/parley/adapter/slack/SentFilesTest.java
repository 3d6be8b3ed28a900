package dev.parley.adapter.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.ability.SendingInParts;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.SentPart;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.slack.FakeSlack;
import dev.parley.fakes.slack.Shown;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the agent in Slack: each is shown once, or what is wrong with it is told in its place. */
class SentFilesTest {
    @TempDir
    private Path home;

    private final FakeGateway gateway = SlackTesting.gateway();
    private final FakeSlack slack = new FakeSlack(SlackTesting.BOT_TOKEN, SlackTesting.APP_TOKEN, gateway::now);
    private final String ada = slack.person("ada");
    private final String direct = slack.directChat(ada);
    private Optional<ChatPlatform> started = Optional.empty();

    private SendingInParts start() {
        stop();
        gateway.now(gateway.now().plus(Duration.ofMinutes(1)));
        ChatPlatform platform = SlackTesting.platform(gateway, slack, home, Map.of());
        platform.start(gateway);
        started = Optional.of(platform);
        return platform.as(SendingInParts.class).orElseThrow();
    }

    private void stop() {
        started.ifPresent(ChatPlatform::stop);
        started = Optional.empty();
    }

    @AfterEach
    void end() {
        stop();
        slack.close();
        gateway.close();
    }

    private Attachment file(String directory, String name) throws Exception {
        Path file = Files.createDirectories(home.resolve(directory)).resolve(name);
        Files.writeString(file, directory);
        return new Attachment("document", file.toString(), Optional.of(name), Optional.of("text/plain"));
    }

    private Outgoing message(String text, Attachment... files) {
        return Outgoing.builder(
                        new OutgoingId("o-1"),
                        Address.of(Platform.SLACK, direct),
                        text,
                        Outgoing.Kind.REPLY,
                        gateway.now())
                .attachments(List.of(files))
                .build();
    }

    private List<String> files() {
        return slack.shown(direct).stream()
                .flatMap(shown -> shown.files().stream())
                .toList();
    }

    private List<String> texts() {
        return slack.shown(direct).stream()
                .filter(shown -> shown.files().isEmpty())
                .map(Shown::text)
                .toList();
    }

    @Test
    void aFileThatWasSharedByAProcessThatWasKilledIsNotSharedAgain() throws Exception {
        Outgoing message = message("two reports", file("first", "report.txt"), file("second", "report.txt"));
        SendingInParts before = start();
        Sent text = before.sendPart(message);
        Outgoing begun = message.sent(new SentPart(1, text.messageIds()));
        before.sendPart(begun);

        // The process ended before it stored that the first file is there.
        start().send(begun);

        assertThat(texts()).containsExactly("two reports");
        assertThat(files()).containsExactly("report.txt", "report.txt");
    }

    @Test
    void aFileOfWhichNothingWasHeardIsLookedForBeforeItIsSharedAgain() throws Exception {
        SendingInParts platform = start();
        Outgoing message = message("", file("first", "report.txt"));
        slack.fail("files.completeUploadExternal", 502);
        assertThatThrownBy(() -> platform.sendPart(message)).isNotNull();

        platform.sendPart(message);

        assertThat(files()).containsExactly("report.txt");
    }

    @Test
    void aFileThatIsGoneIsToldOnceInItsPlace() throws Exception {
        Attachment gone = file("first", "report_of_may.txt");
        Files.delete(Path.of(gone.location()));
        Outgoing message = message("the report", gone);
        start().send(message);
        start().send(message);

        assertThat(texts()).containsExactly("the report", "[report_of_may.txt: this file is not kept any more.]");
    }

    @Test
    void aFileThatTheAppMayNotShareIsToldInItsPlace() throws Exception {
        slack.fail("files.getUploadURLExternal", "missing_scope");
        start().send(message("the report", file("first", "report.txt"), file("second", "more.txt")));

        assertThat(texts()).containsExactly("the report", "[report.txt: this file could not be sent here.]");
        assertThat(files()).containsExactly("more.txt");
    }
}
