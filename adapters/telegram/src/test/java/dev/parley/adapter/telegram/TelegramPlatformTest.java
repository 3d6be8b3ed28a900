package dev.parley.adapter.telegram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.ability.Menus;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Receipt;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import dev.parley.fakes.telegram.FakeTelegram;
import dev.parley.fakes.telegram.Shown;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TelegramPlatformTest {
    private static final long ADA = 100;
    private static final long BOB = 101;
    private static final long FORUM = -1001234;

    @TempDir
    private Path home;

    private final FakeGateway around = TelegramTesting.gateway();
    private final FakeTelegram telegram = new FakeTelegram(TelegramTesting.TOKEN, "parley_bot", () -> around.now());
    private Optional<TelegramPlatform> platform = Optional.empty();

    @BeforeEach
    void people() {
        telegram.privateChat(ADA, "Ada");
        telegram.privateChat(BOB, "Bob");
        telegram.group(FORUM, "Forum");
        telegram.topic(FORUM, 7, "Topic");
    }

    @AfterEach
    void close() {
        platform.ifPresent(TelegramPlatform::stop);
        telegram.close();
        around.close();
    }

    // receiving

    @Test
    void whatWasWrittenBeforeTheStartIsReceivedInOrder() throws Exception {
        telegram.write(ADA, ADA, "one");
        telegram.write(ADA, ADA, "two");

        start();

        FakeGateway.until("both are confirmed", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).containsExactly("one", "two");
        assertThat(around.connections()).containsExactly("connected");
    }

    @Test
    void anErrorWhileReadingIsToldAndReadingBeginsAgain() throws Exception {
        around.failing(new StackOverflowError("said by somebody"));

        start();

        FakeGateway.until("it reads again", () -> around.connections().contains("connected"));
        assertThat(around.warnings())
                .anyMatch(line -> line.contains("Reading failed (java.lang.StackOverflowError at "))
                .noneMatch(line -> line.contains("said by somebody"));
        telegram.write(ADA, ADA, "one");
        FakeGateway.until("the message is confirmed", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).containsExactly("one");
    }

    @Test
    void withinAChatNothingIsHandedInBeforeWhatCameBeforeItIsStored() throws Exception {
        CompletableFuture<Receipt> first = new CompletableFuture<>();
        around.taking(message -> message.text().equals("one") ? first : FakeGateway.admitted());
        telegram.write(ADA, ADA, "one");
        telegram.write(ADA, ADA, "two");
        telegram.write(BOB, BOB, "other");

        start();
        FakeGateway.until("both chats are heard", () -> around.received().size() == 2);
        assertThat(around.texts()).containsExactlyInAnyOrder("one", "other");

        first.complete(new Receipt.Refused("no"));
        FakeGateway.until("all is confirmed", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).endsWith("two");
    }

    @Test
    void whatCannotBeStoredIsOfferedAgainAndWhatIsStoredIsNot() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        around.taking(message -> message.source().chatId().equals("100") && tries.getAndIncrement() == 0
                ? CompletableFuture.completedFuture(new Receipt.Unavailable("The disk is full."))
                : FakeGateway.admitted());
        telegram.write(ADA, ADA, "one");
        telegram.write(ADA, ADA, "two");
        telegram.write(BOB, BOB, "other");

        start();

        FakeGateway.until("all is confirmed", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).containsExactly("one", "other", "one", "two");
    }

    @Test
    void aMessageThatIsTurnedAwayIsOfferedAgain() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        around.taking(message -> tries.getAndIncrement() == 0
                ? CompletableFuture.completedFuture(
                        new Receipt.TurnedAway("too many wait", Optional.of(Duration.ofSeconds(3))))
                : FakeGateway.admitted());
        telegram.write(ADA, ADA, "one");

        start();

        FakeGateway.until("it is confirmed", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).containsExactly("one", "one");
    }

    @Test
    void whatIsSaidInAGroupBesideTheBotComesWithTheNextMessageForItAndOnlyOfPeopleWhoMayTalk() throws Exception {
        around.strangers(Set.of("101"));
        start(Map.of("require_mention", "true", "observe_unmentioned", "true"));
        telegram.write(FORUM, ADA, "We meet at six.");
        telegram.write(FORUM, BOB, "A word of a stranger.");
        telegram.write(
                FORUM, ADA, "In the topic.", m -> m.put("message_thread_id", 7).put("is_topic_message", true));
        telegram.write(FORUM, ADA, "@parley_bot when?");
        telegram.write(FORUM, ADA, "@parley_bot and where?");

        FakeGateway.until("both are received", () -> around.received().size() == 2);
        assertThat(around.received().get(0).context())
                .extracting(PrecedingMessage::text)
                .containsExactly("We meet at six.");
        assertThat(around.received().get(1).context()).isEmpty();
    }

    @Test
    void whereNothingIsSaidOfItNothingIsOverheard() throws Exception {
        start(Map.of("require_mention", "true"));
        telegram.write(FORUM, ADA, "We meet at six.");
        telegram.write(FORUM, ADA, "@parley_bot when?");

        FakeGateway.until("it is received", () -> around.received().size() == 1);
        assertThat(around.received().get(0).context()).isEmpty();
    }

    @Test
    void malformedUpdatesAreSettledWithAWarningAndKeepNothingFromComing() throws Exception {
        telegram.offer("message", com.fasterxml.jackson.databind.node.NullNode.getInstance());
        telegram.offer("kind_of_tomorrow", com.fasterxml.jackson.databind.node.IntNode.valueOf(3));
        telegram.write(ADA, ADA, "after");

        start();

        FakeGateway.until("all is confirmed", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).containsExactly("after");
        assertThat(around.warnings()).hasSize(2).allMatch(w -> w.startsWith("platforms.telegram: The update 70000"));
    }

    @Test
    void whatIsNullSaysNothing() throws Exception {
        telegram.write(FORUM, ADA, "hello", m -> {
            m.putNull("message_thread_id").putNull("reply_to_message").putNull("caption");
            ((ObjectNode) m.path("from")).putNull("last_name").putNull("username");
        });

        start();

        FakeGateway.until("it is received", () -> around.received().size() == 1);
        assertThat(around.received().get(0).source().threadId()).contains("1");
        assertThat(around.received().get(0).source().userName()).contains("Ada");
    }

    @Test
    void anUpdateThatMakesTheGatewayFailEachTimeIsLeftOutInTheEnd() throws Exception {
        around.taking(message -> {
            if (message.text().equals("poison")) {
                throw new IllegalStateException("what people wrote");
            }
            return FakeGateway.admitted();
        });
        telegram.write(ADA, ADA, "poison");
        telegram.write(ADA, ADA, "after");

        start();

        FakeGateway.until("all is confirmed", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).containsExactly("poison", "poison", "poison", "after");
        assertThat(around.warnings())
                .singleElement()
                .asString()
                .contains("was left out", "IllegalStateException")
                .doesNotContain("what people wrote");
    }

    @Test
    void aNewProcessGoesOnWhereTheLastOneStood() throws Exception {
        telegram.write(ADA, ADA, "one");
        start();
        FakeGateway.until("it is confirmed", () -> telegram.unconfirmed() == 0);
        platform.orElseThrow().stop();
        telegram.write(ADA, ADA, "two");

        start();

        FakeGateway.until("it is confirmed", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).containsExactly("one", "two");
    }

    @Test
    void stoppingConfirmsWhatIsStoredAndTakesNoLongerThanSeconds() throws Exception {
        start(Map.of("poll_timeout", "50"));
        telegram.write(ADA, ADA, "one");
        FakeGateway.until("it came", () -> around.received().size() == 1);

        long before = System.nanoTime();
        platform.orElseThrow().stop();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
        assertThat(telegram.unconfirmed()).isZero();
    }

    @Test
    void aMessageInFlightAtTheStopIsNotConfirmed() throws Exception {
        around.taking(message -> new CompletableFuture<>());
        start();
        telegram.write(ADA, ADA, "one");
        FakeGateway.until("it came", () -> around.received().size() == 1);

        platform.orElseThrow().stop();

        assertThat(telegram.unconfirmed()).isEqualTo(1);
    }

    // the connection

    @Test
    void aWrongTokenStopsTheStartWithOneLineThatDoesNotShowIt() {
        TelegramPlatform wrong = create(Map.of(), Map.of("TELEGRAM_BOT_TOKEN", "4711:another-secret"));

        assertThatThrownBy(() -> wrong.start(around))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("Telegram does not know the token in TELEGRAM_BOT_TOKEN;")
                .hasMessageNotContaining("another-secret")
                .hasMessageNotContaining("\n");
    }

    @Test
    void whereTelegramIsAwayTheStartSucceedsAndTheConnectionComesLater() throws Exception {
        telegram.write(ADA, ADA, "early");
        telegram.stop();

        start();
        FakeGateway.until("the trouble is told", () -> !around.warnings().isEmpty());
        assertThat(around.connections()).isEmpty();
        assertThat(platform.orElseThrow().ailment()).isPresent();
        telegram.start();

        FakeGateway.until("it is received", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).containsExactly("early");
        assertThat(around.connections()).containsExactly("connected");
        assertThat(platform.orElseThrow().ailment()).isEmpty();
        assertThat(around.warnings()).hasSize(2).noneMatch(w -> w.contains("telegram-secret"));
    }

    @Test
    void anOutageIsToldOnceAndSurvived() throws Exception {
        start();
        FakeGateway.until("it polls", () -> telegram.polls() > 0);
        telegram.stop();
        FakeGateway.until("the outage is told", () -> around.connections().contains("disconnected"));
        telegram.write(ADA, ADA, "meanwhile");
        telegram.start();

        FakeGateway.until("it is received", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).containsExactly("meanwhile");
        assertThat(around.connections()).containsExactly("connected", "disconnected", "connected");
    }

    @Test
    void aConnectionThatFallsSilentIsGivenUp() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(
                "127.0.0.1",
                telegram.address().getPort(),
                number -> number == 1 ? new Fault.HalfOpen(20) : new Fault.None())) {
            start(Map.of("base_url", "http://127.0.0.1:" + proxy.port(), "poll_timeout", "1"));
            proxy.cutAll();
            telegram.write(ADA, ADA, "one");

            FakeGateway.until("it is received", () -> telegram.unconfirmed() == 0);
            assertThat(around.texts()).containsExactly("one");
        }
    }

    @Test
    void aWebhookIsRemovedWithoutLosingWhatWaits() throws Exception {
        telegram.write(ADA, ADA, "one");
        telegram.fail(
                "getUpdates",
                409,
                "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first");

        start();

        FakeGateway.until("it is received", () -> telegram.unconfirmed() == 0);
        assertThat(telegram.calls())
                .filteredOn(call -> call.method().equals("deleteWebhook"))
                .singleElement()
                .satisfies(call -> assertThat(call.parameters()).containsEntry("drop_pending_updates", "false"));
    }

    @Test
    void aSecondReaderIsNamedAndOutlived() throws Exception {
        telegram.fail("getUpdates", 409, "Conflict: terminated by other getUpdates request");
        telegram.write(ADA, ADA, "one");

        start();

        FakeGateway.until("it is received", () -> telegram.unconfirmed() == 0);
        assertThat(around.warnings().get(0)).contains("Stop the other program that reads this bot's messages");
    }

    @Test
    void serverErrorsAndLimitsOfReadingAreOutlived() throws Exception {
        telegram.fail("getUpdates", 502, "Bad Gateway");
        telegram.limit("getUpdates", Duration.ofSeconds(1));
        telegram.write(ADA, ADA, "one");

        start();

        FakeGateway.until("it is received", () -> telegram.unconfirmed() == 0);
        assertThat(around.texts()).containsExactly("one");
    }

    // sending

    @Test
    void anAnswerGoesToItsTopicAsAReplyWithItsStyles() {
        long asked = telegram.write(FORUM, ADA, "question");
        start();

        platform.orElseThrow()
                .send(outgoing("o-1", FORUM, Optional.of("7"), "a **bold** `x` [link](https://example.org/)")
                        .replyTo(String.valueOf(asked))
                        .build());

        assertThat(telegram.shown(FORUM)).singleElement().satisfies(shown -> {
            assertThat(shown.text()).isEqualTo("a bold x link");
            assertThat(shown.thread()).contains(7L);
            assertThat(shown.replyTo()).contains(asked);
            assertThat(shown.entities().toString())
                    .isEqualTo(
                            "[{\"type\":\"bold\",\"offset\":2,\"length\":4},{\"type\":\"code\",\"offset\":7,\"length\":1},"
                                    + "{\"type\":\"text_link\",\"offset\":9,\"length\":4,\"url\":\"https://example.org/\"}]");
        });
    }

    @Test
    void anAnswerToTheGeneralTopicNamesNone() {
        start();

        platform.orElseThrow()
                .send(outgoing("o-1", FORUM, Optional.of("1"), "hello").build());

        assertThat(telegram.shown(FORUM))
                .singleElement()
                .satisfies(s -> assertThat(s.thread()).isEmpty());
    }

    @Test
    void halfACharacterDoesNotKeepTheRestOfATextFromBeingShown() {
        start();

        platform.orElseThrow()
                .send(outgoing("o-1", ADA, Optional.empty(), "a \uD83E\uDD9C and half of one \uD83E.")
                        .build());

        assertThat(telegram.shown(ADA))
                .singleElement()
                .satisfies(s -> assertThat(s.text()).isEqualTo("a \uD83E\uDD9C and half of one \uFFFD."));
    }

    @Test
    void aLongTextComesWholeInPartsThatGoOnWhereTheyStopped() {
        start();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            text.append("word").append(i).append(i % 50 == 49 ? "\n" : " ");
        }
        Outgoing message =
                outgoing("o-1", ADA, Optional.empty(), text.toString().strip()).build();

        TelegramPlatform sender = platform.orElseThrow();
        Outgoing first = message.sent(
                new dev.parley.domain.turn.SentPart(1, sender.sendPart(message).messageIds()));
        telegram.fail("sendMessage", 400, "Bad Request: chat not found");
        assertThatThrownBy(() -> sender.sendPart(first)).isInstanceOf(DeliveryFailed.class);
        sender.send(first);

        List<String> shown = telegram.shown(ADA).stream().map(Shown::text).toList();
        assertThat(shown).hasSizeGreaterThan(5).allMatch(part -> part.length() <= 4096);
        assertThat(String.join(" ", shown).split("\\s+"))
                .containsExactly(text.toString().strip().split("\\s+"));
    }

    @Test
    void aPauseThatTelegramAsksForIsKeptToTheSecond() {
        start();
        TelegramPlatform sender = platform.orElseThrow();
        telegram.limit("sendMessage", Duration.ofSeconds(35));

        assertThatThrownBy(() -> sender.send(text("o-1", "one")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.retryAfter()).contains(Duration.ofSeconds(35)));
        around.now(around.now().plusMillis(34_999));
        assertThatThrownBy(() -> sender.send(text("o-2", "two")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.retryAfter()).contains(Duration.ofMillis(1)));
        assertThat(telegram.shown(ADA)).isEmpty();
        around.now(around.now().plusMillis(1));
        sender.send(text("o-1", "one"));

        assertThat(telegram.calls())
                .filteredOn(c -> c.method().equals("sendMessage"))
                .hasSize(2);
        assertThat(telegram.shown(ADA)).extracting(Shown::text).containsExactly("one");
    }

    @Test
    void aBlockedBotGivesUpAndAServersErrorLeavesItUnknown() {
        start();
        TelegramPlatform sender = platform.orElseThrow();
        telegram.forbid(ADA, "bot was blocked by the user");
        assertThatThrownBy(() -> sender.send(text("o-1", "one")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.FORBIDDEN));
        telegram.allow(ADA);

        telegram.fail("sendMessage", 502, "Bad Gateway");
        assertThatThrownBy(() -> sender.send(text("o-1", "one"))).isNotInstanceOf(DeliveryFailed.class);

        assertThatThrownBy(() ->
                        sender.send(outgoing("o-2", 999, Optional.empty(), "x").build()))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.CHAT_GONE));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 407})
    void whatAProxyRefusesIsSentLater(int status) {
        start();
        TelegramPlatform sender = platform.orElseThrow();
        telegram.refuse("sendMessage", status);

        assertThatThrownBy(() -> sender.send(text("o-1", "one")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.AWAY));
        sender.send(text("o-1", "one"));
        assertThat(telegram.shown(ADA)).extracting(Shown::text).containsExactly("one");
    }

    @Test
    void whatTelegramDoesNotTakeAsItIsGoesWithoutTopicReplyOrStyles() {
        start();
        TelegramPlatform sender = platform.orElseThrow();
        telegram.fail("sendMessage", 400, "Bad Request: message to be replied not found");
        telegram.fail("sendMessage", 400, "Bad Request: can't parse entities: no");

        sender.send(outgoing("o-1", FORUM, Optional.of("99"), "a **bold** word")
                .replyTo("77")
                .build());

        assertThat(telegram.shown(FORUM)).singleElement().satisfies(shown -> {
            assertThat(shown.text()).isEqualTo("a bold word");
            assertThat(shown.thread()).isEmpty();
        });
    }

    @Test
    void aGroupThatMovedIsAnsweredUnderItsNewId() throws Exception {
        telegram.group(-55, "Group");
        start();
        telegram.migrate(-55, -100555);

        platform.orElseThrow()
                .send(outgoing("o-1", -55, Optional.empty(), "hello").build());

        assertThat(telegram.shown(-100555)).extracting(Shown::text).containsExactly("hello");
        FakeGateway.until("the move is told", () -> around.happened().size() == 2);
        assertThat(around.happened()).allSatisfy(happened -> {
            assertThat(happened.event()).isEqualTo(new ChatEvent.Moved("-55"));
            assertThat(happened.source().chatId()).isEqualTo("-100555");
        });
    }

    @Test
    void aQuestionHasButtonsAndAPressIsAnswered() throws Exception {
        start();
        String id = platform.orElseThrow()
                .ask(text("o-1", "Shall I?"), List.of(new Choice("once", "Once"), new Choice("deny", "No")))
                .messageIds()
                .get(0);
        assertThat(telegram.shown(ADA))
                .singleElement()
                .satisfies(s -> assertThat(s.buttons()).containsExactly("once", "deny"));

        String query = telegram.press(ADA, Long.parseLong(id), ADA, "once");

        FakeGateway.until(
                "the press is answered",
                () -> telegram.calls().stream()
                        .anyMatch(c -> c.method().equals("answerCallbackQuery")
                                && query.equals(c.parameters().get("callback_query_id"))));
        assertThat(around.happened())
                .singleElement()
                .satisfies(h -> assertThat(h.event()).isEqualTo(new ChatEvent.Pressed(id, "once")));
        platform.orElseThrow().edit(Address.of(Platform.TELEGRAM, "100"), id, "Shall I? Yes.");
        assertThat(telegram.shown(ADA)).singleElement().satisfies(s -> {
            assertThat(s.text()).isEqualTo("Shall I? Yes.");
            assertThat(s.buttons()).isEmpty();
        });
    }

    @Test
    void anAnswerTakesThePlaceOfItsPreviewOrComesAnewWhereThatIsGone() {
        start();
        TelegramPlatform sender = platform.orElseThrow();
        String id = sender.preview(new dev.parley.application.ability.Previewing.Preview(
                        new dev.parley.domain.turn.TurnId("t-1"),
                        Address.of(Platform.TELEGRAM, "100"),
                        Optional.empty(),
                        Optional.empty(),
                        "thin"))
                .orElseThrow();

        sender.send(outgoing("o-1", ADA, Optional.empty(), "thinking done")
                .replaces(id)
                .build());
        sender.send(outgoing("o-1", ADA, Optional.empty(), "thinking done")
                .replaces(id)
                .build());
        sender.send(
                outgoing("o-2", ADA, Optional.empty(), "anew").replaces("9999").build());

        assertThat(telegram.shown(ADA)).extracting(Shown::text).containsExactly("thinking done", "anew");
    }

    @Test
    void theMenuHasTheCommandsThatTelegramTakes() {
        start();

        platform.orElseThrow()
                .menu(List.of(
                        new Menus.Entry("new", "begin anew"),
                        new Menus.Entry("re-try", ""),
                        new Menus.Entry("Ünfit", "no")));

        assertThat(telegram.commands()).containsExactly("new", "re_try");
    }

    @Test
    void typingIsShownInTheTopic() {
        start();

        platform.orElseThrow().typing(Address.of(Platform.TELEGRAM, String.valueOf(FORUM), Optional.of("1")), true);

        assertThat(telegram.calls())
                .filteredOn(c -> c.method().equals("sendChatAction"))
                .singleElement()
                .satisfies(c -> assertThat(c.parameters())
                        .containsEntry("action", "typing")
                        .containsEntry("message_thread_id", "1"));
    }

    private void start() {
        start(Map.of());
    }

    private void start(Map<String, String> values) {
        TelegramPlatform made = create(values, Map.of("TELEGRAM_BOT_TOKEN", TelegramTesting.TOKEN));
        platform = Optional.of(made);
        made.start(around);
    }

    private TelegramPlatform create(Map<String, String> values, Map<String, String> environment) {
        Map<String, String> all =
                new HashMap<>(Map.of("base_url", telegram.address().toString()));
        all.putAll(values);
        return (TelegramPlatform) new TelegramProvider().create(around.settings(home, all, environment));
    }

    private Outgoing text(String id, String text) {
        return outgoing(id, ADA, Optional.empty(), text).build();
    }

    private Outgoing.Builder outgoing(String id, long chat, Optional<String> thread, String text) {
        return Outgoing.builder(
                new OutgoingId(id),
                Address.of(Platform.TELEGRAM, String.valueOf(chat), thread),
                text,
                Outgoing.Kind.REPLY,
                around.now());
    }
}
