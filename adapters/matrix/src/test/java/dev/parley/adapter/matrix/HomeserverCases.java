package dev.parley.adapter.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Received;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.fakes.gateway.FakeGateway;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the bot does on a homeserver, whichever it is: the fake and a real one give the same. People speak to it as clients do. */
abstract class HomeserverCases {
    @TempDir
    private Path home;

    private final FakeGateway around = MatrixTesting.gateway();
    private Optional<MatrixPlatform> platform = Optional.empty();
    private Person bot;
    private Person ada;
    private String direct;

    /** Makes an account of a name that no other test has. */
    abstract Person register(String localpart);

    @BeforeEach
    void people() {
        bot = register("parley");
        ada = register("ada");
        direct = ada.directChat(bot.user());
        around.media(new MatrixMedia());
    }

    @AfterEach
    void close() {
        platform.ifPresent(MatrixPlatform::stop);
        around.close();
    }

    @Test
    void whatIsWrittenBeforeTheBotHasJoinedAndInAGapIsReceivedWholeAndInOrder() throws Exception {
        ada.write(direct, "m0");
        start();
        until("it is received", () -> around.received().size() == 1);
        assertThat(around.received().get(0).source().chatType()).isEqualTo(ChatType.DM);
        platform.orElseThrow().stop();
        IntStream.range(1, 130).forEach(i -> ada.write(direct, "m" + i));

        start();

        until("all is received", () -> texts().contains("m129"));
        assertThat(texts().stream().distinct())
                .containsExactlyElementsOf(
                        IntStream.range(0, 130).mapToObj(i -> "m" + i).toList());
        assertThat(around.received().get(129).source().chatType()).isEqualTo(ChatType.DM);
    }

    @Test
    void aMessageThatIsSentTwiceIsShownOnceByANewProcessToo() throws Exception {
        start();
        untilJoined(direct);
        Outgoing message = message("o-1", direct, Optional.empty(), "**once**").build();
        platform.orElseThrow().send(message);
        platform.orElseThrow().stop();
        start();
        platform.orElseThrow().send(message);

        assertThat(ada.texts(direct, bot.user())).containsExactly("once");
        assertThat(ada.seen(direct, bot.user()).get(0).path("formatted_body").asText())
                .isEqualTo("<strong>once</strong>");
    }

    @Test
    void groupsNeedAMentionAReplyOrAThreadInWhichTheBotSpoke() throws Exception {
        String team = ada.room("{'name':'Team','topic':'Plans','invite':['" + bot.user() + "']}");
        start();
        untilJoined(team);
        String root = ada.write(team, "for others");
        String answer = platform.orElseThrow()
                .sendPart(message("o-1", team, Optional.of(root), "in a thread").build())
                .messageIds()
                .get(0);
        ObjectNode threaded = Person.message("in the thread");
        threaded.putObject("m.relates_to").put("rel_type", "m.thread").put("event_id", root);
        ada.send(team, "m.room.message", threaded);
        ObjectNode named = Person.message("look: what now?");
        named.putObject("m.mentions").putArray("user_ids").add(bot.user());
        ada.send(team, "m.room.message", named);
        ObjectNode reply = Person.message("a reply");
        reply.putObject("m.relates_to").putObject("m.in_reply_to").put("event_id", answer);
        reply.putObject("m.mentions");
        ada.send(team, "m.room.message", reply);

        until("all is received", () -> texts().contains("a reply"));
        assertThat(texts()).containsExactly("in the thread", "look: what now?", "a reply");
        Received first = around.received().get(0);
        assertThat(first.source().chatType()).isEqualTo(ChatType.GROUP);
        assertThat(first.source().threadId()).contains(root);
        assertThat(first.source().chatName()).contains("Team");
        assertThat(first.source().chatTopic()).contains("Plans");
        assertThat(around.received().get(2).replyTo().orElseThrow().ours()).isTrue();
    }

    @Test
    void editsReactionsAndWhatIsTakenBackAreTold() throws Exception {
        start();
        untilJoined(direct);
        String written = ada.write(direct, "frist");
        ObjectNode edit = Person.message("* first");
        edit.set("m.new_content", Person.message("first"));
        edit.putObject("m.relates_to").put("rel_type", "m.replace").put("event_id", written);
        ada.send(direct, "m.room.message", edit);
        ObjectNode reaction = Person.JSON.createObjectNode();
        reaction.putObject("m.relates_to")
                .put("rel_type", "m.annotation")
                .put("event_id", written)
                .put("key", "+1");
        String reacted = ada.send(direct, "m.reaction", reaction);
        until("both are told", () -> around.happened().size() == 2);
        ada.redact(direct, reacted);

        until("all is told", () -> around.happened().size() == 3);
        assertThat(around.happened())
                .extracting(happened -> (Object) happened.event())
                .containsExactly(
                        new ChatEvent.Edited(written, "first"),
                        new ChatEvent.Reacted(written, "+1", false),
                        new ChatEvent.Reacted(written, "+1", true));
    }

    @Test
    void filesGoBothWays() throws Exception {
        byte[] content = "what ada wrote".getBytes(StandardCharsets.UTF_8);
        ObjectNode file = Person.json("{'msgtype':'m.file','body':'a.txt'}");
        file.put("url", ada.upload("a.txt", "text/plain", content));
        ada.send(direct, "m.room.message", file);
        start();
        until("it is received", () -> around.received().size() == 1);
        assertThat(around.received().get(0).attachments())
                .singleElement()
                .satisfies(attachment -> assertThat(attachment.location()).isEqualTo("what ada wrote"));

        Path picture = Files.write(home.resolve("p.png"), new byte[] {1, 2, 3});
        platform.orElseThrow()
                .send(message("o-1", direct, Optional.empty(), "see")
                        .attachments(List.of(new Attachment(
                                "photo", picture.toString(), Optional.of("p.png"), Optional.of("image/png"))))
                        .build());
        JsonNode shown = ada.seen(direct, bot.user()).get(1);
        assertThat(shown.path("msgtype").asText()).isEqualTo("m.image");
        assertThat(ada.download(shown.path("url").asText())).containsExactly(1, 2, 3);
    }

    @Test
    void anEncryptedRoomIsToldThatTheBotCannotReadIt() throws Exception {
        start();
        untilJoined(direct);
        ada.state(direct, "m.room.encryption", Person.json("{'algorithm':'m.megolm.v1.aes-sha2'}"));
        ada.send(direct, "m.room.encrypted", Person.json("{'algorithm':'m.megolm.v1.aes-sha2','ciphertext':'x'}"));
        ada.send(direct, "m.room.encrypted", Person.json("{'algorithm':'m.megolm.v1.aes-sha2','ciphertext':'y'}"));

        until("it is told", () -> !ada.seen(direct, bot.user()).isEmpty());
        assertThat(ada.texts(direct, bot.user())).singleElement().asString().contains("cannot read encrypted messages");
        assertThatThrownBy(() -> platform.orElseThrow()
                        .send(message("o-1", direct, Optional.empty(), "x").build()))
                .isInstanceOf(DeliveryFailed.class);
    }

    @Test
    void typingAndPreviewsAreTakenByTheHomeserver() throws Exception {
        start();
        untilJoined(direct);
        MatrixPlatform sender = platform.orElseThrow();
        sender.typing(Address.of(Platform.MATRIX, direct), true);
        sender.typing(Address.of(Platform.MATRIX, direct), false);
        String id = sender.sendPart(
                        message("o-1", direct, Optional.empty(), "thin").build())
                .messageIds()
                .get(0);
        sender.send(message("o-2", direct, Optional.empty(), "thinking done")
                .replaces(id)
                .build());

        JsonNode edit = ada.seen(direct, bot.user()).get(1);
        assertThat(edit.path("m.new_content").path("body").asText()).isEqualTo("thinking done");
        assertThat(edit.path("m.relates_to").path("event_id").asText()).isEqualTo(id);
    }

    @Test
    void aRoomThatWasReplacedIsFollowedAndAnsweredThere() throws Exception {
        start();
        untilJoined(direct);
        String next = replace(direct);

        until("the move is told", () -> around.happened().size() == 1);
        assertThat(around.happened().get(0).event()).isEqualTo(new ChatEvent.Moved(direct));
        ada.write(next, "hello again");
        until("it is received", () -> around.received().size() == 1);
        assertThat(around.received().get(0).source().chatType()).isEqualTo(ChatType.DM);
        platform.orElseThrow()
                .send(message("o-1", direct, Optional.empty(), "to the old room")
                        .build());
        assertThat(ada.texts(next, bot.user())).containsExactly("to the old room");
    }

    /** What clients do for an upgrade, with a room that anybody may join. */
    private String replace(String room) {
        String next = ada.room("{'preset':'public_chat'}");
        ada.state(room, "m.room.tombstone", Person.json("{'body':'moved','replacement_room':'" + next + "'}"));
        return next;
    }

    @Test
    void aWrongTokenStopsTheStart() {
        assertThatThrownBy(() -> create("no-such-token").start(around)).isInstanceOf(InvalidRequest.class);
    }

    private List<String> texts() {
        return around.texts();
    }

    private void untilJoined(String room) throws InterruptedException {
        String path = "_matrix/client/v3/rooms/" + Person.encoded(room) + "/state/m.room.member/"
                + Person.encoded(bot.user());
        until(
                "the room is joined",
                () -> ada.call("GET", path, Person.JSON.createObjectNode())
                        .path("membership")
                        .asText()
                        .equals("join"));
    }

    private static void until(String what, java.util.function.BooleanSupplier holds) throws InterruptedException {
        FakeGateway.until(what, holds);
    }

    private void start() {
        MatrixPlatform made = create(bot.token());
        platform = Optional.of(made);
        made.start(around);
    }

    private MatrixPlatform create(String token) {
        Map<String, String> values = Map.of("homeserver", bot.base().toString(), "allow", "*");
        return (MatrixPlatform)
                new MatrixProvider().create(around.settings(home, values, Map.of("MATRIX_ACCESS_TOKEN", token)));
    }

    private static Outgoing.Builder message(String id, String room, Optional<String> thread, String text) {
        return Outgoing.builder(
                new OutgoingId(id),
                Address.of(Platform.MATRIX, room, thread),
                text,
                Outgoing.Kind.REPLY,
                FakeGateway.NOW);
    }
}
