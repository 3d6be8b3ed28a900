package dev.parley.adapter.discord;

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
import dev.parley.application.ability.Typing;
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
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.TurnId;
import dev.parley.fakes.discord.FakeDiscord;
import dev.parley.fakes.discord.Shown;
import dev.parley.fakes.gateway.FakeGateway;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Discord bot over a fake Discord, before a fake gateway. */
class DiscordPlatformTest {
    private static final KeyRules KEYS = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String BOT = "<@" + FakeDiscord.BOT + ">";
    private static final String POST = "POST /channels/{id}/messages";
    private static final String READ = "GET /channels/{id}/messages";

    @TempDir
    private Path home;

    private final FakeGateway gateway = DiscordTesting.gateway();
    private final FakeDiscord discord = new FakeDiscord(DiscordTesting.TOKEN, gateway::now);
    private String ada = "";
    private String direct = "";
    private String guild = "";
    private String channel = "";
    private Optional<ChatPlatform> started = Optional.empty();

    @BeforeEach
    void aGuild() {
        ada = discord.person("ada");
        direct = discord.directChat(ada);
        guild = discord.guild("Parley");
        channel = discord.channel(guild, "general");
    }

    @AfterEach
    void close() {
        started.ifPresent(ChatPlatform::stop);
        discord.close();
        gateway.close();
    }

    private ChatPlatform start() throws Exception {
        return start(Map.of());
    }

    private ChatPlatform start(Map<String, String> values) throws Exception {
        ChatPlatform platform = DiscordTesting.platform(gateway, discord, home, values);
        started = Optional.of(platform);
        platform.start(gateway);
        until(
                "it is connected",
                () -> discord.connections() == 1 && !gateway.connections().isEmpty());
        return platform;
    }

    private ChatPlatform startedAgain(Duration later) throws Exception {
        stop();
        gateway.now(gateway.now().plus(later));
        return start();
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
        until("all is acknowledged", () -> discord.unread() == 0);
    }

    private Outgoing message(String id, String text) {
        return message(id, text, Address.of(Platform.DISCORD, direct));
    }

    private Outgoing message(String id, String text, Address to) {
        return Outgoing.builder(new OutgoingId(id), to, text, Outgoing.Kind.REPLY, gateway.now())
                .build();
    }

    private List<String> texts(String where) {
        return discord.shown(where).stream().map(Shown::text).toList();
    }

    // what is received

    @Test
    void eachPlaceHasItsKey() throws Exception {
        String forum = discord.forum(guild, "questions");
        start();

        discord.write(direct, ada, "one");
        assertThat(key(received(1))).isEqualTo("agent:main:discord:dm:" + direct);
        String said = discord.write(channel, ada, BOT + " two");
        assertThat(key(received(2))).isEqualTo("agent:main:discord:group:" + channel + ":" + ada);
        String thread = discord.threadFrom(channel, ada, "more", said);
        discord.write(thread, ada, BOT + " three");
        assertThat(key(received(3))).isEqualTo("agent:main:discord:group:" + channel + ":" + thread);
        String post = discord.post(forum, ada, "how?", BOT + " four");
        assertThat(key(received(4))).isEqualTo("agent:main:discord:group:" + forum + ":" + post);
        assertThat(gateway.texts()).containsExactly("one", "two", "three", "four");
        assertThat(gateway.received().get(0).source().userName()).contains("Ada");
        assertThat(gateway.received().get(1).source().chatName()).contains("Parley / #general");
        assertThat(gateway.received().get(1).source().scopeId()).contains(guild);
        assertThat(gateway.received().get(1).mentioned()).isTrue();
        assertThat(gateway.received().get(2).source().chatName()).contains("Parley / #general / more");
        assertThat(gateway.received().get(2).source().chatTopic()).contains("About general");
        assertThat(gateway.received().get(2).source().address().threadId()).contains(thread);
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
        discord.write(direct, ada, "one");
        assertThat(received(1).text()).isEqualTo("one");
    }

    @Test
    void whatDoesNotNameTheBotIsSettledAndNotHandedIn() throws Exception {
        String bob = discord.otherBot("bob");
        ChatPlatform platform = start();

        discord.write(channel, ada, "not for you");
        discord.write(channel, ada, "<@" + bob + "> nor this");
        discord.write(channel, bob, BOT + " I am a bot");
        discord.write(channel, ada, JSON.createObjectNode().put("type", 7).put("content", BOT + " joined"));
        platform.send(message("out-1", "hello", Address.of(Platform.DISCORD, channel)));
        discord.reply(channel, ada, "a reply", discord.shown(channel).get(0).id());
        discord.write(channel, ada, BOT + ": see <@" + ada + ">");
        received(2);
        settled();

        assertThat(gateway.texts()).containsExactly("a reply", "see <@" + ada + ">");
        assertThat(gateway.received().get(0).replyTo().orElseThrow().ours()).isTrue();
    }

    @Test
    void aThreadInWhichTheBotTakesPartNeedsNoMentionAndShowsWhatWasSaidBefore() throws Exception {
        String thread = discord.thread(channel, ada, "builds");
        discord.write(thread, ada, "the build is red");
        discord.write(thread, ada, "since noon");
        start();
        discord.write(thread, ada, "not for you");
        discord.write(thread, ada, BOT + " why?");
        received(1);
        settled();
        startedAgain(Duration.ofHours(1));
        discord.write(thread, ada, "go on");

        assertThat(received(2).text()).isEqualTo("go on");
        assertThat(gateway.received().get(0).context())
                .extracting(PrecedingMessage::text)
                .containsExactly("the build is red", "since noon", "not for you");
    }

    @Test
    void whoHasARoleMayTalk() throws Exception {
        start(Map.of("allow_roles", "77", "require_mention", "false"));
        ObjectNode event = JSON.createObjectNode()
                .put("id", "1574206010833240064")
                .put("channel_id", channel)
                .put("guild_id", guild)
                .put("type", 0)
                .put("content", "by right of a role");
        event.putObject("author").put("id", ada).put("username", "ada");
        event.putObject("member").putArray("roles").add("77");
        discord.event("MESSAGE_CREATE", event);

        assertThat(received(1).source().roleAuthorized()).isTrue();
    }

    @Test
    void whatCannotBeStoredIsToldAgainAfterACutAndHandedInBeforeWhatFollows() throws Exception {
        start();
        CompletableFuture<Boolean> full = new CompletableFuture<>();
        gateway.taking(message -> full.isDone()
                ? FakeGateway.admitted()
                : CompletableFuture.completedFuture(new Receipt.Unavailable("the disk is full")));
        discord.write(direct, ada, "one");
        discord.write(direct, ada, "two");
        received(2);
        assertThat(gateway.texts()).containsOnly("one");
        discord.dropConnections();
        until("the session is resumed", () -> discord.resumed() == 1);
        assertThat(discord.unread()).isEqualTo(2);
        full.complete(true);
        until("all is handed in", () -> gateway.texts().contains("two"));
        settled();

        assertThat(gateway.texts().indexOf("two")).isEqualTo(gateway.texts().size() - 1);
    }

    @Test
    void aSessionIsResumedInTheNextProcessSoThatAFirstDirectMessageIsNotLost() throws Exception {
        start();
        discord.write(direct, ada, "before");
        received(1);
        settled();
        stop();
        String bob = discord.person("bob");
        discord.write(discord.directChat(bob), bob, "we have never met");
        startedAgain(Duration.ofMinutes(1));
        until("it is handed in", () -> gateway.texts().contains("we have never met"));

        assertThat(discord.identified()).isEqualTo(1);
        assertThat(gateway.texts()).containsExactly("before", "we have never met");
    }

    @Test
    void whatWasWrittenWhileNobodyListenedIsReadInOrderOnce() throws Exception {
        String other = discord.channel(guild, "other");
        start();
        discord.write(direct, ada, "before");
        discord.write(channel, ada, BOT + " before too");
        received(2);
        settled();
        stop();
        gateway.now(gateway.now().plusSeconds(600));
        for (int i = 0; i < 150; i++) {
            discord.write(direct, ada, "m" + i);
        }
        discord.write(channel, ada, BOT + " in the channel");
        String thread = discord.thread(other, ada, "new");
        discord.write(thread, ada, BOT + " in a thread that is new");
        discord.endSessions();
        start();
        discord.write(direct, ada, "after");
        until(
                "all is handed in",
                () -> gateway.texts().contains("after")
                        && gateway.texts().contains("in the channel")
                        && gateway.texts().contains("in a thread that is new"));

        assertThat(discord.identified()).isEqualTo(2);
        assertThat(gateway.texts().stream().filter(text -> text.startsWith("m")))
                .hasSize(150)
                .startsWith("m0", "m1")
                .endsWith("m148", "m149");
        assertThat(gateway.texts().stream().filter(List.of("m149", "after")::contains))
                .containsExactly("m149", "after");
        assertThat(gateway.texts().stream().filter(text -> text.startsWith("in ")))
                .hasSize(2);
    }

    @Test
    void aBotThatMayNotReadHistoriesHearsWhatIsSaidNow() throws Exception {
        discord.fail(READ, 403, 50_001);
        start();
        discord.write(direct, ada, "now");

        assertThat(received(1).text()).isEqualTo("now");
        assertThat(gateway.warnings()).anyMatch(line -> line.contains("50001"));
    }

    @Test
    void connectionsThatBreakAreResumedAndSessionsThatAreForgottenBegunAnew() throws Exception {
        start();
        discord.write(direct, ada, "0");
        received(1);
        discord.dropConnections();
        discord.write(direct, ada, "1");
        received(2);
        discord.askToReconnect();
        until("it is resumed", () -> discord.resumed() == 2);
        discord.write(direct, ada, "2");
        received(3);
        discord.invalidate(true);
        until("it is resumed", () -> discord.resumed() == 3);
        assertThat(discord.identified()).isEqualTo(1);
        discord.invalidate(false);
        discord.write(direct, ada, "3");
        received(4);
        until("a session is begun", () -> discord.identified() == 2);
        discord.endSessions();
        discord.write(direct, ada, "4");
        received(5);

        assertThat(gateway.texts()).containsExactly("0", "1", "2", "3", "4");
    }

    @Test
    void theEndOfAConnectionMakesTheNextOneCountAsDeadNoSooner() throws Exception {
        Duration tick = Duration.ofSeconds(3);
        discord.heartbeats(tick);
        start();
        discord.dropConnections();
        until("it is resumed", () -> discord.resumed() > 0);
        long before = ticks(tick);
        until("time passes", () -> ticks(tick) > before + 10);

        assertThat(discord.resumed()).as("connections that count as dead").isLessThan(5);
    }

    private long ticks(Duration tick) {
        return gateway.delays().stream().filter(tick::equals).count();
    }

    @Test
    void aConnectionThatAnswersNoHeartbeatIsReplaced() throws Exception {
        discord.heartbeats(Duration.ofSeconds(2));
        start();
        discord.silent(true);
        until("it is noticed", () -> discord.resumed() > 0);
        discord.silent(false);
        discord.write(direct, ada, "still there?");

        assertThat(received(1).text()).isEqualTo("still there?");
    }

    @Test
    void anEditADeletionAndAReactionAreToldAsWhatHappened() throws Exception {
        start();
        String id = discord.write(direct, ada, "a questoin");
        received(1);
        discord.edit(direct, id, "a question");
        discord.react(direct, ada, id, "👍");
        discord.delete(direct, id);
        until("all is handed in", () -> gateway.happened().size() == 3);

        assertThat(gateway.happened().stream().map(each -> (Object) each.event()))
                .containsExactly(
                        new ChatEvent.Edited(id, "a question"),
                        new ChatEvent.Reacted(id, "👍", false),
                        new ChatEvent.Deleted(id));
        settled();
    }

    @Test
    void commandsComeBehindAnExclamationMarkAndFromTheMenu() throws Exception {
        ChatPlatform platform = start();
        platform.as(Menus.class)
                .orElseThrow()
                .menu(List.of(new Menus.Entry("start", "Does nothing"), new Menus.Entry("new", "Begins anew")));
        assertThat(discord.commands().findValuesAsText("name")).contains("new").doesNotContain("start");
        discord.write(direct, ada, "!new now");
        discord.write(direct, ada, "!important is no command");
        received(2);
        String interaction = discord.command(channel, ada, "new", "idea");
        assertThat(received(3).source().messageId()).contains(interaction);
        until("it is answered in time", () -> discord.isAnswered(interaction));
        platform.send(
                message("out-1", "Begun.", gateway.received().get(2).source().address()).toBuilder()
                        .replyTo(interaction)
                        .build());

        assertThat(gateway.texts()).containsExactly("/new now", "!important is no command", "/new idea");
        assertThat(texts(channel)).containsExactly("Begun.");
        assertThat(discord.calls(POST)).isEmpty();
        settled();
    }

    @Test
    void anAnswerToACommandTakesThePlaceOfWhatSaysThatOneComesAlthoughItIsShownWhileItIsWritten() throws Exception {
        ChatPlatform platform = start();
        Previewing previewing = platform.as(Previewing.class).orElseThrow();
        String interaction = discord.command(direct, ada, "retry", "");
        Address to = received(1).source().address();
        until("it is answered in time", () -> discord.isAnswered(interaction));
        Previewing.Preview half = preview("turn-1", to, interaction, "", "Once");

        assertThat(previewing.preview(half)).isEmpty();
        platform.send(message("out-1", "Once more.", to).toBuilder()
                .replyTo(interaction)
                .turn(new TurnId("turn-1"))
                .build());
        assertThat(texts(direct)).containsExactly("Once more.");
        assertThat(discord.calls(POST)).isEmpty();
        assertThat(previewing.preview(half)).as("the command is answered").isPresent();
    }

    @Test
    void aCommandThatIsRefusedIsNotAnswered() throws Exception {
        gateway.taking(message -> CompletableFuture.completedFuture(new Receipt.Refused("not you")));
        start();
        String interaction = discord.command(channel, ada, "new", "");
        received(1);
        settled();

        assertThat(discord.isAnswered(interaction)).isFalse();
    }

    @Test
    void malformedEventsAreSettledAndHoldNothingUp() throws Exception {
        start();
        discord.event("MESSAGE_CREATE", JSON.createObjectNode().put("channel_id", direct));
        discord.event(
                "MESSAGE_CREATE",
                JSON.createObjectNode()
                        .put("channel_id", direct)
                        .put("id", "yesterday")
                        .put("author", 7));
        discord.event("OF_THE_FUTURE", JSON.createObjectNode().put("id", 7));
        discord.event("GUILD_CREATE", JSON.createObjectNode().put("channels", "none"));
        discord.event(
                "INTERACTION_CREATE",
                JSON.createObjectNode().put("type", 2).put("id", "5").put("channel_id", direct));
        discord.write(direct, ada, "fine");
        until("it is handed in", () -> gateway.texts().contains("fine"));
        settled();

        assertThat(gateway.warnings()).anyMatch(line -> line.contains("was left out"));
    }

    @Test
    void absurdTimesAndIdsKeepNothingFromBeingReadLater() throws Exception {
        start();
        discord.write(direct, ada, "known");
        received(1);
        ObjectNode event = JSON.createObjectNode().put("content", "absurd").put("type", 0);
        event.putObject("author").put("id", ada).put("username", "ada");
        discord.event(
                "MESSAGE_CREATE", event.deepCopy().put("channel_id", direct).put("id", String.valueOf(Long.MAX_VALUE)));
        discord.event(
                "MESSAGE_CREATE",
                event.deepCopy().put("channel_id", "../../users/@me").put("id", "1400000000000000001"));
        ObjectNode endless = event.deepCopy().put("channel_id", direct).put("id", "1400000000000000002");
        endless.putObject("author").put("id", "9".repeat(100_000));
        discord.event("MESSAGE_CREATE", endless);
        settled();
        stop();
        discord.endSessions();
        discord.write(direct, ada, "meanwhile");
        start();

        until("it is read", () -> gateway.texts().contains("meanwhile"));
        assertThat(gateway.received())
                .allMatch(each -> each.source().userId().orElse("").length() < 100);
        assertThat(gateway.received()).noneMatch(each -> each.source().chatId().contains("users"));
    }

    @Test
    void filesAreFetchedFromDiscordAndFromNowhereElse() throws Exception {
        gateway.media(new KeptInMemory());
        ObjectNode message = JSON.createObjectNode().put("content", "look");
        message.putArray("attachments")
                .add(discord.file("cat.png", "image/png", "a picture".getBytes(StandardCharsets.UTF_8)))
                .add(JSON.createObjectNode()
                        .put("id", "9")
                        .put("filename", "trap.txt")
                        .put("content_type", "text/plain")
                        .put("url", "http://169.254.169.254/latest/meta-data"));
        start();
        discord.write(direct, ada, message);

        assertThat(received(1).attachments())
                .extracting(Attachment::kind, Attachment::location)
                .containsExactly(tuple("photo", "a picture"), tuple("document", ""));
        assertThat(gateway.warnings()).anyMatch(line -> line.contains("does not lie with Discord"));
    }

    // what is sent

    @Test
    void aLongAnswerIsCutStandsInItsThreadAndRefersToItsQuestion() throws Exception {
        ChatPlatform platform = start();
        String thread = discord.thread(channel, ada, "long");
        String asked = discord.write(thread, ada, BOT + " long?");
        Address to = received(1).source().address();
        platform.send(message("out-1", "**bold** @everyone <@" + ada + ">\n\n" + "word ".repeat(1_000), to).toBuilder()
                .replyTo(asked)
                .build());

        List<Shown> shown = discord.shown(thread);
        assertThat(shown).hasSizeGreaterThan(2);
        assertThat(shown).allSatisfy(each -> assertThat(each.text().length()).isLessThanOrEqualTo(2_000));
        assertThat(shown.get(0).text()).startsWith("**bold** @everyone <@" + ada + ">");
        assertThat(shown.get(0).replyTo()).contains(asked);
        assertThat(shown.get(1).replyTo()).isEmpty();
        assertThat(discord.calls(POST))
                .allSatisfy(
                        call -> assertThat(call.body().path("allowed_mentions").path("parse"))
                                .hasSize(1)
                                .allSatisfy(each -> assertThat(each.asText()).isEqualTo("users")));
    }

    @Test
    void whatMayHaveArrivedIsFoldedWithinMinutesAndLookedForLater() throws Exception {
        ChatPlatform platform = start();
        gateway.now(FakeGateway.NOW.plusSeconds(5));
        Outgoing message = message("out-1", "once");
        platform.send(message);
        platform.send(message);
        assertThat(texts(direct)).containsExactly("once");
        Outgoing second = message("out-2", "perhaps");
        discord.fail(POST, 503);
        assertThatThrownBy(() -> platform.send(second)).isNotInstanceOf(DeliveryFailed.class);
        platform.send(second);
        // Another process sends what was stored before it began, when no nonce is remembered any more.
        ChatPlatform next = startedAgain(Duration.ofMinutes(10));
        next.send(message);
        next.send(second);
        // What is equal and answers something else is another message.
        String asked = discord.write(direct, ada, "and?");
        received(1);
        next.send(message("out-3", "once").toBuilder().replyTo(asked).build());

        assertThat(texts(direct)).containsExactly("once", "perhaps", "once");
    }

    @Test
    void aPauseThatDiscordAsksForHoldsForItsKindOfCallOrForEverything() throws Exception {
        ChatPlatform platform = start();
        discord.limit(POST, Duration.ofMillis(35_500));

        assertThatThrownBy(() -> platform.send(message("out-1", "too soon")))
                .isInstanceOfSatisfying(DeliveryFailed.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(DeliveryFailed.Kind.RATE_LIMITED);
                    assertThat(failure.retryAfter()).contains(Duration.ofMillis(35_500));
                });
        gateway.now(FakeGateway.NOW.plusSeconds(35));
        assertThatThrownBy(() -> platform.send(message("out-1", "too soon"))).isInstanceOf(DeliveryFailed.class);
        // Another channel has a limit of its own.
        platform.send(message("out-2", "elsewhere", Address.of(Platform.DISCORD, channel)));
        assertThat(discord.calls(POST)).hasSize(2);
        gateway.now(FakeGateway.NOW.plusSeconds(36));
        discord.limitAll(POST, Duration.ofSeconds(10));
        assertThatThrownBy(() -> platform.send(message("out-1", "too soon"))).isInstanceOf(DeliveryFailed.class);
        assertThatThrownBy(() -> platform.send(message("out-3", "no", Address.of(Platform.DISCORD, channel))))
                .isInstanceOf(DeliveryFailed.class);
        assertThat(discord.calls(POST)).hasSize(3);
        gateway.now(FakeGateway.NOW.plusSeconds(46));
        platform.send(message("out-1", "now"));

        assertThat(texts(direct)).containsExactly("now");
    }

    @Test
    void aLimitThatHeadersAnnounceIsNotRunInto() throws Exception {
        discord.keepLimits();
        ChatPlatform platform = start();
        for (int i = 0; i < 5; i++) {
            platform.send(message("out-" + i, "m" + i));
        }

        assertThatThrownBy(() -> platform.send(message("out-5", "m5")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class,
                        failure -> assertThat(failure.retryAfter()).contains(Duration.ofSeconds(5)));
        assertThat(discord.calls(POST)).hasSize(5);
    }

    @Test
    void failuresThatNothingMendsAreToldFromThoseThatPass() throws Exception {
        ChatPlatform platform = start();

        record Case(int status, int code, DeliveryFailed.Kind kind) {}
        for (Case each : List.of(
                new Case(404, 10_003, DeliveryFailed.Kind.CHAT_GONE),
                new Case(403, 50_007, DeliveryFailed.Kind.FORBIDDEN),
                new Case(400, 50_035, DeliveryFailed.Kind.REJECTED),
                new Case(401, 0, DeliveryFailed.Kind.UNAUTHORIZED))) {
            discord.fail(POST, each.status(), each.code());
            assertThatThrownBy(() -> platform.send(message("out-1", "no")))
                    .isInstanceOfSatisfying(
                            DeliveryFailed.class,
                            failure -> assertThat(failure.kind()).isEqualTo(each.kind()));
        }
        discord.fail(POST, 404);
        assertThatThrownBy(() -> platform.send(message("out-1", "away")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class,
                        failure -> assertThat(failure.kind()).isEqualTo(DeliveryFailed.Kind.AWAY));
        discord.fail(POST, 502);
        assertThatThrownBy(() -> platform.send(message("out-1", "perhaps"))).isNotInstanceOf(DeliveryFailed.class);
    }

    @Test
    void aQuestionHasButtonsAndThePressOfOneIsItsAnswer() throws Exception {
        ChatPlatform platform = start();
        discord.write(channel, ada, BOT + " ask me");
        Outgoing question = message("out-1", "May I?", received(1).source().address());
        platform.as(Asking.class)
                .orElseThrow()
                .ask(question, List.of(new Asking.Choice("once", "Yes, once"), new Asking.Choice("deny", "No")));
        Shown shown = discord.shown(channel).get(0);
        assertThat(shown.buttons()).containsExactly("parley:once", "parley:deny");
        discord.press(channel, ada, shown.id(), "parley:once");
        until("it is handed in", () -> gateway.happened().size() == 1);

        assertThat((Object) gateway.happened().get(0).event()).isEqualTo(new ChatEvent.Pressed(shown.id(), "once"));
        assertThat(KEYS.keyOf(gateway.happened().get(0).source()).value())
                .isEqualTo("agent:main:discord:group:" + channel + ":" + ada);
        settled();
        platform.as(Editing.class).orElseThrow().edit(question.to(), shown.id(), "May I? Yes, once.");
        assertThat(discord.shown(channel).get(0).buttons()).isEmpty();
        assertThat(texts(channel)).containsExactly("May I? Yes, once.");
    }

    private static Previewing.Preview preview(String turn, Address to, String replyTo, String shown, String text) {
        return new Previewing.Preview(
                new TurnId(turn),
                to,
                Optional.of(replyTo).filter(id -> !id.isEmpty()),
                Optional.of(shown).filter(id -> !id.isEmpty()),
                text);
    }

    @Test
    void anAnswerTakesThePlaceOfItsPreview() throws Exception {
        ChatPlatform platform = start();
        Previewing previews = platform.as(Previewing.class).orElseThrow();
        Address to = Address.of(Platform.DISCORD, direct);
        String shown = previews.preview(preview("turn-1", to, "", "", "I thi")).orElseThrow();
        previews.preview(preview("turn-1", to, "", shown, "I think so"));
        assertThat(texts(direct)).containsExactly("I think so");
        platform.send(
                message("out-1", "I think so.").toBuilder().replaces(shown).build());
        platform.send(message("out-2", "And more").toBuilder().replaces("7").build());

        assertThat(texts(direct)).containsExactly("I think so.", "And more");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerTakesNoPlaceThatALateChangeCouldTakeFromIt(boolean named) throws Exception {
        ChatPlatform platform = start();
        Previewing previews = platform.as(Previewing.class).orElseThrow();
        Address to = Address.of(Platform.DISCORD, direct);
        String shown = previews.preview(preview("turn-1", to, "", "", "slow")).orElseThrow();
        discord.fail("PATCH /channels/{id}/messages/{id}", 502);
        assertThatThrownBy(() -> previews.preview(preview("turn-1", to, "", shown, "slow and")))
                .isNotInstanceOf(DeliveryFailed.class);
        platform.send(message("out-1", "slowly").toBuilder()
                .turn(new TurnId("turn-1"))
                .replaces(named ? shown : null)
                .build());

        assertThat(texts(direct)).containsExactly("slowly");
        assertThat(discord.shown(direct).get(0).id()).isNotEqualTo(shown);
    }

    @Test
    void aPreviewThatACrashCutOffBecomesItsAnswerOrIsTakenAway() throws Exception {
        ChatPlatform platform = start();
        Address to = Address.of(Platform.DISCORD, direct);
        String first = discord.write(direct, ada, "first?");
        String second = discord.write(direct, ada, "second?");
        received(2);
        Previewing previews = platform.as(Previewing.class).orElseThrow();
        previews.preview(preview("turn-1", to, first, "", "m17"));
        previews.preview(preview("turn-2", to, second, "", "never whole"));
        Outgoing answer = message("out-1", "m17").toBuilder()
                .turn(new TurnId("turn-1"))
                .replyTo(first)
                .build();
        ChatPlatform next = startedAgain(Duration.ofMinutes(10));
        next.send(answer);
        assertThat(texts(direct)).containsExactly("m17", "never whole");
        next.send(message("out-2", "something else"));
        // What took the place of a preview is found as any other message.
        startedAgain(Duration.ofMinutes(10)).send(answer);

        assertThat(texts(direct)).containsExactly("m17", "something else");
    }

    @Test
    void filesAreSentAsFilesOnce() throws Exception {
        ChatPlatform platform = start();
        Path file = Files.writeString(home.resolve("report.txt"), "all is well");
        Outgoing message = message("out-1", "the report").toBuilder()
                .attachments(List.of(new Attachment(
                        "document", file.toString(), Optional.of("report.txt"), Optional.of("text/plain"))))
                .build();
        platform.send(message);
        startedAgain(Duration.ofMinutes(10)).send(message);

        List<Shown> shown = discord.shown(direct);
        assertThat(shown).hasSize(2);
        assertThat(shown.get(1).files()).containsExactly("report.txt");
        assertThat(new String(
                        discord.fileContent(shown.get(1)
                                .message()
                                .path("attachments")
                                .path(0)
                                .path("id")
                                .asText()),
                        StandardCharsets.UTF_8))
                .isEqualTo("all is well");
    }

    @Test
    void aMarkTakesThePlaceOfTheOneBeforeAndTypingIsShown() throws Exception {
        ChatPlatform platform = start();
        String id = discord.write(direct, ada, "work");
        Reacting reacting = platform.as(Reacting.class).orElseThrow();
        Address where = Address.of(Platform.DISCORD, direct);
        platform.as(Typing.class).orElseThrow().typing(where, true);
        reacting.react(where, id, Reacting.Mark.RECEIVED);
        assertThat(discord.reactions(direct, id)).containsExactly("👀");
        reacting.react(where, id, Reacting.Mark.DONE);
        assertThat(discord.reactions(direct, id)).containsExactly("✅");
        reacting.react(where, id, Reacting.Mark.NONE);
        assertThat(discord.reactions(direct, id)).isEmpty();
        assertThat(discord.calls("POST /channels/{id}/typing")).hasSize(1);
    }

    // starting and stopping

    @Test
    void aWrongTokenAndAMissingIntentStopTheStartWithALine() {
        ChatPlatform wrong = new DiscordProvider()
                .create(gateway.settings(
                        home,
                        Map.of("base_url", discord.address().toString()),
                        Map.of("DISCORD_BOT_TOKEN", "another-secret")));
        assertThatThrownBy(() -> wrong.start(gateway))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("DISCORD_BOT_TOKEN")
                .hasMessageNotContaining("another-secret");
        discord.refuseIntents(1 << 15);
        ChatPlatform refused = DiscordTesting.platform(gateway, discord, home, Map.of());
        assertThatThrownBy(() -> refused.start(gateway))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("Message Content Intent");
    }

    @Test
    void aDiscordThatIsAwayAtTheStartIsReachedLater() throws Exception {
        discord.stop();
        ChatPlatform platform = DiscordTesting.platform(gateway, discord, home, Map.of());
        started = Optional.of(platform);
        platform.start(gateway);
        until(
                "it says so",
                () -> platform.as(Diagnosing.class).orElseThrow().ailment().isPresent());
        discord.start();
        until("it is connected", () -> gateway.connections().equals(List.of("connected")));
        discord.write(direct, ada, "at last");

        assertThat(received(1).text()).isEqualTo("at last");
        assertThat(platform.as(Diagnosing.class).orElseThrow().ailment()).isEmpty();
        assertThat(gateway.warnings()).noneMatch(line -> line.contains("secret"));
    }

    @Test
    void aTokenThatIsTakenAwayIsToldWithWhatToDo() throws Exception {
        ChatPlatform platform = start();
        discord.revoke();
        discord.dropConnections();
        until(
                "it says so",
                () -> platform.as(Diagnosing.class)
                        .orElseThrow()
                        .ailment()
                        .filter(ailment -> ailment.advice().contains("token"))
                        .isPresent());

        assertThatThrownBy(() -> platform.send(message("out-1", "hello?")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class,
                        failure -> assertThat(failure.kind()).isEqualTo(DeliveryFailed.Kind.UNAUTHORIZED));
    }
}
