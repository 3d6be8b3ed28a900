package dev.parley.adapter.whatsappcloud;

import static dev.parley.adapter.whatsappcloud.WhatsAppCloudTesting.ADA;
import static dev.parley.adapter.whatsappcloud.WhatsAppCloudTesting.BOB;
import static dev.parley.adapter.whatsappcloud.WhatsAppCloudTesting.ENVIRONMENT;
import static dev.parley.fakes.gateway.FakeGateway.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.ability.Asking;
import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.Reacting;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.ability.Typing;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.DeliveryFailed.Kind;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.SentPart;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import dev.parley.fakes.whatsapp.FakeWhatsApp;
import dev.parley.fakes.whatsapp.Shown;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatsAppCloudPlatformTest {
    @TempDir
    private Path home;

    private final FakeGateway gateway = WhatsAppCloudTesting.gateway();
    private final FakeWhatsApp whatsapp = WhatsAppCloudTesting.whatsapp(gateway);
    private final List<ChatPlatform> started = new ArrayList<>();

    @AfterEach
    void close() {
        started.forEach(ChatPlatform::stop);
        whatsapp.close();
        gateway.close();
    }

    // receiving

    @Test
    void whatIsWrittenWhileTheGatewayIsAwayComesWhenItIsThere() throws Exception {
        whatsapp.write(ADA, "one");
        whatsapp.write(BOB, "two");

        start();

        settled();
        assertThat(gateway.texts()).containsExactlyInAnyOrder("one", "two");
        assertThat(gateway.connections()).containsExactly("connected");
    }

    @Test
    void aPostWithManyMessagesIsAnsweredOnceAllAreSettled() throws Exception {
        CompletableFuture<Receipt> last = new CompletableFuture<>();
        gateway.taking(message -> message.text().equals("m9") ? last : FakeGateway.admitted());
        start();
        whatsapp.together(() -> IntStream.range(0, 10).forEach(i -> whatsapp.write(i % 2 == 0 ? ADA : BOB, "m" + i)));
        until("all are handed in", () -> gateway.received().size() == 10);
        assertThat(whatsapp.unsettled()).isEqualTo(1);

        last.complete(new Receipt.Refused("no"));

        settled();
        assertThat(gateway.texts()).hasSize(10);
    }

    @Test
    void whereOneMessageCannotBeStoredThePostComesAgainAndOrderIsKept() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        gateway.taking(message -> message.text().equals("two") && tries.getAndIncrement() == 0
                ? CompletableFuture.completedFuture(new Receipt.Unavailable("The disk is full."))
                : FakeGateway.admitted());
        start();

        whatsapp.together(() -> List.of("one", "two", "three").forEach(text -> whatsapp.write(ADA, text)));

        settled();
        assertThat(gateway.texts()).containsExactly("one", "two", "two", "three");
    }

    @Test
    void whatIsWrittenAfterSomethingThatCouldNotBeStoredWaitsForItButNotForEver() throws Exception {
        AtomicBoolean full = new AtomicBoolean(true);
        gateway.taking(message -> message.text().equals("one") && full.get()
                ? CompletableFuture.completedFuture(new Receipt.TurnedAway("too many wait", Optional.empty()))
                : FakeGateway.admitted());
        start();

        assertThat(whatsapp.offer(ADA, "one").toCompletableFuture().join()).isFalse();
        assertThat(whatsapp.offer(ADA, "two").toCompletableFuture().join()).isFalse();
        assertThat(whatsapp.offer(BOB, "other").toCompletableFuture().join()).isTrue();
        full.set(false);
        settled();
        assertThat(gateway.texts()).containsSubsequence("one", "other", "one", "two");

        full.set(true);
        assertThat(whatsapp.offer(ADA, "one").toCompletableFuture().join()).isFalse();
        whatsapp.stop();
        gateway.now(gateway.now().plus(Duration.ofMinutes(2)));
        assertThat(gateway.texts()).hasSizeGreaterThan(4);
        gateway.taking(message -> FakeGateway.admitted());
        whatsapp.start();
        assertThat(whatsapp.offer(ADA, "late").toCompletableFuture().join()).isTrue();
    }

    @Test
    void whatIsPostedAgainWhileItIsStoredIsHandedInOnce() throws Exception {
        CompletableFuture<Receipt> storing = new CompletableFuture<>();
        gateway.taking(message -> storing);
        whatsapp.postPatience(Duration.ofMillis(100));
        start();
        whatsapp.write(ADA, "slowly");
        until("it came", () -> gateway.received().size() == 1);
        until("Meta waited no longer", () -> {
            gateway.now(gateway.now().plusSeconds(10));
            return whatsapp.posts() > 2;
        });
        whatsapp.postPatience(Duration.ofSeconds(60));
        storing.complete(FakeGateway.admitted().toCompletableFuture().join());

        settled();
        assertThat(gateway.texts()).containsExactly("slowly");
    }

    @Test
    void whatMakesTheGatewayFailEachTimeIsLeftOutInTheEnd() throws Exception {
        gateway.taking(message -> {
            if (message.text().equals("poison")) {
                throw new IllegalStateException("what people wrote");
            }
            return FakeGateway.admitted();
        });
        start();
        whatsapp.write(ADA, "poison");
        settled();
        whatsapp.write(ADA, "after");
        settled();

        assertThat(gateway.texts()).containsExactly("poison", "poison", "poison", "after");
        assertThat(gateway.warnings())
                .singleElement()
                .asString()
                .contains("left out", "IllegalStateException")
                .doesNotContain("what people wrote");
    }

    @Test
    void malformedValuesAreSettledWithAWarningAndKeepNothingFromComing() throws Exception {
        start();
        whatsapp.offer(JsonNodeFactory.instance.numberNode(7));
        whatsapp.did(ADA, "kind_of_tomorrow", message -> {});
        whatsapp.did(ADA, "text", message -> message.put("text", 7));
        whatsapp.write(ADA, "after");

        settled();
        assertThat(gateway.texts()).containsExactly("after");
        assertThat(gateway.warnings()).hasSize(3).allMatch(line -> line.startsWith("platforms.whatsapp_cloud: "));
    }

    @Test
    void whatIsSaidToAnotherNumberIsLeftOutWithOneWarningAnHour() throws Exception {
        start();
        for (int i = 0; i < 3; i++) {
            ObjectNode value = JsonNodeFactory.instance.objectNode();
            value.putObject("metadata").put("phone_number_id", "4711");
            whatsapp.offer(value);
        }
        settled();

        assertThat(gateway.received()).isEmpty();
        assertThat(gateway.warnings()).singleElement().asString().contains("platforms.whatsapp_cloud.phone_number_id");
    }

    @Test
    void aFileIsFetchedIntoTheMediaStoreAndATooLargeOneCostsNoMessage() throws Exception {
        List<byte[]> kept = new ArrayList<>();
        gateway.media(store(kept));
        start();
        byte[] picture = {1, 2, 3};
        whatsapp.send(ADA, "image", picture, "image/png", file -> file.put("caption", "look"));
        settled();
        whatsapp.send(ADA, "sticker", new byte[600 << 10], "image/webp", file -> {});
        settled();

        Received photo = gateway.received().get(0);
        assertThat(photo.text()).isEqualTo("look");
        assertThat(photo.attachments()).singleElement().satisfies(file -> {
            assertThat(file.kind()).isEqualTo("photo");
            assertThat(file.location()).isEqualTo("/kept");
        });
        assertThat(kept).containsExactly(picture);
        assertThat(gateway.received().get(1).attachments())
                .singleElement()
                .satisfies(file -> assertThat(file.description()).contains("The sticker could not be fetched."));
    }

    // the connection

    @Test
    void aWrongTokenStopsTheStartWithOneLineThatDoesNotShowIt() {
        Map<String, String> wrong = new HashMap<>(ENVIRONMENT);
        wrong.put("WHATSAPP_CLOUD_ACCESS_TOKEN", "another-secret");
        ChatPlatform platform = new WhatsAppCloudProvider()
                .create(gateway.settings(
                        home, Map.of("base_url", whatsapp.address().toString()), wrong));

        assertThatThrownBy(() -> platform.start(gateway))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("Meta does not take the access token in WHATSAPP_CLOUD_ACCESS_TOKEN;")
                .hasMessageNotContaining("another-secret")
                .hasMessageNotContaining("\n");
        assertThat(platform.address()).isEmpty();
    }

    @Test
    void aWrongNumberStopsTheStartWithOneLine() {
        assertThatThrownBy(() -> start(Map.of("phone_number_id", "4711")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("platforms.whatsapp_cloud.phone_number_id");
    }

    @Test
    void aPortThatIsTakenStopsTheStartWithOneLine() {
        ChatPlatform first = start();
        String port = String.valueOf(first.address().orElseThrow().getPort());

        assertThatThrownBy(() -> start(Map.of("port", port)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("platforms.whatsapp_cloud.port")
                .hasMessageNotContaining("\n");
    }

    @Test
    void whereMetaIsAwayTheStartSucceedsAndTheConnectionComesLater() throws Exception {
        whatsapp.stop();
        ChatPlatform platform = start();
        until("the trouble is told", () -> !gateway.warnings().isEmpty());
        assertThat(gateway.connections()).isEmpty();
        assertThat(ailment(platform)).isPresent();

        whatsapp.start();

        until("it is connected", () -> gateway.connections().equals(List.of("connected")));
        assertThat(ailment(platform)).isEmpty();
        assertThat(gateway.warnings()).hasSize(2);
    }

    @Test
    void aTokenThatEndsIsToldAndComesBackWithoutAStart() throws Exception {
        ChatPlatform platform = start();
        until("it is connected", () -> gateway.connections().size() == 1);
        whatsapp.fail("messages", 401, 190, "Session has expired");
        whatsapp.fail("phone_number", 401, 190, "Session has expired");

        assertThatThrownBy(() -> platform.send(text("o-1", "hello")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAUTHORIZED));

        until(
                "it is connected again",
                () -> gateway.connections().equals(List.of("connected", "disconnected", "connected")));
        assertThat(gateway.warnings()).hasSize(2).noneMatch(line -> line.contains(WhatsAppCloudTesting.TOKEN));
    }

    @Test
    void itStopsTwiceAndStartsAgain() throws Exception {
        ChatPlatform platform = start();
        platform.stop();
        platform.stop();
        assertThat(platform.address()).isEmpty();

        platform.start(gateway);
        whatsapp.webhook(platform.address().orElseThrow());
        whatsapp.write(ADA, "hello");

        settled();
        assertThat(gateway.texts()).containsExactly("hello");
    }

    // sending

    @Test
    void anAnswerHasTheMarksOfWhatsAppAndNamesWhatItRepliesTo() {
        ChatPlatform platform = start();
        String asked = whatsapp.write(ADA, "well?");

        platform.send(outgoing("o-1", "a **bold** [word](https://x.org)")
                .replyTo(asked)
                .build());

        assertThat(whatsapp.shown(ADA)).singleElement().satisfies(shown -> {
            assertThat(shown.text()).isEqualTo("a *bold* word (https://x.org)");
            assertThat(shown.replyTo()).contains(asked);
        });
    }

    @Test
    void whatIsRepliedToMayBeGone() {
        ChatPlatform platform = start();
        whatsapp.fail("messages", 400, 131009, "(#131009) Parameter value is not valid");

        platform.send(outgoing("o-1", "hello").replyTo("wamid.gone").build());

        assertThat(whatsapp.shown(ADA))
                .singleElement()
                .satisfies(shown -> assertThat(shown.replyTo()).isEmpty());
    }

    @Test
    void aLongTextComesWholeInPartsThatGoOnWhereTheyStopped() {
        ChatPlatform platform = start();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            text.append("word").append(i).append(i % 50 == 49 ? "\n" : " ");
        }
        Outgoing message = text("o-1", text.toString().strip());
        SendingInParts sender = (SendingInParts) platform;

        Outgoing first = message.sent(new SentPart(1, sender.sendPart(message).messageIds()));
        whatsapp.fail("messages", 400, 131000, "(#131000) Something went wrong");
        assertThatThrownBy(() -> sender.sendPart(first)).isInstanceOf(DeliveryFailed.class);
        sender.send(first);

        List<String> shown = whatsapp.shown(ADA).stream().map(Shown::text).toList();
        assertThat(shown).hasSizeGreaterThan(3).allMatch(part -> part.length() <= 4096);
        assertThat(String.join(" ", shown).split("\\s+"))
                .containsExactly(text.toString().strip().split("\\s+"));
    }

    @ParameterizedTest
    @CsvSource({
        "400, 131047, FORBIDDEN",
        "400, 131030, FORBIDDEN",
        "400, 131026, CHAT_GONE",
        "400, 131051, REJECTED",
        "400, 100, REJECTED",
        "400, 131056, RATE_LIMITED",
        "400, 131048, RATE_LIMITED",
        "429, 130429, RATE_LIMITED",
        "400, 80007, RATE_LIMITED",
        "400, 4, RATE_LIMITED",
        "401, 190, UNAUTHORIZED",
        "403, 10, UNAUTHORIZED",
        "403, 200, UNAUTHORIZED",
        "400, 131042, UNAUTHORIZED",
        "500, 1, AWAY",
        "503, 2, AWAY",
        "500, 131000, AWAY",
        "500, 131016, AWAY"
    })
    void anErrorOfMetasBecomesWhatTheGatewayKnows(int status, int code, Kind kind) {
        ChatPlatform platform = start();
        whatsapp.fail("messages", status, code, "(#" + code + ") words");

        assertThatThrownBy(() -> platform.send(text("o-1", "hello")))
                .isInstanceOfSatisfying(DeliveryFailed.class, e -> {
                    assertThat(e.kind()).isEqualTo(kind);
                    assertThat(e.retryAfter().isPresent()).isEqualTo(kind == Kind.RATE_LIMITED);
                });
    }

    @Test
    void aPauseThatMetaAsksForIsKeptToTheSecond() {
        ChatPlatform platform = start();
        whatsapp.limit(Duration.ofSeconds(35));

        assertThatThrownBy(() -> platform.send(text("o-1", "one")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.retryAfter()).contains(Duration.ofSeconds(35)));
        gateway.now(gateway.now().plusMillis(34_999));
        assertThatThrownBy(() -> platform.send(text("o-2", "two")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.retryAfter()).contains(Duration.ofMillis(1)));
        gateway.now(gateway.now().plusMillis(1));
        platform.send(text("o-1", "one"));

        assertThat(whatsapp.calls("messages")).hasSize(2);
        assertThat(whatsapp.shown(ADA)).extracting(Shown::text).containsExactly("one");
    }

    @Test
    void onePersonsLimitIsKeptAndIsNobodyElses() {
        ChatPlatform platform = start();
        whatsapp.keepLimits();
        whatsapp.fail("messages", 400, 131056, "(#131056) pair rate limit hit");

        assertThatThrownBy(() -> platform.send(text("o-1", "one")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.retryAfter()).contains(Duration.ofSeconds(6)));
        platform.send(Outgoing.builder(
                        new OutgoingId("o-2"),
                        Address.of(Platform.WHATSAPP_CLOUD, BOB),
                        "to Bob",
                        Outgoing.Kind.REPLY,
                        gateway.now())
                .build());

        assertThat(whatsapp.shown(BOB)).extracting(Shown::text).containsExactly("to Bob");
    }

    @Test
    void anAnswerThatWasCutLeavesItUnknownAndAStatusTellsThatItArrived() throws Exception {
        whatsapp.tellStatuses();
        AtomicBoolean cutting = new AtomicBoolean();
        try (FaultyProxy proxy = new FaultyProxy(
                "127.0.0.1",
                whatsapp.address().getPort(),
                number -> cutting.get() ? new Fault.CutAnswer(10) : new Fault.None())) {
            ChatPlatform platform = start(Map.of("base_url", "http://127.0.0.1:" + proxy.port() + "/v23.0"));
            until("it is connected", () -> gateway.connections().size() == 1);
            cutting.set(true);
            proxy.cutAll();

            assertThatThrownBy(() -> platform.send(text("o-1", "hello"))).isNotInstanceOf(DeliveryFailed.class);
            cutting.set(false);
            proxy.cutAll();
            until("the statuses are told", () -> whatsapp.open() == 0);
            platform.send(text("o-1", "hello"));

            assertThat(whatsapp.shown(ADA)).extracting(Shown::text).containsExactly("hello");
        }
    }

    @Test
    void aServerBeforeMetaThatFailsLeavesItUnknown() throws Exception {
        try (BadGateway bad = new BadGateway()) {
            ChatPlatform platform = start(Map.of("base_url", bad.address()));

            assertThatThrownBy(() -> platform.send(text("o-1", "hello"))).isNotInstanceOf(DeliveryFailed.class);
        }
    }

    @Test
    void aMessageThatFailsAfterItWasTakenIsToldTheOperator() throws Exception {
        ChatPlatform platform = start();
        gateway.now(gateway.now().plus(Duration.ofHours(24)));

        platform.send(text("o-1", "too late"));
        until("it is told", () -> whatsapp.open() == 0);

        assertThat(gateway.warnings())
                .singleElement()
                .asString()
                .contains("131047", "o-1")
                .doesNotContain("too late");
    }

    @Test
    void aQuestionHasButtonsAndAPressIsHandedIn() throws Exception {
        Asking platform = (Asking) start();

        String id = platform.ask(text("o-1", "Shall I?"), List.of(new Choice("once", "Once"), new Choice("deny", "No")))
                .messageIds()
                .get(0);
        whatsapp.press(ADA, id, "once");
        settled();

        assertThat(whatsapp.shown(ADA)).singleElement().satisfies(shown -> {
            assertThat(shown.text()).isEqualTo("Shall I?");
            assertThat(shown.choices()).containsExactly("once", "deny");
        });
        assertThat(gateway.happened())
                .singleElement()
                .satisfies(what -> assertThat(what.event()).isEqualTo(new ChatEvent.Pressed(id, "once")));
        assertThat(gateway.received()).isEmpty();
    }

    @Test
    void manyChoicesAreAListAndTooManyAreNone() throws Exception {
        Asking platform = (Asking) start();
        String label = "a label that is longer than a row may be ";

        platform.ask(text("o-1", "Which?"), choices(10, label));
        platform.ask(text("o-2", "Which?"), choices(11, label));
        platform.ask(text("o-3", "x".repeat(1_100)), choices(3, label));
        whatsapp.press(ADA, whatsapp.shown(ADA).get(0).id(), "c7");
        settled();

        assertThat(whatsapp.shown(ADA))
                .extracting(shown -> shown.choices().size())
                .containsExactly(10, 0, 0);
        assertThat(gateway.happened()).hasSize(1);
    }

    private static List<Choice> choices(int many, String label) {
        return IntStream.range(0, many)
                .mapToObj(i -> new Choice("c" + i, label + i))
                .toList();
    }

    @Test
    void typingIsShownWithWhatWasWrittenLast() throws Exception {
        Typing platform = (Typing) start();
        platform.typing(Address.of(Platform.WHATSAPP_CLOUD, ADA), true);
        assertThat(whatsapp.typing(ADA)).isEmpty();
        whatsapp.write(ADA, "one");
        settled();
        String last = whatsapp.write(ADA, "two");
        settled();

        platform.typing(Address.of(Platform.WHATSAPP_CLOUD, ADA), true);

        assertThat(whatsapp.typing(ADA)).contains(last);
    }

    @Test
    void aMarkIsAnEmoji() {
        ChatPlatform platform = start();
        String asked = whatsapp.write(ADA, "well?");
        Reacting reacting = (Reacting) platform;

        reacting.react(Address.of(Platform.WHATSAPP_CLOUD, ADA), asked, Reacting.Mark.DONE);
        assertThat(whatsapp.reactions(ADA)).containsEntry(asked, "\u2705");
        reacting.react(Address.of(Platform.WHATSAPP_CLOUD, ADA), asked, Reacting.Mark.NONE);

        assertThat(whatsapp.reactions(ADA)).isEmpty();
    }

    @Test
    void filesAreSentWithTheirWordsAndWhatWhatsAppDoesNotTakeIsNamed() throws Exception {
        ChatPlatform platform = start();
        Path picture = Files.write(home.resolve("p.png"), new byte[] {1, 2, 3});
        Attachment photo =
                new Attachment("photo", picture.toString(), Optional.of("p.png"), Optional.of("image/png")).sized(3);
        Attachment archive =
                new Attachment("document", picture.toString(), Optional.of("all.zip"), Optional.of("application/zip"));

        platform.send(
                outgoing("o-1", "look").attachments(List.of(photo, archive)).build());

        assertThat(whatsapp.shown(ADA)).extracting(Shown::type).containsExactly("image", "text");
        assertThat(whatsapp.shown(ADA).get(0).text()).isEqualTo("look");
        assertThat(whatsapp.shown(ADA).get(0).file()).contains(new byte[] {1, 2, 3});
        assertThat(whatsapp.shown(ADA).get(1).text()).contains("all.zip");
    }

    private ChatPlatform start() {
        return start(Map.of());
    }

    private ChatPlatform start(Map<String, String> values) {
        ChatPlatform platform = WhatsAppCloudTesting.platform(gateway, whatsapp, home, values);
        started.add(platform);
        platform.start(gateway);
        whatsapp.webhook(platform.address().orElseThrow());
        return platform;
    }

    /** Lets time pass until everything is settled, as Meta posts again only then. */
    private void settled() throws InterruptedException {
        until("everything is settled", () -> {
            whatsapp.repeat();
            return whatsapp.unsettled() == 0;
        });
    }

    private static Optional<Diagnosing.Ailment> ailment(ChatPlatform platform) {
        return ((Diagnosing) platform).ailment();
    }

    private Outgoing text(String id, String text) {
        return outgoing(id, text).build();
    }

    private Outgoing.Builder outgoing(String id, String text) {
        return Outgoing.builder(
                new OutgoingId(id), Address.of(Platform.WHATSAPP_CLOUD, ADA), text, Outgoing.Kind.REPLY, gateway.now());
    }

    private static MediaStore store(List<byte[]> kept) {
        return new MediaStore() {
            @Override
            public Attachment keep(InputStream content, Attachment named) {
                try {
                    kept.add(content.readAllBytes());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return new Attachment(named.kind(), "/kept", named.name(), named.mediaType());
            }

            @Override
            public InputStream open(Attachment attachment) {
                throw new InvalidRequest("not asked for here");
            }

            @Override
            public long largest() {
                return 1 << 20;
            }
        };
    }
}
