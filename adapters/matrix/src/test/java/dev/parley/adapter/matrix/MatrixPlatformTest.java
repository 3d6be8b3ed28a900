package dev.parley.adapter.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.matrix.inbound.Place;
import dev.parley.application.ability.Previewing;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.SentPart;
import dev.parley.domain.turn.TurnId;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.matrix.FakeMatrix;
import dev.parley.fakes.matrix.Shown;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatrixPlatformTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path home;

    private final FakeGateway around = MatrixTesting.gateway();
    private final FakeMatrix matrix = new FakeMatrix("parley.test", () -> around.now());
    private final String bot = matrix.bot("parley", MatrixTesting.TOKEN);
    private final String ada = matrix.person("ada");
    private final String bob = matrix.person("bob");
    private final String direct = matrix.directChat(ada, bot);
    private Optional<MatrixPlatform> platform = Optional.empty();

    @AfterEach
    void close() {
        platform.ifPresent(MatrixPlatform::stop);
        matrix.close();
        around.close();
    }

    // receiving

    @Test
    void anInvitationIsTakenAndWhatWasWrittenBehindItIsReceivedInOrder() throws Exception {
        matrix.write(direct, ada, "one");
        matrix.write(direct, ada, "two");

        start();

        until("both are read", () -> around.received().size() == 2 && matrix.unread(bot) == 0);
        assertThat(around.texts()).containsExactly("one", "two");
        assertThat(around.received()).allSatisfy(message -> {
            assertThat(message.source().chatType()).isEqualTo(ChatType.DM);
            assertThat(message.source().userName()).contains("Ada");
        });
        assertThat(matrix.accountData(bot, "m.direct").orElseThrow().toString())
                .isEqualTo("{\"" + ada + "\":[\"" + direct + "\"]}");
        assertThat(around.connections()).containsExactly("connected");
        until("people see what was read", () -> matrix.receipt(direct, bot).isPresent());
    }

    @Test
    void anErrorWhileReadingIsToldAndReadingBeginsAgain() throws Exception {
        around.failing(new StackOverflowError("said by somebody"));

        start();

        until("it reads again", () -> around.connections().contains("connected"));
        assertThat(around.warnings())
                .anyMatch(line -> line.contains("Reading failed (java.lang.StackOverflowError at "))
                .noneMatch(line -> line.contains("said by somebody"));
        matrix.write(direct, ada, "one");
        until("it is read", () -> around.texts().contains("one"));
    }

    @Test
    void invitationsOfPeopleWhoMayNotTalkAreLeftAlone() throws Exception {
        String other = matrix.directChat(bob, bot);
        start(Map.of("allow", ada));

        until("the first is taken", () -> matrix.membership(direct, bot).equals("join"));
        until("it syncs on", () -> matrix.unread(bot) == 0);
        assertThat(matrix.membership(other, bot)).isEqualTo("invite");
    }

    @Test
    void whatWasWrittenInARoomBeforeTheBotWasInvitedIsNotReceived() throws Exception {
        String room = matrix.room(ada, "Team", bob);
        matrix.write(room, ada, "parley: long ago");
        around.now(around.now().plusSeconds(10));
        start();
        until("it reads", () -> matrix.membership(direct, bot).equals("join") && matrix.unread(bot) == 0);

        matrix.write(room, ada, "parley: before");
        ObjectNode invitation = JSON.createObjectNode().put("membership", "invite");
        matrix.offer(
                room,
                event("$invite", ada, "m.room.member").put("state_key", bot).set("content", invitation));
        matrix.write(room, ada, "parley: behind");

        until("it is received", () -> !around.received().isEmpty() && matrix.unread(bot) == 0);
        assertThat(around.texts()).containsExactly("behind");
    }

    @Test
    void whatIsSaidInARoomBesideTheBotComesWithTheNextMessageForItUnlessItWasTakenBack() throws Exception {
        around.strangers(Set.of(bob));
        String team = matrix.room(ada, "Team", bot, bob);
        matrix.join(team, bob);
        start(Map.of("observe_unmentioned", "true"));
        until("it is joined", () -> matrix.membership(team, bot).equals("join") && matrix.unread(bot) == 0);
        matrix.write(team, ada, "We meet at six.");
        matrix.redact(team, ada, matrix.write(team, ada, "Better not said."));
        matrix.write(team, bob, "A word of a stranger.");
        matrix.write(team, ada, "parley: when?");
        matrix.write(team, ada, "parley: and where?");

        until("both are received", () -> around.received().size() == 2);
        assertThat(around.received().get(0).context())
                .extracting(PrecedingMessage::text)
                .containsExactly("We meet at six.");
        assertThat(around.received().get(1).context()).isEmpty();
    }

    @Test
    void aThreadThatBeginsWithAMentionHasTheRoomBeforeIt() throws Exception {
        String team = matrix.room(ada, "Team", bot);
        start(Map.of("observe_unmentioned", "true", "auto_thread", "true"));
        until("it is joined", () -> matrix.membership(team, bot).equals("join") && matrix.unread(bot) == 0);
        matrix.write(team, ada, "We meet at six.");
        matrix.write(team, ada, "parley: when?");

        until("it is received", () -> around.received().size() == 1);
        assertThat(around.received().get(0).source().threadId()).isPresent();
        assertThat(around.received().get(0).context())
                .extracting(PrecedingMessage::text)
                .containsExactly("We meet at six.");
    }

    @Test
    void withinARoomNothingIsHandedInBeforeWhatCameBeforeItIsStored() throws Exception {
        CompletableFuture<Receipt> first = new CompletableFuture<>();
        around.taking(message -> message.text().equals("one") ? first : FakeGateway.admitted());
        String other = matrix.directChat(bob, bot);
        matrix.write(direct, ada, "one");
        matrix.write(direct, ada, "two");
        matrix.write(other, bob, "other");

        start();
        until("both rooms are heard", () -> around.received().size() == 2);
        assertThat(around.texts()).containsExactlyInAnyOrder("one", "other");

        first.complete(new Receipt.Refused("no"));
        until("all is read", () -> around.received().size() == 3 && matrix.unread(bot) == 0);
        assertThat(around.texts()).endsWith("two");
    }

    @Test
    void whatCannotBeStoredIsOfferedAgainWhatIsStoredIsNotAndOtherRoomsAreHeardMeanwhile() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        String other = joined(bob);
        around.taking(message -> message.source().chatId().equals(direct) && tries.getAndIncrement() < 3
                ? CompletableFuture.completedFuture(
                        tries.get() == 2
                                ? new Receipt.TurnedAway("too many wait", Optional.of(Duration.ofSeconds(2)))
                                : new Receipt.Unavailable("The disk is full."))
                : FakeGateway.admitted());
        start();
        until("it reads", () -> matrix.membership(direct, bot).equals("join"));
        matrix.write(direct, ada, "one");
        matrix.write(direct, ada, "two");
        until("it was tried", () -> tries.get() > 0);
        matrix.write(other, bob, "other");

        until("all is read", () -> around.received().size() == 6 && matrix.unread(bot) == 0);
        assertThat(around.texts().stream().filter(text -> !text.equals("other")))
                .containsExactly("one", "one", "one", "one", "two");
        assertThat(around.texts().indexOf("other")).isLessThan(around.texts().indexOf("two"));
    }

    @Test
    void aNewProcessGoesOnWhereTheLastOneStoodAndKnowsItsRooms() throws Exception {
        String team = matrix.room(ada, "Team", bot);
        matrix.write(direct, ada, "one");
        start();
        until("it is read", () -> around.received().size() == 1 && matrix.unread(bot) == 0);
        until("both are joined", () -> matrix.membership(team, bot).equals("join"));
        stop();
        around.now(around.now().plus(Duration.ofDays(3)));
        matrix.write(direct, ada, "two");
        matrix.write(team, ada, "parley: three");

        start();

        until("it is read", () -> around.received().size() == 3 && matrix.unread(bot) == 0);
        assertThat(around.texts().get(0)).isEqualTo("one");
        assertThat(around.texts()).containsExactlyInAnyOrder("one", "two", "three");
        assertThat(byText("two").source().chatType()).isEqualTo(ChatType.DM);
        assertThat(byText("three").source().chatName()).contains("Team");
        assertThat(byText("three").source().chatType()).isEqualTo(ChatType.GROUP);
    }

    @Test
    void aGapIsReadWholeAndInOrder() throws Exception {
        matrix.write(direct, ada, "m0");
        start();
        until("it is read", () -> around.received().size() == 1 && matrix.unread(bot) == 0);
        stop();
        IntStream.range(1, 320).forEach(i -> matrix.write(direct, ada, "m" + i));

        start();

        until("all is read", () -> around.received().size() >= 320 && matrix.unread(bot) == 0);
        assertThat(around.texts())
                .isEqualTo(IntStream.range(0, 320).mapToObj(i -> "m" + i).toList());
    }

    @Test
    void aGapThatIsTooLongIsReadFromItsEndAndToldToTheOperator() throws Exception {
        start(Map.of("backfill_limit", "100"));
        until("it reads", () -> matrix.membership(direct, bot).equals("join") && matrix.unread(bot) == 0);
        stop();
        IntStream.range(0, 320).forEach(i -> matrix.write(direct, ada, "m" + i));

        start(Map.of("backfill_limit", "100"));

        until(
                "the latest are read",
                () -> matrix.unread(bot) == 0 && around.texts().contains("m319"));
        assertThat(around.texts())
                .isEqualTo(IntStream.range(170, 320).mapToObj(i -> "m" + i).toList());
        assertThat(around.warnings())
                .anySatisfy(line -> assertThat(line).contains("the latest 100 are read", "backfill_limit"));
    }

    @Test
    void aPlaceThatTheHomeserverDoesNotKnowAnyMoreLosesNothingThatWasWrittenSince() throws Exception {
        matrix.write(direct, ada, "one");
        start();
        until("it is read", () -> around.received().size() == 1 && matrix.unread(bot) == 0);
        stop();
        around.now(around.now().plusSeconds(60));
        around.cursors()
                .put(
                        new CursorName(Platform.MATRIX, bot, "sync"),
                        new Place(Optional.of("of another homeserver"), around.now()).text());
        matrix.write(direct, ada, "two");

        start();

        until("it is read", () -> around.received().size() == 2);
        assertThat(around.texts()).containsExactly("one", "two");
        assertThat(around.warnings())
                .anySatisfy(line -> assertThat(line).contains("does not know any more up to where was read"));
    }

    @Test
    void malformedEventsAreSettledWithAWarningAndKeepNothingFromComing() throws Exception {
        start();
        until("it reads", () -> matrix.membership(direct, bot).equals("join"));
        matrix.offer(
                direct, JSON.createObjectNode().put("type", "m.room.message").put("sender", ada));
        matrix.offer(
                direct,
                event("$bad", ada, "m.room.message")
                        .set("content", JSON.createObjectNode().put("body", 7)));
        matrix.send(direct, ada, "m.kind_of_tomorrow", JSON.createObjectNode());
        matrix.write(direct, ada, "after");

        until("all is read", () -> around.received().size() == 1 && matrix.unread(bot) == 0);
        assertThat(around.texts()).containsExactly("after");
        assertThat(around.warnings())
                .containsExactly(
                        "platforms.matrix: The event without an id was left out: it has no id.",
                        "platforms.matrix: The event $bad was left out: its body is no text.");
    }

    @Test
    void whatIsNullIsNotThere() throws Exception {
        matrix.state(direct, ada, "m.room.name", JSON.createObjectNode().putNull("name"));
        matrix.state(direct, ada, "m.room.topic", JSON.createObjectNode().putNull("topic"));
        start();
        matrix.write(
                direct, ada, JSON.createObjectNode().put("msgtype", "m.text").putNull("body"));
        matrix.write(
                direct,
                ada,
                JSON.createObjectNode()
                        .put("msgtype", "m.text")
                        .put("body", "here")
                        .putNull("m.relates_to"));
        until("it is read", () -> around.texts().contains("here"));

        assertThat(around.texts()).containsExactly("here");
        assertThat(around.received().get(0).source().chatTopic()).isEmpty();
        assertThat(around.received().get(0).source().chatName().orElse("")).isNotEqualTo("null");
    }

    @Test
    void anEventThatMakesTheGatewayFailEachTimeIsLeftOutInTheEnd() throws Exception {
        around.taking(message -> {
            if (message.text().equals("poison")) {
                throw new IllegalStateException("what people wrote");
            }
            return FakeGateway.admitted();
        });
        matrix.write(direct, ada, "poison");
        matrix.write(direct, ada, "after");

        start();

        until("all is read", () -> around.texts().contains("after") && matrix.unread(bot) == 0);
        assertThat(around.texts()).containsExactly("poison", "poison", "poison", "after");
        assertThat(around.warnings())
                .singleElement()
                .asString()
                .contains("was left out", "IllegalStateException")
                .doesNotContain("what people wrote");
    }

    @Test
    void aReplyToTheBotAndAThreadItSpokeInNeedNoMention() throws Exception {
        String team = matrix.room(ada, "Team", bot);
        start();
        until("it is joined", () -> matrix.membership(team, bot).equals("join"));
        String root = matrix.write(team, ada, "a thread begins");
        String answer = say("o-1", team, Optional.of(root), "in the thread");
        stop();

        matrix.write(team, ada, "for others");
        matrix.write(team, ada, threaded("and then?", root));
        ObjectNode reply = FakeMatrix.message("a reply");
        reply.putObject("m.relates_to").putObject("m.in_reply_to").put("event_id", answer);
        matrix.write(team, ada, reply);
        start();

        until("both are read", () -> around.received().size() == 2 && matrix.unread(bot) == 0);
        assertThat(around.texts()).containsExactly("and then?", "a reply");
        assertThat(byText("and then?").source().threadId()).contains(root);
        assertThat(byText("a reply").replyTo()).get().satisfies(to -> {
            assertThat(to.ours()).isTrue();
            assertThat(to.text()).contains("in the thread");
        });
    }

    @Test
    void editsReactionsAndWhatIsTakenBackAreTold() throws Exception {
        start();
        String written = matrix.write(direct, ada, "frist");
        ObjectNode edit = FakeMatrix.message("* first");
        edit.set("m.new_content", FakeMatrix.message("first"));
        edit.putObject("m.relates_to").put("rel_type", "m.replace").put("event_id", written);
        matrix.write(direct, ada, edit);
        ObjectNode reaction = JSON.createObjectNode();
        reaction.putObject("m.relates_to")
                .put("rel_type", "m.annotation")
                .put("event_id", written)
                .put("key", "+1");
        String reacted = matrix.send(direct, ada, "m.reaction", reaction);
        until("all is read", () -> around.happened().size() == 2 && matrix.unread(bot) == 0);
        matrix.redact(direct, ada, reacted);
        matrix.redact(direct, ada, written);

        until("all is read", () -> around.happened().size() == 4 && matrix.unread(bot) == 0);
        assertThat(around.happened())
                .extracting(happened -> (Object) happened.event())
                .containsExactly(
                        new ChatEvent.Edited(written, "first"),
                        new ChatEvent.Reacted(written, "+1", false),
                        new ChatEvent.Reacted(written, "+1", true),
                        new ChatEvent.Deleted(written));
    }

    @Test
    void aRoomThatWasReplacedIsFollowedAndAnsweredThere() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        String next = matrix.upgrade(direct, ada);

        until("the move is told", () -> around.happened().size() == 1 && matrix.unread(bot) == 0);
        assertThat(around.happened().get(0).event()).isEqualTo(new ChatEvent.Moved(direct));
        assertThat(around.happened().get(0).source().chatId()).isEqualTo(next);
        assertThat(matrix.membership(next, bot)).isEqualTo("join");
        matrix.write(next, ada, "hello again");
        until("it is read", () -> around.received().size() == 1);
        assertThat(around.received().get(0).source().chatType()).isEqualTo(ChatType.DM);

        say("o-1", direct, Optional.empty(), "to the old room");
        assertThat(matrix.shown(next, bot)).extracting(Shown::text).containsExactly("to the old room");
    }

    @Test
    void anEncryptedRoomIsToldOnceThatTheBotCannotReadItAndIsWrittenNothing() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        matrix.state(
                direct, ada, "m.room.encryption", JSON.createObjectNode().put("algorithm", "m.megolm.v1.aes-sha2"));
        matrix.send(direct, ada, "m.room.encrypted", JSON.createObjectNode().put("ciphertext", "x"));
        matrix.send(direct, ada, "m.room.encrypted", JSON.createObjectNode().put("ciphertext", "y"));
        until("all is read", () -> !matrix.shown(direct, bot).isEmpty() && matrix.unread(bot) == 0);
        stop();
        start();
        matrix.send(direct, ada, "m.room.encrypted", JSON.createObjectNode().put("ciphertext", "z"));
        until("all is read", () -> matrix.unread(bot) == 0);

        assertThat(matrix.shown(direct, bot))
                .singleElement()
                .satisfies(shown -> assertThat(shown.text()).contains("cannot read encrypted messages"));
        assertThat(around.received()).isEmpty();
        assertThatThrownBy(() -> say("o-1", direct, Optional.empty(), "secret"))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.FORBIDDEN));
    }

    @Test
    void filesAreFetchedWithTheTokenAndOneThatIsMissingCostsNoMessage() throws Exception {
        Map<String, byte[]> kept = new HashMap<>();
        around.media(keeping(kept));
        String there = matrix.file("a.txt", "text/plain", "content".getBytes(StandardCharsets.UTF_8));
        matrix.write(direct, ada, file("a.txt", there));
        matrix.write(direct, ada, file("b.txt", "mxc://parley.test/gone"));

        start();

        until("both are read", () -> around.received().size() == 2 && matrix.unread(bot) == 0);
        assertThat(around.received().get(0).attachments()).singleElement().satisfies(attachment -> {
            assertThat(attachment.kind()).isEqualTo("document");
            assertThat(new String(kept.get(attachment.location()), StandardCharsets.UTF_8))
                    .isEqualTo("content");
        });
        assertThat(around.received().get(1).attachments())
                .singleElement()
                .satisfies(attachment ->
                        assertThat(attachment.description()).contains("The document could not be fetched."));
    }

    @Test
    void stoppingTakesNoLongerThanSeconds() throws Exception {
        start(Map.of("sync_timeout", "60"));
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));

        long before = System.nanoTime();
        stop();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void aMessageInFlightAtTheStopIsOfferedAgain() throws Exception {
        around.taking(message -> new CompletableFuture<>());
        start();
        matrix.write(direct, ada, "one");
        until("it came", () -> around.received().size() == 1);
        stop();
        around.taking(message -> FakeGateway.admitted());

        start();

        until("it is read", () -> around.received().size() == 2 && matrix.unread(bot) == 0);
        assertThat(around.texts()).containsExactly("one", "one");
    }

    // the connection

    @Test
    void aWrongTokenStopsTheStartWithOneLineThatDoesNotShowIt() {
        MatrixPlatform wrong = create(Map.of(), Map.of("MATRIX_ACCESS_TOKEN", "another-secret"));

        assertThatThrownBy(() -> wrong.start(around))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("The homeserver does not know the access token in MATRIX_ACCESS_TOKEN;")
                .hasMessageNotContaining("another-secret")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aTokenThatIsTakenAwayIsToldWithWhatToDo() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        matrix.revoke(bot);

        until("it is told", () -> around.connections().contains("disconnected"));
        assertThat(platform.orElseThrow().ailment()).get().satisfies(ailment -> {
            assertThat(ailment.what()).contains("M_UNKNOWN_TOKEN");
            assertThat(ailment.advice()).contains("access token");
        });
        assertThatThrownBy(() -> say("o-1", direct, Optional.empty(), "x"))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.UNAUTHORIZED));
    }

    @Test
    void whereTheHomeserverIsAwayTheStartSucceedsAndTheConnectionComesLater() throws Exception {
        matrix.write(direct, ada, "early");
        matrix.stop();

        start();
        until("the trouble is told", () -> !around.warnings().isEmpty());
        assertThat(around.connections()).isEmpty();
        assertThat(platform.orElseThrow().ailment()).isPresent();
        matrix.start();

        until("it is read", () -> around.received().size() == 1 && matrix.unread(bot) == 0);
        assertThat(around.connections()).containsExactly("connected");
        assertThat(platform.orElseThrow().ailment()).isEmpty();
        assertThat(around.warnings()).hasSize(2).noneMatch(w -> w.contains(MatrixTesting.TOKEN));
    }

    @Test
    void anOutageIsToldOnceAndSurvived() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        matrix.stop();
        until("the outage is told", () -> around.connections().contains("disconnected"));
        matrix.write(direct, ada, "meanwhile");
        matrix.start();

        until("it is read", () -> around.received().size() == 1 && matrix.unread(bot) == 0);
        assertThat(around.connections()).containsExactly("connected", "disconnected", "connected");
    }

    @Test
    void aConnectionThatFallsSilentIsGivenUp() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(
                "127.0.0.1",
                matrix.address().getPort(),
                number -> number == 1 ? new Fault.HalfOpen(20) : new Fault.None())) {
            start(Map.of("homeserver", "http://127.0.0.1:" + proxy.port(), "sync_timeout", "1", "answer_timeout", "2"));
            proxy.cutAll();
            matrix.write(direct, ada, "one");

            until("it is read", () -> around.received().size() == 1 && matrix.unread(bot) == 0);
        }
    }

    @Test
    void errorsAndLimitsOfReadingAreOutlived() throws Exception {
        matrix.fail("sync", 502, "", "");
        matrix.limit("sync", Duration.ofSeconds(1));
        matrix.limit("join", Duration.ofSeconds(1));
        matrix.fail("put_account_data", 500, "M_UNKNOWN", "Internal server error");
        matrix.write(direct, ada, "one");

        start();

        until("it is read", () -> around.received().size() == 1 && matrix.unread(bot) == 0);
    }

    // sending

    @Test
    void anAnswerGoesToItsThreadAsAReplyWithItsStyles() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        String root = matrix.write(direct, ada, "root");
        String asked = matrix.write(direct, ada, threaded("question", root));

        platform.orElseThrow()
                .send(outgoing("o-1", direct, Optional.of(root), "a **bold** word for @bob:parley.test")
                        .replyTo(asked)
                        .build());
        platform.orElseThrow()
                .send(outgoing("o-2", direct, Optional.of(root), "more").build());

        List<Shown> shown = matrix.shown(direct, bot);
        assertThat(shown.get(0).text()).isEqualTo("a bold word for @bob:parley.test");
        assertThat(shown.get(0).thread()).contains(root);
        assertThat(shown.get(0).replyTo()).contains(asked);
        assertThat(shown.get(0).content().path("formatted_body").asText()).startsWith("a <strong>bold</strong> word");
        assertThat(shown.get(0).content().path("m.mentions").toString())
                .isEqualTo("{\"user_ids\":[\"@bob:parley.test\"]}");
        assertThat(shown.get(1).thread()).contains(root);
        assertThat(shown.get(1).replyTo()).isEmpty();
    }

    @Test
    void whatIsSentTwiceIsShownOnceEvenByANewProcess() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        Outgoing message = outgoing("o-1", direct, Optional.empty(), "once").build();
        platform.orElseThrow().send(message);
        platform.orElseThrow().send(message);
        stop();
        start();
        platform.orElseThrow().send(message);

        assertThat(matrix.calls("send")).hasSize(3);
        assertThat(matrix.shown(direct, bot)).extracting(Shown::text).containsExactly("once");
        assertThat(platform.orElseThrow().traits().recognisesRepeats()).isTrue();
    }

    @Test
    void aLongTextComesWholeInPartsThatGoOnWhereTheyStopped() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            text.append("word").append(i).append(i % 50 == 49 ? "\n" : " ");
        }
        Outgoing message = outgoing(
                        "o-1", direct, Optional.empty(), text.toString().strip())
                .build();

        MatrixPlatform sender = platform.orElseThrow();
        Outgoing first = message.sent(new SentPart(1, sender.sendPart(message).messageIds()));
        matrix.fail("send", 400, "M_UNKNOWN", "no");
        assertThatThrownBy(() -> sender.sendPart(first)).isInstanceOf(DeliveryFailed.class);
        sender.send(first);

        List<String> shown = matrix.shown(direct, bot).stream().map(Shown::text).toList();
        assertThat(shown).hasSizeGreaterThan(5).allMatch(part -> part.length() <= 4000);
        assertThat(String.join(" ", shown).split("\\s+"))
                .containsExactly(text.toString().strip().split("\\s+"));
    }

    @Test
    void aPauseThatTheHomeserverAsksForIsKeptToTheMillisecond() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        matrix.limit("send", Duration.ofSeconds(35));

        assertThatThrownBy(() -> say("o-1", direct, Optional.empty(), "one"))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.retryAfter()).contains(Duration.ofSeconds(35)));
        around.now(around.now().plusMillis(34_999));
        assertThatThrownBy(() -> say("o-2", direct, Optional.empty(), "two"))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.retryAfter()).contains(Duration.ofMillis(1)));
        around.now(around.now().plusMillis(1));
        say("o-1", direct, Optional.empty(), "one");

        assertThat(matrix.calls("send")).hasSize(2);
        assertThat(matrix.shown(direct, bot)).extracting(Shown::text).containsExactly("one");
    }

    @Test
    void whatIsRefusedIsGivenUpAndAServersErrorLeavesItUnknown() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        String team = matrix.room(ada, "Team", bot);
        until("it is joined", () -> matrix.membership(team, bot).equals("join"));
        matrix.remove(team, ada, bot);
        assertThatThrownBy(() -> say("o-1", team, Optional.empty(), "one"))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.FORBIDDEN));

        matrix.fail("send", 502, "", "");
        assertThatThrownBy(() -> say("o-2", direct, Optional.empty(), "one")).isNotInstanceOf(DeliveryFailed.class);
        matrix.fail("send", 413, "M_TOO_LARGE", "event too large");
        assertThatThrownBy(() -> say("o-3", direct, Optional.empty(), "one"))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.REJECTED));
        matrix.stop();
        assertThatThrownBy(() -> say("o-4", direct, Optional.empty(), "one"))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.AWAY));
    }

    @Test
    void aFileOfTheAgentIsUploadedAndShown() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        Path picture = Files.write(home.resolve("p.png"), new byte[] {1, 2, 3});

        platform.orElseThrow()
                .send(outgoing("o-1", direct, Optional.empty(), "see")
                        .attachments(List.of(new Attachment(
                                "photo", picture.toString(), Optional.of("p.png"), Optional.of("image/png"))))
                        .build());

        assertThat(matrix.shown(direct, bot)).extracting(Shown::text).containsExactly("see", "p.png");
        Shown shown = matrix.shown(direct, bot).get(1);
        assertThat(shown.content().path("msgtype").asText()).isEqualTo("m.image");
        assertThat(matrix.file(shown.content().path("url").asText())).containsExactly(1, 2, 3);
    }

    @Test
    void anAnswerTakesThePlaceOfItsPreviewAndTextsAreChanged() throws Exception {
        start(Map.of("preview", "always"));
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        MatrixPlatform sender = platform.orElseThrow();
        Previewing previewing = sender.as(Previewing.class).orElseThrow();
        Address to = Address.of(Platform.MATRIX, direct);
        String id = previewing
                .preview(new Previewing.Preview(new TurnId("t-1"), to, Optional.empty(), Optional.empty(), "thin"))
                .orElseThrow();

        Outgoing answer = outgoing("o-1", direct, Optional.empty(), "thinking done")
                .replaces(id)
                .build();
        sender.send(answer);
        sender.send(answer);
        assertThat(matrix.shown(direct, bot)).singleElement().satisfies(shown -> {
            assertThat(shown.text()).isEqualTo("thinking done");
            assertThat(shown.edits()).isEqualTo(1);
        });
        sender.edit(to, id, "all done");
        assertThat(matrix.shown(direct, bot)).extracting(Shown::text).containsExactly("all done");
    }

    @Test
    void withoutASettingNothingIsShownWhileItIsWritten() {
        assertThat(create(Map.of(), environment()).as(Previewing.class)).isEmpty();
    }

    @Test
    void typingIsShownAndEnds() throws Exception {
        start();
        until("it is joined", () -> matrix.membership(direct, bot).equals("join"));
        Address to = Address.of(Platform.MATRIX, direct);

        platform.orElseThrow().typing(to, true);
        assertThat(matrix.isTyping(direct, bot)).isTrue();
        platform.orElseThrow().typing(to, false);
        assertThat(matrix.isTyping(direct, bot)).isFalse();
    }

    // helpers

    private String say(String id, String room, Optional<String> thread, String text) {
        return platform.orElseThrow()
                .sendPart(outgoing(id, room, thread, text).build())
                .messageIds()
                .get(0);
    }

    private static void until(String what, java.util.function.BooleanSupplier holds) throws InterruptedException {
        FakeGateway.until(what, holds);
    }

    private Received byText(String text) {
        return around.received().stream()
                .filter(message -> message.text().equals(text))
                .findFirst()
                .orElseThrow();
    }

    private String joined(String person) {
        String room = matrix.directChat(person, bot);
        matrix.join(room, bot);
        return room;
    }

    private static ObjectNode event(String id, String sender, String type) {
        return JSON.createObjectNode()
                .put("event_id", id)
                .put("sender", sender)
                .put("type", type)
                .put("origin_server_ts", FakeGateway.NOW.toEpochMilli());
    }

    private static ObjectNode threaded(String text, String root) {
        ObjectNode content = FakeMatrix.message(text);
        content.putObject("m.relates_to").put("rel_type", "m.thread").put("event_id", root);
        return content;
    }

    private static ObjectNode file(String name, String address) {
        return JSON.createObjectNode()
                .put("msgtype", "m.file")
                .put("body", name)
                .put("url", address);
    }

    private static MediaStore keeping(Map<String, byte[]> kept) {
        return new MediaStore() {
            @Override
            public Attachment keep(InputStream content, Attachment named) {
                try {
                    String location = "/kept/" + kept.size();
                    kept.put(location, content.readAllBytes());
                    return new Attachment(named.kind(), location, named.name(), named.mediaType());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public InputStream open(Attachment attachment) {
                throw new AssertionError("not asked for here");
            }

            @Override
            public long largest() {
                return 1_000_000;
            }
        };
    }

    private void start() {
        start(Map.of());
    }

    private void start(Map<String, String> values) {
        MatrixPlatform made = create(values, environment());
        platform = Optional.of(made);
        made.start(around);
    }

    private void stop() {
        platform.orElseThrow().stop();
    }

    private static Map<String, String> environment() {
        return Map.of("MATRIX_ACCESS_TOKEN", MatrixTesting.TOKEN);
    }

    private MatrixPlatform create(Map<String, String> values, Map<String, String> environment) {
        Map<String, String> all =
                new HashMap<>(Map.of("homeserver", matrix.address().toString(), "allow", "*"));
        all.putAll(values);
        return (MatrixPlatform) new MatrixProvider().create(around.settings(home, all, environment));
    }

    private Outgoing.Builder outgoing(String id, String room, Optional<String> thread, String text) {
        return Outgoing.builder(
                new OutgoingId(id), Address.of(Platform.MATRIX, room, thread), text, Outgoing.Kind.REPLY, around.now());
    }
}
