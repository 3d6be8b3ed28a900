package dev.parley.adapter.slack;

import static dev.parley.fakes.gateway.FakeGateway.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.ability.Asking;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.Editing;
import dev.parley.application.ability.Menus;
import dev.parley.application.ability.Previewing;
import dev.parley.application.ability.Reacting;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.TurnId;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.slack.FakeSlack;
import dev.parley.fakes.slack.Shown;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Slack app over a fake workspace, before a fake gateway. */
class SlackPlatformTest {
    private static final KeyRules KEYS = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path home;

    private FakeGateway gateway = SlackTesting.gateway();
    private FakeSlack slack = new FakeSlack("", "", () -> FakeGateway.NOW);
    private String ada = "";
    private String direct = "";
    private String channel = "";
    private Optional<ChatPlatform> started = Optional.empty();

    @BeforeEach
    void aWorkspace() {
        slack.close();
        FakeGateway around = gateway;
        slack = new FakeSlack(SlackTesting.BOT_TOKEN, SlackTesting.APP_TOKEN, around::now);
        ada = slack.person("ada");
        direct = slack.directChat(ada);
        channel = slack.channel("team", ada);
    }

    @AfterEach
    void close() {
        started.ifPresent(ChatPlatform::stop);
        slack.close();
        gateway.close();
    }

    private ChatPlatform made(Map<String, String> values) {
        return SlackTesting.platform(gateway, slack, home, values);
    }

    private ChatPlatform start() throws Exception {
        return start(Map.of());
    }

    private ChatPlatform start(Map<String, String> values) throws Exception {
        ChatPlatform platform = made(values);
        started = Optional.of(platform);
        platform.start(gateway);
        until(
                "it is connected",
                () -> slack.connections() == 1 && !gateway.connections().isEmpty());
        return platform;
    }

    private void stop() {
        started.ifPresent(ChatPlatform::stop);
        started = Optional.empty();
    }

    private Received received(int count) throws InterruptedException {
        until(
                "message " + count + " is handed in, of " + gateway.texts(),
                () -> gateway.received().size() >= count);
        return gateway.received().get(count - 1);
    }

    private String key(Received message) {
        return KEYS.keyOf(message.source()).value();
    }

    private void settled() throws InterruptedException {
        until("all is acknowledged", () -> slack.unread() == 0);
    }

    private Outgoing message(String id, String text) {
        return message(id, text, direct);
    }

    private Outgoing message(String id, String text, String where) {
        return Outgoing.builder(
                        new OutgoingId(id), Address.of(Platform.SLACK, where), text, Outgoing.Kind.REPLY, gateway.now())
                .build();
    }

    private List<String> texts(String where) {
        return slack.shown(where).stream().map(Shown::text).toList();
    }

    // what is received

    @Test
    void eachPlaceHasItsKey() throws Exception {
        String group = slack.group(ada, slack.person("bob"));
        String hidden = slack.privateChannel("secret", ada);
        start();

        slack.write(direct, ada, "one");
        assertThat(key(received(1))).isEqualTo("agent:main:slack:dm:" + direct);
        String root = slack.write(direct, ada, "a root");
        slack.reply(direct, ada, "two", root);
        received(3);
        assertThat(key(gateway.received().get(2))).isEqualTo("agent:main:slack:dm:" + direct + ":" + root);
        String named = slack.write(channel, ada, "<@" + FakeSlack.BOT_USER + "> three");
        assertThat(key(received(4))).isEqualTo("agent:main:slack:channel:" + channel + ":" + named);
        slack.reply(channel, ada, "four", named);
        assertThat(key(received(5))).isEqualTo("agent:main:slack:channel:" + channel + ":" + named);
        String inGroup = slack.write(group, ada, "<@" + FakeSlack.BOT_USER + "> five");
        assertThat(key(received(6))).isEqualTo("agent:main:slack:group:" + group + ":" + inGroup);
        String inPrivate = slack.write(hidden, ada, "<@" + FakeSlack.BOT_USER + "> six");
        assertThat(key(received(7))).isEqualTo("agent:main:slack:channel:" + hidden + ":" + inPrivate);
        assertThat(gateway.texts()).containsExactly("one", "a root", "two", "three", "four", "five", "six");
        assertThat(gateway.received().get(3).source().userName()).contains("Ada");
        assertThat(gateway.received().get(3).source().chatName()).contains("team");
        assertThat(gateway.received().get(3).source().chatTopic()).contains("About team");
        assertThat(gateway.received().get(3).source().scopeId()).contains(FakeSlack.TEAM);
        assertThat(gateway.received().get(3).mentioned()).isTrue();
        settled();
    }

    @Test
    void anErrorWhileReadingIsToldAndReadingBeginsAgain() throws Exception {
        gateway.failing(new StackOverflowError("said by somebody"));

        start();

        until("it reads again", () -> gateway.connections().contains("connected"));
        assertThat(gateway.warnings())
                .anyMatch(line -> line.contains("Reading failed (java.lang.StackOverflowError at "))
                .noneMatch(line -> line.contains("said by somebody"));
        slack.write(direct, ada, "one");
        assertThat(received(1).text()).isEqualTo("one");
    }

    @Test
    void withoutThreadsAChannelIsOneLaneOfEachPerson() throws Exception {
        start(Map.of("reply_in_thread", "false", "dm_threads", "true"));

        slack.write(channel, ada, "<@" + FakeSlack.BOT_USER + "> one");
        assertThat(key(received(1))).isEqualTo("agent:main:slack:channel:" + channel + ":" + ada);
        String ts = slack.write(direct, ada, "two");
        assertThat(key(received(2))).isEqualTo("agent:main:slack:dm:" + direct + ":" + ts);
    }

    @Test
    void whatDoesNotNameTheAppIsAcknowledgedAndNotHandedIn() throws Exception {
        start();

        slack.write(channel, ada, "not for you");
        String other = slack.write(channel, ada, "another thread");
        slack.reply(channel, ada, "not for you either", other);
        settled();
        slack.write(
                channel,
                ada,
                "<@" + FakeSlack.BOT_USER + ">: for you &amp; me, see <https://example.org|this> <@" + ada + ">");
        received(1);

        assertThat(gateway.texts()).containsExactly("for you & me, see this (https://example.org) @Ada");
    }

    @Test
    void aThreadInWhichTheAppHasSpokenNeedsNoMentionAfterARestartEither() throws Exception {
        ChatPlatform platform = start();
        String root = slack.write(channel, ada, "nobody is meant");
        platform.send(Outgoing.builder(
                        new OutgoingId("out-1"),
                        Address.of(Platform.SLACK, channel, Optional.of(root)),
                        "I have something to say",
                        Outgoing.Kind.REPLY,
                        gateway.now())
                .build());
        slack.reply(channel, ada, "go on", root);

        assertThat(received(1).text()).isEqualTo("go on");
        assertThat(gateway.received().get(0).source().threadId()).contains(root);
    }

    @Test
    void whatWasSaidInAThreadBeforeTheAppWasCalledIntoItIsShownToTheAgent() throws Exception {
        String root = slack.write(channel, ada, "the build is red");
        slack.reply(channel, ada, "since noon", root);
        start();
        slack.reply(channel, ada, "<@" + FakeSlack.BOT_USER + "> why?", root);

        assertThat(received(1).context())
                .extracting(PrecedingMessage::text)
                .containsExactly("the build is red", "since noon");
    }

    @Test
    void whatCannotBeStoredIsNotAcknowledgedAndIsHandedInAgainBeforeWhatFollows() throws Exception {
        start();
        CompletableFuture<Boolean> full = new CompletableFuture<>();
        gateway.taking(message -> full.isDone()
                ? FakeGateway.admitted()
                : CompletableFuture.completedFuture(new Receipt.Unavailable("the disk is full")));
        slack.write(direct, ada, "one");
        slack.write(direct, ada, "two");
        received(2);
        assertThat(gateway.texts()).containsOnly("one");
        assertThat(slack.unread()).isEqualTo(2);
        full.complete(true);
        until("all is handed in", () -> gateway.texts().contains("two"));
        settled();

        assertThat(gateway.texts().indexOf("two")).isEqualTo(gateway.texts().size() - 1);
    }

    @Test
    void whatWasWrittenWhileNobodyListenedIsReadInOrderOnce() throws Exception {
        start();
        slack.write(direct, ada, "before");
        String root = slack.write(channel, ada, "<@" + FakeSlack.BOT_USER + "> a thread");
        received(2);
        settled();
        stop();
        for (int i = 0; i < 250; i++) {
            slack.write(direct, ada, "m" + i);
        }
        slack.reply(channel, ada, "in the thread", root);
        String bob = slack.person("bob");
        String first = slack.directChat(bob);
        slack.write(first, bob, "we have never met");
        slack.giveUp();
        start();
        slack.write(direct, ada, "after");
        until(
                "all is handed in",
                () -> gateway.texts().contains("after")
                        && gateway.texts().contains("in the thread")
                        && gateway.texts().contains("we have never met"));

        assertThat(gateway.texts().stream().filter(text -> text.startsWith("m")))
                .hasSize(250)
                .startsWith("m0", "m1")
                .endsWith("m248", "m249");
        assertThat(gateway.texts().stream().filter(List.of("m249", "after")::contains))
                .containsExactly("m249", "after");
        // What was settled in another life is recognised by the gateway.
        assertThat(gateway.texts().stream().filter("in the thread"::equals)).hasSize(1);
        assertThat(gateway.received().stream()
                        .filter(each -> each.text().equals("in the thread"))
                        .findFirst()
                        .orElseThrow()
                        .source()
                        .threadId())
                .contains(root);
    }

    @Test
    void anAppThatSlackForbidsToLookBackHearsWhatIsSaidNow() throws Exception {
        for (String where : List.of(direct, channel)) {
            slack.fail("conversations.history", "missing_scope");
            assertThat(where).isNotEmpty();
        }
        slack.fail("users.conversations", "missing_scope");
        start();
        slack.write(direct, ada, "now");

        assertThat(received(1).text()).isEqualTo("now");
        assertThat(gateway.warnings()).anyMatch(line -> line.contains("missing_scope"));
    }

    @Test
    void aNewConnectionIsOpenedBeforeTheOldOneIsLeft() throws Exception {
        start();
        slack.write(direct, ada, "one");
        received(1);
        slack.refresh();
        until("there is another connection", () -> slack.connectionsOpened() == 2 && slack.connections() == 1);
        slack.write(direct, ada, "two");
        received(2);
        settled();

        assertThat(gateway.connections()).containsExactly("connected");
        assertThat(gateway.texts()).containsExactly("one", "two");
    }

    @Test
    void aConnectionThatBreaksIsOpenedAgain() throws Exception {
        start();
        slack.dropConnections();
        until("there is another connection", () -> slack.connectionsOpened() == 2);
        slack.write(direct, ada, "still there?");

        assertThat(received(1).text()).isEqualTo("still there?");
    }

    @Test
    void connectionsThatBreakWhileMuchIsSaidLoseNothingAndKeepTheOrder() throws Exception {
        List<String> people = IntStream.range(0, 12)
                .mapToObj(number -> slack.person("person" + number))
                .toList();
        List<String> chats = people.stream().map(slack::directChat).toList();
        start();
        gateway.now(FakeGateway.NOW.plusSeconds(1));
        int rounds = 6;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < chats.size(); i++) {
                slack.write(chats.get(i), people.get(i), i + "/" + round + "a");
                if (i % 5 == round % 5) {
                    slack.dropConnections();
                }
                slack.write(chats.get(i), people.get(i), i + "/" + round + "b");
            }
            long opened = slack.connectionsOpened();
            slack.dropConnections();
            until("there is another connection", () -> slack.connectionsOpened() > opened);
        }
        List<String> expected = IntStream.range(0, chats.size())
                .boxed()
                .flatMap(i -> IntStream.range(0, rounds)
                        .boxed()
                        .flatMap(round -> Stream.of(i + "/" + round + "a", i + "/" + round + "b")))
                .toList();
        until("all is handed in", () -> gateway.texts().containsAll(expected));

        assertThat(gateway.texts()).hasSameSizeAs(expected);
        for (int i = 0; i < chats.size(); i++) {
            String prefix = i + "/";
            assertThat(gateway.texts().stream().filter(text -> text.startsWith(prefix)))
                    .containsExactlyElementsOf(expected.stream()
                            .filter(text -> text.startsWith(prefix))
                            .toList());
        }
    }

    @Test
    void anEditADeletionAndAReactionAreToldAsWhatHappened() throws Exception {
        start();
        String ts = slack.write(direct, ada, "a questoin");
        received(1);
        slack.edit(direct, ts, "a question");
        slack.react(direct, ada, ts, "thumbsup");
        slack.delete(direct, ts);
        until("all is handed in", () -> gateway.happened().size() == 3);

        assertThat(gateway.happened().stream().map(each -> (Object) each.event()))
                .containsExactly(
                        new ChatEvent.Edited(ts, "a question"),
                        new ChatEvent.Reacted(ts, "thumbsup", false),
                        new ChatEvent.Deleted(ts));
        settled();
    }

    @Test
    void commandsComeBehindAnExclamationMarkAndAsSlashCommands() throws Exception {
        ChatPlatform platform = start();
        platform.as(Menus.class).orElseThrow().menu(List.of(new Menus.Entry("new", "Begins anew")));
        slack.write(direct, ada, "!new now");
        slack.write(direct, ada, "!important is no command");
        slack.command(direct, ada, "/parley", "new");
        slack.command(direct, ada, "/parley", "what is new?");
        slack.command(channel, ada, "/status", "");
        until("all is handed in", () -> gateway.received().size() == 5);

        assertThat(gateway.texts())
                .containsExactlyInAnyOrder("/new now", "!important is no command", "/new", "what is new?", "/status");
        settled();
    }

    @Test
    void malformedEventsAreAcknowledgedAndHoldNothingUp() throws Exception {
        start();
        slack.event(JSON.createObjectNode().put("type", "message").put("channel", direct));
        slack.event(JSON.createObjectNode()
                .put("type", "message")
                .put("channel", direct)
                .put("ts", "yesterday")
                .put("user", 7));
        slack.event(JSON.createObjectNode().put("type", "of_the_future"));
        slack.event(JSON.createObjectNode()
                .put("type", "message")
                .put("channel", direct)
                .put("ts", "5.5"));
        slack.write(direct, ada, "fine");
        until("it is handed in", () -> gateway.texts().contains("fine"));
        settled();

        assertThat(gateway.warnings()).anyMatch(line -> line.contains("was left out"));
    }

    @Test
    void aNullSaysTheSameAsNothing() throws Exception {
        start();
        slack.event(JSON.createObjectNode()
                .put("type", "message")
                .put("channel", direct)
                .put("channel_type", "im")
                .put("user", ada)
                .put("ts", "1773133200.000100")
                .put("text", "hello")
                .putNull("thread_ts")
                .putNull("subtype")
                .putNull("bot_id")
                .putNull("files"));

        SessionSource source = received(1).source();
        assertThat(source.threadId()).isEmpty();
        assertThat(source.isBot()).isFalse();
    }

    @Test
    void absurdTimesAndIdsKeepNothingFromBeingReadLater() throws Exception {
        start();
        ObjectNode event = JSON.createObjectNode()
                .put("type", "message")
                .put("channel_type", "im")
                .put("user", ada)
                .put("text", "absurd");
        slack.event(event.deepCopy().put("channel", direct).put("ts", "999999999999.000001"));
        slack.event(event.deepCopy().put("channel", "D".repeat(100_000)).put("ts", "1773133200.000100"));
        slack.event(event.deepCopy()
                .put("channel", direct)
                .put("ts", "1773133200.000200")
                .put("user", "U".repeat(100_000)));
        settled();
        stop();
        slack.write(direct, ada, "meanwhile");
        slack.giveUp();
        start();

        until("it is read", () -> gateway.texts().contains("meanwhile"));
        assertThat(gateway.received())
                .allMatch(each -> each.source().userId().orElse("").length() < 100);
        assertThat(gateway.received()).allMatch(each -> each.source().chatId().length() < 100);
    }

    @Test
    void connectionsThatEndAtOnceAreOpenedEverMoreRarely() throws Exception {
        start();
        long before = slack.connectionsOpened();
        slack.endAtOnce(6);
        slack.dropConnections();
        until("one holds again", () -> slack.connectionsOpened() >= before + 6 && slack.connections() == 1);

        assertThat(gateway.delays()).contains(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @Test
    void filesAreFetchedFromSlackAndFromNowhereElse() throws Exception {
        gateway.media(new KeptInMemory());
        ObjectNode message = JSON.createObjectNode().put("text", "look").put("subtype", "file_share");
        message.putArray("files")
                .add(slack.file("cat.png", "image/png", "a picture".getBytes(StandardCharsets.UTF_8)))
                .add(JSON.createObjectNode()
                        .put("id", "F9")
                        .put("name", "trap.txt")
                        .put("mimetype", "text/plain")
                        .put("url_private", "http://169.254.169.254/latest/meta-data"));
        start();
        slack.write(direct, ada, message);
        Received received = received(1);

        assertThat(received.attachments())
                .extracting(Attachment::kind, each -> each.location().isEmpty())
                .containsExactly(tuple("photo", false), tuple("document", true));
        assertThat(gateway.warnings()).anyMatch(line -> line.contains("does not lie with Slack"));
    }

    // what is sent

    @Test
    void aLongAnswerIsCutAndStandsInItsThreadAsMarkup() throws Exception {
        ChatPlatform platform = start();
        String root = slack.write(channel, ada, "<@" + FakeSlack.BOT_USER + "> long?");
        received(1);
        platform.send(Outgoing.builder(
                        new OutgoingId("out-1"),
                        Address.of(Platform.SLACK, channel, Optional.of(root)),
                        "**bold** <!channel> <@" + ada + ">\n\n" + "word ".repeat(2_000),
                        Outgoing.Kind.REPLY,
                        gateway.now())
                .build());

        List<Shown> shown = slack.shown(channel);
        assertThat(shown).hasSizeGreaterThan(2).allSatisfy(each -> {
            assertThat(each.thread()).contains(root);
            assertThat(each.text().length()).isLessThanOrEqualTo(3_900);
        });
        assertThat(shown.get(0).text()).startsWith("*bold* &lt;!channel&gt; <@" + ada + ">");
    }

    @Test
    void whatMayHaveArrivedIsLookedForAndNotShownTwice() throws Exception {
        ChatPlatform platform = start();
        gateway.now(FakeGateway.NOW.plusSeconds(5));
        Outgoing message = message("out-1", "once");
        platform.send(message);
        slack.fail("chat.postMessage", 503);
        Outgoing second = message("out-2", "perhaps");
        assertThatThrownBy(() -> platform.send(second)).isNotInstanceOf(DeliveryFailed.class);
        platform.send(second);
        // Another process sends what was stored before it began.
        stop();
        gateway.now(FakeGateway.NOW.plusSeconds(60));
        ChatPlatform next = start();
        next.send(message);
        next.send(second);

        assertThat(texts(direct)).containsExactly("once", "perhaps");
    }

    @Test
    void aPauseThatSlackAsksForHoldsForEverythingThatIsPosted() throws Exception {
        ChatPlatform platform = start();
        slack.limit("chat.postMessage", Duration.ofSeconds(35));

        assertThatThrownBy(() -> platform.send(message("out-1", "too soon")))
                .isInstanceOfSatisfying(DeliveryFailed.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(DeliveryFailed.Kind.RATE_LIMITED);
                    assertThat(failure.retryAfter()).contains(Duration.ofSeconds(35));
                });
        gateway.now(FakeGateway.NOW.plusSeconds(34));
        assertThatThrownBy(() -> platform.send(message("out-2", "too soon"))).isInstanceOf(DeliveryFailed.class);
        assertThat(slack.calls("chat.postMessage")).hasSize(1);
        gateway.now(FakeGateway.NOW.plusSeconds(35));
        platform.send(message("out-1", "now"));
        assertThat(texts(direct)).containsExactly("now");
    }

    @Test
    void aPauseThatSlackAsksForHoldsForWhatIsLookedUpBeforeItIsPostedToo() throws Exception {
        ChatPlatform platform = start();
        String other = slack.directChat(slack.person("bob"));
        slack.limit("conversations.history", Duration.ofSeconds(35));
        long asked = lookUps();

        assertThatThrownBy(() -> platform.send(message("out-1", "too soon"))).isInstanceOf(DeliveryFailed.class);
        assertThatThrownBy(() -> platform.send(message("out-2", "too soon", other)))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class,
                        failure -> assertThat(failure.retryAfter()).contains(Duration.ofSeconds(35)));
        assertThat(lookUps()).isEqualTo(asked + 1);
        gateway.now(FakeGateway.NOW.plusSeconds(35));
        platform.send(message("out-1", "now"));
        assertThat(texts(direct)).containsExactly("now");
    }

    /** Returns how often it was looked up what was posted; a chat is caught up with beside that, without its metadata. */
    private long lookUps() {
        return slack.calls("conversations.history").stream()
                .filter(call -> call.arguments().has("include_all_metadata"))
                .count();
    }

    @Test
    void failuresThatNothingMendsAreToldFromThoseThatPass() throws Exception {
        ChatPlatform platform = start();

        for (Map.Entry<String, DeliveryFailed.Kind> each : Map.of(
                        "channel_not_found", DeliveryFailed.Kind.CHAT_GONE,
                        "not_in_channel", DeliveryFailed.Kind.FORBIDDEN,
                        "msg_too_long", DeliveryFailed.Kind.REJECTED,
                        "token_revoked", DeliveryFailed.Kind.UNAUTHORIZED,
                        "service_unavailable", DeliveryFailed.Kind.AWAY)
                .entrySet()) {
            slack.fail("chat.postMessage", each.getKey());
            assertThatThrownBy(() -> platform.send(message("out-1", "no")))
                    .isInstanceOfSatisfying(
                            DeliveryFailed.class,
                            failure -> assertThat(failure.kind()).isEqualTo(each.getValue()));
        }
        slack.fail("chat.postMessage", "internal_error");
        assertThatThrownBy(() -> platform.send(message("out-1", "perhaps"))).isNotInstanceOf(DeliveryFailed.class);
    }

    @Test
    void aQuestionHasButtonsAndThePressOfOneIsItsAnswer() throws Exception {
        ChatPlatform platform = start();
        String root = slack.write(channel, ada, "<@" + FakeSlack.BOT_USER + "> ask me");
        received(1);
        Outgoing question = Outgoing.builder(
                        new OutgoingId("out-1"),
                        Address.of(Platform.SLACK, channel, Optional.of(root)),
                        "May I?",
                        Outgoing.Kind.REPLY,
                        gateway.now())
                .build();
        platform.as(Asking.class)
                .orElseThrow()
                .ask(question, List.of(new Asking.Choice("once", "Yes, once"), new Asking.Choice("deny", "No")));
        Shown shown = slack.shown(channel).get(0);
        assertThat(shown.buttons()).containsExactly("once", "deny");
        slack.press(channel, ada, shown.ts(), "once");
        until("it is handed in", () -> gateway.happened().size() == 1);

        assertThat((Object) gateway.happened().get(0).event()).isEqualTo(new ChatEvent.Pressed(shown.ts(), "once"));
        assertThat(KEYS.keyOf(gateway.happened().get(0).source()).value())
                .isEqualTo("agent:main:slack:channel:" + channel + ":" + root);
        settled();
        platform.as(Editing.class).orElseThrow().edit(question.to(), shown.ts(), "May I? Yes, once.");
        assertThat(slack.shown(channel).get(0).buttons()).isEmpty();
        assertThat(texts(channel)).containsExactly("May I? Yes, once.");
    }

    @Test
    void anAnswerTakesThePlaceOfItsPreview() throws Exception {
        ChatPlatform platform = start();
        Previewing previews = platform.as(Previewing.class).orElseThrow();
        Address to = Address.of(Platform.SLACK, direct);
        String shown = previews.preview(
                        new Previewing.Preview(new TurnId("turn-1"), to, Optional.empty(), Optional.empty(), "I thi"))
                .orElseThrow();
        previews.preview(
                new Previewing.Preview(new TurnId("turn-1"), to, Optional.empty(), Optional.of(shown), "I think so"));
        assertThat(texts(direct)).containsExactly("I think so");
        platform.send(
                message("out-1", "I think so.").toBuilder().replaces(shown).build());
        platform.send(
                message("out-2", "And more").toBuilder().replaces("1.000001").build());

        assertThat(texts(direct)).containsExactly("I think so.", "And more");
    }

    private static Previewing.Preview preview(String turn, Address to, String text) {
        return new Previewing.Preview(new TurnId(turn), to, Optional.empty(), Optional.empty(), text);
    }

    private ChatPlatform startedAgain(Duration later) throws Exception {
        stop();
        gateway.now(gateway.now().plus(later));
        return start();
    }

    @Test
    void anAnswerTakesThePlaceOfAPreviewWhoseIdACrashKeptFromBeingStored() throws Exception {
        ChatPlatform platform = start();
        Address to = Address.of(Platform.SLACK, direct);
        platform.as(Previewing.class).orElseThrow().preview(preview("turn-1", to, "m17"));
        Outgoing answer =
                message("out-1", "m17").toBuilder().turn(new TurnId("turn-1")).build();
        startedAgain(Duration.ofMinutes(1)).send(answer);
        assertThat(texts(direct)).containsExactly("m17");
        // What took the place of a preview is found as any other message.
        startedAgain(Duration.ofMinutes(1)).send(answer);
        startedAgain(Duration.ofMinutes(1)).send(message("out-2", "m18"));

        assertThat(texts(direct)).containsExactly("m17", "m18");
    }

    @Test
    void aPreviewThatACrashCutOffIsTakenAwayBeforeAnythingElseIsShownThere() throws Exception {
        Address to = Address.of(Platform.SLACK, direct);
        String root = slack.write(channel, ada, "a root");
        Address thread = Address.of(Platform.SLACK, channel, Optional.of(root));
        Previewing platform = start().as(Previewing.class).orElseThrow();
        platform.preview(preview("turn-1", to, "so"));
        platform.preview(preview("turn-2", thread, "thus"));
        ChatPlatform next = startedAgain(Duration.ofHours(1));
        Previewing previews = next.as(Previewing.class).orElseThrow();
        String shown = previews.preview(preview("turn-3", to, "so I thi")).orElseThrow();
        next.send(Outgoing.builder(new OutgoingId("out-1"), thread, "thus I think", Outgoing.Kind.REPLY, gateway.now())
                .build());
        // A preview of this life stays.
        next.send(message("out-2", "a notice"));
        assertThat(texts(direct)).containsExactly("so I thi", "a notice");
        assertThat(texts(channel)).containsExactly("thus I think");
        next.send(message("out-3", "so I think").toBuilder().replaces(shown).build());

        assertThat(texts(direct)).containsExactly("so I think", "a notice");
    }

    @Test
    void anAnswerFindsThePreviewOfWhichItWasNotToldInTime() throws Exception {
        ChatPlatform platform = start();
        platform.as(Previewing.class)
                .orElseThrow()
                .preview(preview("turn-1", Address.of(Platform.SLACK, direct), "slow"));
        platform.send(message("out-1", "slowly").toBuilder()
                .turn(new TurnId("turn-1"))
                .build());

        assertThat(texts(direct)).containsExactly("slowly");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerTakesNoPlaceThatALateChangeCouldTakeFromIt(boolean named) throws Exception {
        ChatPlatform platform = start();
        Address to = Address.of(Platform.SLACK, direct);
        Previewing previews = platform.as(Previewing.class).orElseThrow();
        String shown = previews.preview(preview("turn-1", to, "slow")).orElseThrow();
        slack.fail("chat.update", 503);
        assertThatThrownBy(() -> previews.preview(new Previewing.Preview(
                        new TurnId("turn-1"), to, Optional.empty(), Optional.of(shown), "slow and")))
                .isNotInstanceOf(DeliveryFailed.class);
        platform.send(message("out-1", "slowly").toBuilder()
                .turn(new TurnId("turn-1"))
                .replaces(named ? shown : null)
                .build());

        assertThat(texts(direct)).containsExactly("slowly");
        assertThat(slack.shown(direct).get(0).ts()).isNotEqualTo(shown);
    }

    @Test
    void filesAreSharedInTheThread() throws Exception {
        ChatPlatform platform = start();
        Path file = Files.writeString(home.resolve("report.txt"), "all is well");
        platform.send(message("out-1", "the report").toBuilder()
                .attachments(List.of(new Attachment(
                        "document", file.toString(), Optional.of("report.txt"), Optional.of("text/plain"))))
                .build());

        List<Shown> shown = slack.shown(direct);
        assertThat(shown).hasSize(2);
        assertThat(shown.get(1).files()).containsExactly("report.txt");
        assertThat(new String(
                        slack.fileContent(shown.get(1)
                                .message()
                                .path("files")
                                .path(0)
                                .path("id")
                                .asText()),
                        StandardCharsets.UTF_8))
                .isEqualTo("all is well");
    }

    @Test
    void aMarkTakesThePlaceOfTheOneBefore() throws Exception {
        ChatPlatform platform = start();
        String ts = slack.write(direct, ada, "work");
        Reacting reacting = platform.as(Reacting.class).orElseThrow();
        Address where = Address.of(Platform.SLACK, direct);
        reacting.react(where, ts, Reacting.Mark.RECEIVED);
        assertThat(slack.reactions(direct, ts)).containsExactly("eyes");
        reacting.react(where, ts, Reacting.Mark.DONE);
        assertThat(slack.reactions(direct, ts)).containsExactly("white_check_mark");
        reacting.react(where, ts, Reacting.Mark.NONE);
        assertThat(slack.reactions(direct, ts)).isEmpty();
    }

    // starting and stopping

    @Test
    void wrongTokensStopTheStartWithALineThatDoesNotShowThem() {
        for (Map<String, String> wrong : List.of(
                Map.of("SLACK_BOT_TOKEN", "xoxb-another-secret", "SLACK_APP_TOKEN", SlackTesting.APP_TOKEN),
                Map.of("SLACK_BOT_TOKEN", SlackTesting.BOT_TOKEN, "SLACK_APP_TOKEN", "xapp-another-secret"))) {
            ChatPlatform platform = new SlackProvider()
                    .create(gateway.settings(
                            home, Map.of("base_url", slack.address().toString()), wrong));
            assertThatThrownBy(() -> platform.start(gateway))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("SLACK_")
                    .hasMessageNotContaining("another-secret");
        }
    }

    @Test
    void aWorkspaceThatIsAwayAtTheStartIsReachedLater() throws Exception {
        slack.stop();
        ChatPlatform platform = made(Map.of());
        started = Optional.of(platform);
        platform.start(gateway);
        until(
                "it says so",
                () -> platform.as(Diagnosing.class).orElseThrow().ailment().isPresent());
        slack.start();
        until("it is connected", () -> gateway.connections().equals(List.of("connected")));
        slack.write(direct, ada, "at last");

        assertThat(received(1).text()).isEqualTo("at last");
        assertThat(platform.as(Diagnosing.class).orElseThrow().ailment()).isEmpty();
        assertThat(gateway.warnings()).noneMatch(line -> line.contains("secret") || line.contains("ticket"));
    }

    @Test
    void tokensThatAreTakenAwayAreToldWithWhatToDo() throws Exception {
        ChatPlatform platform = start();
        slack.revoke();
        slack.dropConnections();
        until(
                "it says so",
                () -> platform.as(Diagnosing.class).orElseThrow().ailment().isPresent());

        assertThat(platform.as(Diagnosing.class)
                        .orElseThrow()
                        .ailment()
                        .orElseThrow()
                        .advice())
                .contains("tokens");
        assertThatThrownBy(() -> platform.send(message("out-1", "hello?")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class,
                        failure -> assertThat(failure.kind()).isEqualTo(DeliveryFailed.Kind.UNAUTHORIZED));
    }
}
