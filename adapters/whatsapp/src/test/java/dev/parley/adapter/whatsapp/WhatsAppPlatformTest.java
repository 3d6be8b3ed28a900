package dev.parley.adapter.whatsapp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InvalidRequest;
import dev.parley.contracts.port.ChatPlatformContract.Inbox;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PrecedingMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The platform with its bridge, a process in Node.js, and a Baileys without a network. */
class WhatsAppPlatformTest {
    private static final String ADA = FakeWhatsApp.ADA;

    @TempDir
    private Path root;

    private final Around around = new Around();
    private FakeWhatsApp whatsApp;
    private Path home;
    private Optional<WhatsAppPlatform> platform = Optional.empty();

    @BeforeAll
    static void node() {
        FakeWhatsApp.needsNode();
    }

    @BeforeEach
    void aHome() throws Exception {
        whatsApp = new FakeWhatsApp(root);
        home = Files.createDirectory(root.resolve("home"));
    }

    @AfterEach
    void stop() {
        platform.ifPresent(ChatPlatform::stop);
        around.close();
    }

    private WhatsAppPlatform start(Map<String, String> values) {
        WhatsAppPlatform made =
                (WhatsAppPlatform) new WhatsAppProvider().create(around.settings(home, whatsApp, values));
        made.start(around);
        platform = Optional.of(made);
        return made;
    }

    private WhatsAppPlatform connected(Map<String, String> values) {
        WhatsAppPlatform made = start(values);
        FakeWhatsApp.until("it is connected", () -> around.connections.contains("connected"));
        return made;
    }

    private static Outgoing message(String id, String text) {
        return Outgoing.builder(
                        new OutgoingId(id),
                        Address.of(Platform.WHATSAPP, ADA, Optional.empty()),
                        text,
                        Outgoing.Kind.REPLY,
                        Instant.EPOCH)
                .build();
    }

    @Test
    void whatPeopleWriteAndAttachIsHandedIn() throws Exception {
        Files.writeString(whatsApp.server.resolve("media/P"), "pixels");
        start(Map.of());
        whatsApp.write(ADA, "hello", "A");
        ObjectNode photo = JsonNodeFactory.instance.objectNode();
        photo.putObject("imageMessage").put("caption", "look").put("mimetype", "image/png");
        whatsApp.write(ADA, photo, "P");
        FakeWhatsApp.until("both are handed in", () -> around.received.size() == 2);

        assertThat(around.texts()).containsExactly("hello", "look");
        assertThat(around.received.get(0).source().userId()).contains("491511");
        assertThat(around.received.get(0).source().userName()).contains("Ada");
        assertThat(around.received.get(0).sentAt()).contains(Instant.ofEpochSecond(1_900_000_000L));
        assertThat(around.received.get(1).attachments())
                .singleElement()
                .satisfies(file -> assertThat(file.kind()).isEqualTo("photo"));
        assertThat(around.files).containsExactly("pixels");
    }

    @Test
    void anErrorWhileTheBridgeIsReadIsToldAndTheBridgeStartsAgain() throws Exception {
        around.failing.set(new StackOverflowError("said by somebody"));

        start(Map.of());

        FakeWhatsApp.until("it reads again", () -> around.connections.contains("connected"));
        assertThat(around.warnings)
                .anyMatch(line -> line.contains("The bridge to WhatsApp failed (java.lang.StackOverflowError at "))
                .noneMatch(line -> line.contains("said by somebody"));
        whatsApp.write(ADA, "one", "A");
        FakeWhatsApp.until("it is handed in", () -> around.texts().contains("one"));
    }

    @Test
    void anEditIsToldAsOne() {
        start(Map.of());
        ObjectNode edit = JsonNodeFactory.instance.objectNode();
        ObjectNode protocol = edit.putObject("protocolMessage").put("type", 14);
        protocol.putObject("key").put("id", "A");
        protocol.putObject("editedMessage").put("conversation", "better");
        whatsApp.write(ADA, edit, "E");
        FakeWhatsApp.until("it is handed in", () -> around.happened.size() == 1);

        assertThat(around.happened.get(0).event()).isEqualTo(new ChatEvent.Edited("A", "better"));
    }

    @Test
    void whatAGroupSaidBesideTheAgentGoesWithTheNextMessageThatIsForIt() {
        start(Map.of("require_mention", "true", "mention_patterns", "parley", "observe_unmentioned", "true"));
        String group = "120363000000000000@g.us";
        whatsApp.write(group, "it rains", "A");
        whatsApp.write(group, "parley, is it so?", "B");
        FakeWhatsApp.until("it is handed in", () -> around.received.size() == 1);

        assertThat(around.received.get(0).context())
                .extracting(PrecedingMessage::text)
                .containsExactly("it rains");
    }

    @Test
    void filesAreSentAsWhatWhatsAppShows() throws Exception {
        WhatsAppPlatform bridge = connected(Map.of());
        assertThat(bridge.traits().carriesFiles()).isTrue();
        Path picture = Files.writeString(root.resolve("p.png"), "pixels");
        Path voice = Files.writeString(root.resolve("v.ogg"), "sound");
        Path drawing = Files.writeString(root.resolve("d.svg"), "lines");
        Outgoing message = message("o-1", "look").toBuilder()
                .attachments(List.of(
                        attachment("photo", picture, "image/png"),
                        attachment("voice", voice, "audio/ogg; codecs=opus"),
                        attachment("photo", drawing, "image/svg+xml"),
                        attachment("document", root.resolve("gone.pdf"), "application/pdf")))
                .build();

        bridge.send(message);

        List<JsonNode> contents =
                whatsApp.sent().stream().map(each -> each.path("content")).toList();
        assertThat(contents).hasSize(4);
        assertThat(contents.get(0).path("image").path("url").asText()).isEqualTo(picture.toString());
        assertThat(contents.get(0).path("caption").asText()).isEqualTo("look");
        assertThat(contents.get(1).path("ptt").asBoolean()).isTrue();
        assertThat(contents.get(2).path("document").path("url").asText()).isEqualTo(drawing.toString());
        assertThat(contents.get(2).path("fileName").asText()).isEqualTo("d.svg");
        assertThat(contents.get(3).path("text").asText()).isEqualTo("[gone.pdf: this file is not kept any more.]");
    }

    @Test
    void aFileThatIsRefusedIsToldBehindItsWords() throws Exception {
        WhatsAppPlatform bridge = connected(Map.of());
        Path picture = Files.writeString(root.resolve("p.png"), "pixels");
        whatsApp.set("refuse-files", "415");

        bridge.send(message("o-1", "look").toBuilder()
                .attachments(List.of(attachment("photo", picture, "image/png")))
                .build());

        assertThat(whatsApp.shown(ADA)).containsExactly("look\n[p.png: this file could not be sent here.]");
    }

    private static Attachment attachment(String kind, Path file, String type) {
        return new Attachment(
                kind, file.toString(), Optional.of(String.valueOf(file.getFileName())), Optional.of(type));
    }

    @Test
    void aLongTextComesInPartsThatWhatsAppShowsWhole() {
        WhatsAppPlatform bridge = connected(Map.of());
        String text = IntStream.range(0, 1_500).mapToObj(i -> "word" + i).reduce("**All:**", (a, b) -> a + " " + b);

        bridge.send(message("o-1", text));

        List<String> shown = whatsApp.shown(ADA);
        assertThat(shown)
                .hasSizeGreaterThan(2)
                .allSatisfy(part -> assertThat(part.length()).isLessThanOrEqualTo(4_096));
        assertThat(String.join(" ", shown)).isEqualTo(text.replace("**", "*"));
        assertThat(whatsApp.sent().stream().map(each -> each.path("id").asText()))
                .doesNotHaveDuplicates()
                .allMatch(id -> id.matches("3EB0[0-9A-F]{36}"));
    }

    @Test
    void aBridgeThatIsKilledRunsAgainAndHandsInWhatItHad() {
        around.taking = message -> new CompletableFuture<>();
        connected(Map.of());
        whatsApp.write(ADA, "before", "A");
        FakeWhatsApp.until("it is handed in", () -> around.received.size() == 1);
        around.taking = message -> CompletableFuture.completedFuture(Inbox.admitted());
        bridges().forEach(ProcessHandle::destroyForcibly);
        whatsApp.write(ADA, "after", "B");

        FakeWhatsApp.until(
                "all is taken",
                () -> FakeWhatsApp.count(home.resolve("platforms/whatsapp/spool")) == 0
                        && around.texts().contains("after"));
        assertThat(around.texts()).containsExactly("before", "before", "after");
        assertThat(around.warnings).anyMatch(line -> line.contains("The bridge to WhatsApp has ended by itself"));
        assertThat(around.connections).startsWith("connected", "disconnected");
    }

    private Stream<ProcessHandle> bridges() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains(whatsApp.bridge.toString()));
    }

    @Test
    void stoppingEndsTheProcess() {
        WhatsAppPlatform bridge = connected(Map.of());
        assertThat(bridges()).hasSize(1);

        bridge.stop();

        FakeWhatsApp.until("the process is gone", () -> bridges().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void theBridgeSeesNoSecretsOfOthers() {
        connected(Map.of());

        assertThat(whatsApp.server.resolve("environment.json"))
                .content()
                .contains("PATH", "TEST_WHATSAPP")
                .doesNotContain("OTHER_SECRET");
    }

    @Test
    void anAccountThatIsNotLinkedIsToldWithTheCode() {
        whatsApp.set("qr", "the-code");
        WhatsAppPlatform bridge = start(Map.of());
        FakeWhatsApp.until(
                "the code is told",
                () -> bridge.ailment()
                        .filter(ailment -> ailment.advice().contains("link-code.txt"))
                        .isPresent());

        assertThat(around.connections).isEmpty();
        FakeWhatsApp.until(
                "the picture is in the log", () -> around.warnings.contains("platforms.whatsapp: [the-code]"));
        whatsApp.unset("qr");
        FakeWhatsApp.until("it is connected", () -> around.connections.contains("connected"));
        assertThat(bridge.ailment()).isEmpty();
    }

    @Test
    void aCodeInLettersIsOneLine() {
        whatsApp.set("qr", "the-code");
        start(Map.of("phone", "+49 1511 234567"));
        FakeWhatsApp.until(
                "the code is told", () -> around.warnings.stream().anyMatch(line -> line.contains("ABCD-EFGH")));
    }

    @Test
    void aDeviceThatIsLoggedOutIsToldSo() {
        connected(Map.of());
        whatsApp.set("down", "401");
        FakeWhatsApp.until(
                "it is told",
                () -> around.warnings.stream()
                        .anyMatch(line -> line.contains("WhatsApp has logged this gateway out. Link it again")));
        assertThat(around.connections).contains("disconnected");
    }

    @Test
    void whatIsMissingIsToldWithTheCommandThatInstallsIt() throws Exception {
        Files.delete(whatsApp.bridge.resolve("node_modules/@whiskeysockets/baileys/package.json"));
        assertThatThrownBy(() -> start(Map.of()))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage("The packages of the WhatsApp bridge are not installed; run: npm ci --omit=dev --prefix "
                        + whatsApp.bridge);
        Files.writeString(
                whatsApp.bridge.resolve("node_modules/@whiskeysockets/baileys/package.json"),
                "{\"version\":\"6.0.0\"}");
        assertThatThrownBy(() -> start(Map.of()))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("not installed in the version it needs; run: npm ci");
    }

    @Test
    void withoutNodeOneLineSaysSo() {
        Map<String, String> values = new HashMap<>(Map.of("bridge", whatsApp.bridge.toString()));
        assertThatThrownBy(
                        () -> new WhatsAppProvider().create(around.settings(home, values, Map.of("PATH", "/nowhere"))))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage(
                        "The WhatsApp bridge needs Node.js 20 or later, and there is no program 'node' in PATH; install it,"
                                + " or name it in platforms.whatsapp.node.");
        values.put("phone", "12");
        assertThatThrownBy(() -> new WhatsAppProvider()
                        .create(around.settings(home, values, Map.of("PATH", System.getenv("PATH")))))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("platforms.whatsapp.phone is no phone number");
    }

    @Test
    void whatIsWrongInTheSectionIsToldBeforeWhatIsToBeInstalled() {
        Map<String, String> missing = Map.of("bridge", "nowhere", "node", "nowhere");
        Map<String, String> wrong = Map.of(
                "phone", "12", "self_chat", "7", "markdown", "7", "group_policy", "some", "mention_patterns", "[");
        wrong.forEach((name, value) -> {
            Map<String, String> values = new HashMap<>(missing);
            values.put(name, value);
            assertThatThrownBy(() -> new WhatsAppProvider().create(around.settings(home, values, Map.of())))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageStartingWith("platforms.whatsapp." + name);
        });
    }
}
