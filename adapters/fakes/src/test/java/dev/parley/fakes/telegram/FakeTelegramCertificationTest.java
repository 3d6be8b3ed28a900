package dev.parley.fakes.telegram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.pengrad.telegrambot.TelegramBot;
import com.pengrad.telegrambot.model.Update;
import com.pengrad.telegrambot.model.request.InlineKeyboardButton;
import com.pengrad.telegrambot.model.request.InlineKeyboardMarkup;
import com.pengrad.telegrambot.request.AnswerCallbackQuery;
import com.pengrad.telegrambot.request.DeleteWebhook;
import com.pengrad.telegrambot.request.EditMessageText;
import com.pengrad.telegrambot.request.GetFile;
import com.pengrad.telegrambot.request.GetMe;
import com.pengrad.telegrambot.request.GetUpdates;
import com.pengrad.telegrambot.request.SendDocument;
import com.pengrad.telegrambot.request.SendMessage;
import com.pengrad.telegrambot.request.SetWebhook;
import com.pengrad.telegrambot.response.BaseResponse;
import com.pengrad.telegrambot.response.SendResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.telegram.telegrambots.client.okhttp.OkHttpTelegramClient;
import org.telegram.telegrambots.longpolling.TelegramBotsLongPollingApplication;
import org.telegram.telegrambots.longpolling.interfaces.LongPollingUpdateConsumer;
import org.telegram.telegrambots.meta.TelegramUrl;
import org.telegram.telegrambots.meta.exceptions.TelegramApiRequestException;

/** Clients that were made for Telegram itself, by others, find in the fake what they expect. */
class FakeTelegramCertificationTest {
    private static final String TOKEN = "4711:certified";
    private static final long ADA = 100;
    private static final long FORUM = -1001234;

    private Instant now = Instant.parse("2026-03-10T09:00:00Z");
    private final FakeTelegram telegram = new FakeTelegram(TOKEN, "parley_bot", () -> now);
    private final TelegramBot pengrad = new TelegramBot.Builder(TOKEN)
            .apiUrl(telegram.address() + "/bot")
            .fileApiUrl(telegram.address() + "/file/bot")
            .build();

    @AfterEach
    void close() {
        pengrad.shutdown();
        telegram.close();
    }

    @Test
    void theClientLearnsWhoItIs() {
        assertThat(pengrad.execute(new GetMe()).user().username()).isEqualTo("parley_bot");
    }

    @Test
    void updatesComeAgainUntilAnOffsetConfirmsThem() {
        telegram.privateChat(ADA, "Ada");
        telegram.write(ADA, ADA, "one");
        telegram.write(ADA, ADA, "two");

        List<Update> first = updates(0);
        assertThat(first).extracting(u -> u.message().text()).containsExactly("one", "two");
        assertThat(updates(0)).hasSize(2);
        assertThat(updates(first.get(0).updateId() + 1))
                .extracting(u -> u.message().text())
                .containsExactly("two");
        assertThat(telegram.unconfirmed()).isEqualTo(1);
    }

    @Test
    void anUpdateIsKeptForADay() {
        telegram.privateChat(ADA, "Ada");
        telegram.write(ADA, ADA, "old");
        now = now.plus(Duration.ofHours(25));

        assertThat(updates(0)).isEmpty();
    }

    @Test
    void aWebhookAndASecondPollerAreConflicts() {
        pengrad.execute(new SetWebhook().url("https://example.org/hook"));
        BaseResponse refused = pengrad.execute(new GetUpdates().timeout(0));
        assertThat(refused.errorCode()).isEqualTo(409);

        assertThat(pengrad.execute(new DeleteWebhook()).isOk()).isTrue();
        assertThat(pengrad.execute(new GetUpdates().timeout(0)).isOk()).isTrue();
    }

    @Test
    void messagesAreShownWithTopicsRepliesAndButtons() {
        telegram.group(FORUM, "Forum");
        telegram.topic(FORUM, 7, "Topic");
        long asked = telegram.write(FORUM, ADA, "question");

        SendResponse sent = pengrad.execute(new SendMessage(FORUM, "answer")
                .messageThreadId(7)
                .replyParameters(new com.pengrad.telegrambot.model.request.ReplyParameters((int) asked))
                .replyMarkup(new InlineKeyboardMarkup(new InlineKeyboardButton("Yes").callbackData("yes"))));

        assertThat(sent.isOk()).as(sent.description()).isTrue();
        assertThat(telegram.shown(FORUM)).singleElement().satisfies(shown -> {
            assertThat(shown.text()).isEqualTo("answer");
            assertThat(shown.thread()).contains(7L);
            assertThat(shown.replyTo()).contains(asked);
            assertThat(shown.buttons()).containsExactly("yes");
        });
        telegram.press(FORUM, sent.message().messageId(), ADA, "yes");
        Update pressed = updates(0).get(1);
        assertThat(pressed.callbackQuery().data()).isEqualTo("yes");
        assertThat(pengrad.execute(
                                new AnswerCallbackQuery(pressed.callbackQuery().id()))
                        .isOk())
                .isTrue();
    }

    @Test
    void errorsHaveTheCodesAndWordsClientsLookFor() {
        telegram.privateChat(ADA, "Ada");
        assertThat(error(new SendMessage(5L, "x"))).isEqualTo("400 Bad Request: chat not found");
        assertThat(error(new SendMessage(ADA, "x".repeat(4097)))).isEqualTo("400 Bad Request: message is too long");
        assertThat(error(new SendMessage(ADA, "x").messageThreadId(9)))
                .isEqualTo("400 Bad Request: message thread not found");

        telegram.limit("sendMessage", Duration.ofSeconds(35));
        SendResponse limited = pengrad.execute(new SendMessage(ADA, "x"));
        assertThat(limited.errorCode()).isEqualTo(429);
        assertThat(limited.parameters().retryAfter()).isEqualTo(35);

        telegram.forbid(ADA, "bot was blocked by the user");
        assertThat(error(new SendMessage(ADA, "x"))).isEqualTo("403 Forbidden: bot was blocked by the user");
    }

    @Test
    void theRealLimitsAreKeptWhereThatIsWanted() {
        telegram.keepLimits();
        telegram.privateChat(ADA, "Ada");

        assertThat(pengrad.execute(new SendMessage(ADA, "one")).isOk()).isTrue();
        assertThat(error(new SendMessage(ADA, "two"))).isEqualTo("429 Too Many Requests: retry after 1");
        now = now.plusSeconds(1);
        assertThat(pengrad.execute(new SendMessage(ADA, "two")).isOk()).isTrue();
    }

    @Test
    void aGroupThatBecameASupergroupNamesItsNewChat() {
        telegram.group(-55, "Group");
        telegram.migrate(-55, FORUM);

        SendResponse moved = pengrad.execute(new SendMessage(-55L, "x"));
        assertThat(moved.parameters().migrateToChatId()).isEqualTo(FORUM);
        assertThat(updates(0)).extracting(u -> u.message().migrateToChatId()).contains(FORUM);
    }

    @Test
    void textsAreChangedAndAnUnchangedOneIsRefused() {
        telegram.privateChat(ADA, "Ada");
        int id = pengrad.execute(new SendMessage(ADA, "draft")).message().messageId();

        assertThat(pengrad.execute(new EditMessageText(ADA, id, "final")).isOk())
                .isTrue();
        assertThat(pengrad.execute(new EditMessageText(ADA, id, "final")).description())
                .contains("message is not modified");
        assertThat(telegram.shown(ADA)).extracting(Shown::text).containsExactly("final");
    }

    @Test
    void filesGoBothWays() throws Exception {
        telegram.privateChat(ADA, "Ada");
        byte[] content = "content".getBytes(StandardCharsets.UTF_8);
        String id = telegram.file(content);

        assertThat(pengrad.getFileContent(pengrad.execute(new GetFile(id)).file()))
                .isEqualTo(content);
        assertThat(pengrad.execute(
                                new SendDocument(ADA, content).fileName("a.txt").caption("see"))
                        .isOk())
                .isTrue();
        assertThat(telegram.shown(ADA)).singleElement().satisfies(shown -> {
            assertThat(shown.fileName()).contains("a.txt");
            assertThat(shown.text()).isEqualTo("see");
        });
    }

    @Test
    void whatIsKeptOutlivesAFailureOfTheService() {
        telegram.privateChat(ADA, "Ada");
        telegram.write(ADA, ADA, "before");
        telegram.stop();
        telegram.start();

        assertThat(updates(0)).hasSize(1);
    }

    @Test
    void theOtherClientsLoopReceivesAndAnswers() throws Exception {
        telegram.privateChat(ADA, "Ada");
        TelegramUrl url =
                new TelegramUrl("http", "127.0.0.1", telegram.address().getPort(), false);
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        LongPollingUpdateConsumer consumer = updates ->
                updates.forEach(update -> received.add(update.getMessage().getText()));
        TelegramBotsLongPollingApplication application = new TelegramBotsLongPollingApplication();
        try {
            application.registerBot(
                    TOKEN,
                    () -> url,
                    last -> org.telegram.telegrambots.meta.api.methods.updates.GetUpdates.builder()
                            .offset(last + 1)
                            .limit(100)
                            .timeout(1)
                            .build(),
                    consumer);
            telegram.write(ADA, ADA, "hello");

            assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo("hello");
        } finally {
            application.close();
        }
        OkHttpTelegramClient client = new OkHttpTelegramClient(TOKEN, url);
        client.execute(org.telegram.telegrambots.meta.api.methods.send.SendMessage.builder()
                .chatId(ADA)
                .text("hi")
                .build());
        assertThat(telegram.shown(ADA)).extracting(Shown::text).containsExactly("hi");
        assertThatThrownBy(() -> client.execute(org.telegram.telegrambots.meta.api.methods.send.SendMessage.builder()
                        .chatId(5L)
                        .text("hi")
                        .build()))
                .isInstanceOf(TelegramApiRequestException.class)
                .hasMessageContaining("chat not found");
    }

    private List<Update> updates(int offset) {
        return pengrad.execute(new GetUpdates().offset(offset).limit(100).timeout(0))
                .updates();
    }

    private String error(SendMessage message) {
        SendResponse response = pengrad.execute(message);
        return response.errorCode() + " " + response.description();
    }
}
