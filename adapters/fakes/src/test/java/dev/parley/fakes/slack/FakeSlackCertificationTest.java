package dev.parley.fakes.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.methods.MethodsClient;
import com.slack.api.methods.SlackApiException;
import com.slack.api.methods.response.chat.ChatPostMessageResponse;
import com.slack.api.methods.response.conversations.ConversationsHistoryResponse;
import com.slack.api.model.ConversationType;
import com.slack.api.model.Message;
import com.slack.api.socket_mode.SocketModeClient;
import com.slack.api.socket_mode.response.AckResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slack's own client finds in the fake what it expects, over the Web API and over Socket Mode. */
class FakeSlackCertificationTest {
    private static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");
    private static final String BOT_TOKEN = "xoxb-certified";
    private static final String APP_TOKEN = "xapp-certified";

    @TempDir
    private Path directory;

    private volatile Instant now = NOW;
    private final FakeSlack fake = new FakeSlack(BOT_TOKEN, APP_TOKEN, () -> now);
    private final String ada = fake.person("ada");
    private final String channel = fake.channel("team", ada);
    private final Slack slack = Slack.getInstance(config());

    private SlackConfig config() {
        SlackConfig config = new SlackConfig();
        config.setMethodsEndpointUrlPrefix(fake.address().toString());
        return config;
    }

    @AfterEach
    void close() throws Exception {
        slack.close();
        fake.close();
    }

    private MethodsClient methods() {
        return slack.methods(BOT_TOKEN);
    }

    private static void until(BooleanSupplier holds) throws InterruptedException {
        Object nobody = new Object();
        while (!holds.getAsBoolean()) {
            synchronized (nobody) {
                nobody.wait(5);
            }
        }
    }

    @Test
    void theBotIsWhoItsTokenSaysAndNobodyElse() throws Exception {
        assertThat(methods().authTest(r -> r).getUserId()).isEqualTo(FakeSlack.BOT_USER);
        assertThat(slack.methods("xoxb-another").authTest(r -> r).getError()).isEqualTo("invalid_auth");
        assertThat(methods().appsConnectionsOpen(r -> r.token(BOT_TOKEN)).getError())
                .isEqualTo("not_allowed_token_type");
    }

    @Test
    void messagesArePostedInThreadsChangedAndFoundInTheHistoryWithTheirMetadata() throws Exception {
        String root = fake.write(channel, ada, "hello");
        ChatPostMessageResponse posted = methods()
                .chatPostMessage(r -> r.channel(channel)
                        .text("hi")
                        .threadTs(root)
                        .metadata(Message.Metadata.builder()
                                .eventType("certified")
                                .eventPayload(Map.of("id", "7"))
                                .build()));
        methods().chatUpdate(r -> r.channel(channel).ts(posted.getTs()).text("hi there"));

        List<Message> replies = methods()
                .conversationsReplies(r -> r.channel(channel).ts(root).includeAllMetadata(true))
                .getMessages();
        assertThat(replies).extracting(Message::getText).containsExactly("hello", "hi there");
        assertThat(replies.get(1).getMetadata().getEventPayload()).containsEntry("id", "7");
        List<Message> history =
                methods().conversationsHistory(r -> r.channel(channel)).getMessages();
        assertThat(history).extracting(Message::getReplyCount).containsExactly(1);
        assertThat(fake.shown(channel))
                .singleElement()
                .satisfies(shown -> assertThat(shown.thread()).contains(root));
    }

    @Test
    void aHistoryIsReadPageByPage() throws Exception {
        for (int i = 0; i < 5; i++) {
            fake.write(channel, ada, "m" + i);
        }
        ConversationsHistoryResponse first =
                methods().conversationsHistory(r -> r.channel(channel).limit(3));
        ConversationsHistoryResponse second = methods()
                .conversationsHistory(r -> r.channel(channel)
                        .limit(3)
                        .cursor(first.getResponseMetadata().getNextCursor()));

        assertThat(first.getMessages()).extracting(Message::getText).containsExactly("m4", "m3", "m2");
        assertThat(second.getMessages()).extracting(Message::getText).containsExactly("m1", "m0");
        assertThat(second.isHasMore()).isFalse();
    }

    @Test
    void conversationsAndPeopleAreDescribed() throws Exception {
        fake.directChat(ada);
        fake.group(ada);

        assertThat(methods()
                        .usersConversations(r -> r.types(List.of(ConversationType.PUBLIC_CHANNEL, ConversationType.IM)))
                        .getChannels())
                .hasSize(2);
        assertThat(methods()
                        .conversationsInfo(r -> r.channel(channel))
                        .getChannel()
                        .getName())
                .isEqualTo("team");
        assertThat(methods().usersInfo(r -> r.user(ada)).getUser().getProfile().getDisplayName())
                .isEqualTo("Ada");
        assertThat(methods().conversationsInfo(r -> r.channel("C404")).getError())
                .isEqualTo("channel_not_found");
    }

    @Test
    void aFileIsUploadedAndShared() throws Exception {
        Path file = Files.writeString(directory.resolve("report.txt"), "all is well");
        assertThat(methods()
                        .filesUploadV2(r -> r.file(file.toFile())
                                .filename("report.txt")
                                .title("report.txt")
                                .channel(channel))
                        .isOk())
                .isTrue();

        Shown shown = fake.shown(channel).get(0);
        assertThat(new String(
                        fake.fileContent(
                                shown.message().path("files").path(0).path("id").asText()),
                        StandardCharsets.UTF_8))
                .contains("all is well");
    }

    @Test
    void aLimitIsToldWithTheTimeToWait() {
        fake.limit("chat.postMessage", Duration.ofSeconds(35));

        assertThatThrownBy(
                        () -> methods().chatPostMessage(r -> r.channel(channel).text("hi")))
                .isInstanceOf(SlackApiException.class)
                .hasMessageContaining("429");
        assertThat(fake.calls("chat.postMessage")).hasSize(1);
    }

    @Test
    void eventsComeByAConnectionAndAgainUntilTheyAreAcknowledged() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        CompletableFuture<Boolean> second = new CompletableFuture<>();
        try (SocketModeClient client = slack.socketMode(APP_TOKEN, SocketModeClient.Backend.JavaWebSocket)) {
            client.addEventsApiEnvelopeListener(envelope -> {
                told.add(envelope.getPayload()
                        .getAsJsonObject()
                        .getAsJsonObject("event")
                        .get("text")
                        .getAsString());
                if (envelope.getRetryAttempt() != null && envelope.getRetryAttempt() > 0) {
                    client.sendSocketModeResponse(AckResponse.builder()
                            .envelopeId(envelope.getEnvelopeId())
                            .build());
                    second.complete(true);
                }
            });
            client.connect();
            until(() -> fake.connections() == 1);
            fake.write(channel, ada, "hello");
            assertThat(fake.unread()).isEqualTo(1);
            now = NOW.plusSeconds(4);
            second.get(60, TimeUnit.SECONDS);
            until(() -> fake.unread() == 0);
        }

        assertThat(told).containsExactly("hello", "hello");
    }

    @Test
    void aButtonAndASlashCommandComeAsWorkOfTheirOwn() throws Exception {
        CompletableFuture<String> pressed = new CompletableFuture<>();
        CompletableFuture<String> given = new CompletableFuture<>();
        try (SocketModeClient client = slack.socketMode(APP_TOKEN, SocketModeClient.Backend.JavaWebSocket)) {
            client.addInteractiveEnvelopeListener(envelope -> pressed.complete(envelope.getPayload()
                    .getAsJsonObject()
                    .getAsJsonArray("actions")
                    .get(0)
                    .getAsJsonObject()
                    .get("value")
                    .getAsString()));
            client.addSlashCommandsEnvelopeListener(envelope -> given.complete(
                    envelope.getPayload().getAsJsonObject().get("text").getAsString()));
            client.connect();
            until(() -> fake.connections() == 1);
            ChatPostMessageResponse posted = methods()
                    .chatPostMessage(
                            r -> r.channel(channel)
                                    .text("May I?")
                                    .blocksAsString(
                                            "[{\"type\":\"actions\",\"elements\":[{\"type\":\"button\",\"action_id\":\"a\",\"value\":\"yes\"}]}]"));
            fake.press(channel, ada, posted.getTs(), "yes");
            fake.command(channel, ada, "/parley", "new");

            assertThat(pressed.get(60, TimeUnit.SECONDS)).isEqualTo("yes");
            assertThat(given.get(60, TimeUnit.SECONDS)).isEqualTo("new");
        }
    }
}
