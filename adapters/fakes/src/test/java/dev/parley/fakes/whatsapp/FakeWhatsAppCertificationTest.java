package dev.parley.fakes.whatsapp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.restfb.BinaryAttachment;
import com.restfb.Body;
import com.restfb.DefaultFacebookClient;
import com.restfb.DefaultJsonMapper;
import com.restfb.FacebookClient;
import com.restfb.FacebookEndpoints;
import com.restfb.Parameter;
import com.restfb.Version;
import com.restfb.exception.FacebookGraphException;
import com.restfb.exception.FacebookOAuthException;
import com.restfb.json.Json;
import com.restfb.json.JsonObject;
import com.restfb.types.GraphResponse;
import com.restfb.types.webhook.WebhookEntry;
import com.restfb.types.webhook.WebhookObject;
import com.restfb.types.webhook.whatsapp.WhatsappMessagesValue;
import com.restfb.types.whatsapp.WhatsAppBusinessPhoneNumber;
import com.restfb.types.whatsapp.platform.Message;
import com.restfb.types.whatsapp.platform.SendMessage;
import com.restfb.types.whatsapp.platform.Status;
import com.restfb.types.whatsapp.platform.SuccessfulResponse;
import com.restfb.types.whatsapp.platform.send.Context;
import com.restfb.types.whatsapp.platform.send.Interactive;
import com.restfb.types.whatsapp.platform.send.Text;
import com.restfb.types.whatsapp.platform.send.interactive.Action;
import com.restfb.types.whatsapp.platform.send.interactive.Button;
import dev.parley.fakes.gateway.FakeGateway;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RestFB, a client of the Graph API that others wrote, reads what the fake posts and sends through it. */
class FakeWhatsAppCertificationTest {
    private static final String TOKEN = "a-token";
    private static final String SECRET = "a-secret";
    private static final String NUMBER = "106540352242922";
    private static final String ADA = "491510000001";

    private volatile Instant now = FakeGateway.NOW;
    private final FakeWhatsApp whatsapp = new FakeWhatsApp(TOKEN, SECRET, NUMBER, () -> now);
    private final Webhook webhook = webhook();

    private static Webhook webhook() {
        try {
            return new Webhook();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void people() {
        whatsapp.person(ADA, "Ada");
        whatsapp.webhook(webhook.address());
    }

    @AfterEach
    void close() {
        whatsapp.close();
        webhook.close();
    }

    // what is posted

    @Test
    void whatPeopleWriteIsReadAsItWasWritten() throws Exception {
        String first = whatsapp.write(ADA, "hello \uD83D\uDE80");
        whatsapp.write(
                ADA,
                "and",
                message -> message.putObject("context").put("from", ADA).put("id", first));
        settled();

        List<WhatsappMessagesValue> values = values();
        assertThat(values).hasSize(2).allSatisfy(value -> {
            assertThat(value.getMetadata().getPhoneNumberId()).isEqualTo(NUMBER);
            assertThat(value.getContacts().get(0).getProfile().getName()).isEqualTo("Ada");
            assertThat(value.getContacts().get(0).getWaId()).isEqualTo(ADA);
        });
        Message message = message("hello \uD83D\uDE80");
        assertThat(message.isText()).isTrue();
        assertThat(message.getId()).isEqualTo(first);
        assertThat(message.getFrom()).isEqualTo(ADA);
        assertThat(message.getTimestamp().toInstant()).isEqualTo(now);
        assertThat(message("and").getContext().getId()).isEqualTo(first);
    }

    @Test
    void filesPressesReactionsAndStatusesAreRead() throws Exception {
        whatsapp.tellStatuses();
        whatsapp.send(ADA, "image", new byte[] {1, 2, 3}, "image/jpeg", file -> file.put("caption", "look"));
        whatsapp.send(ADA, "audio", new byte[] {1}, "audio/ogg", file -> file.put("voice", true));
        String question = client().publish(NUMBER + "/messages", SuccessfulResponse.class, Body.withData(question()))
                .getMessages()
                .get(0)
                .getId();
        whatsapp.press(ADA, question, "once");
        whatsapp.did(
                ADA,
                "reaction",
                message -> message.putObject("reaction")
                        .put("message_id", question)
                        .put("emoji", "\uD83D\uDC4D"));
        settled();

        List<Message> messages = messages();
        assertThat(messages).filteredOn(Message::isImage).singleElement().satisfies(message -> {
            assertThat(message.getImage().getCaption()).isEqualTo("look");
            assertThat(message.getImage().getMimeType()).isEqualTo("image/jpeg");
            assertThat(message.getImage().getSha256()).hasSize(64);
        });
        assertThat(messages)
                .filteredOn(Message::isAudio)
                .singleElement()
                .satisfies(message -> assertThat(message.getAudio().isVoice()).isTrue());
        assertThat(messages).filteredOn(Message::isInteractive).singleElement().satisfies(message -> {
            assertThat(message.getInteractive().isButtonReply()).isTrue();
            assertThat(message.getInteractive().getButtonReply().getId()).isEqualTo("once");
            assertThat(message.getContext().getId()).isEqualTo(question);
        });
        assertThat(messages)
                .filteredOn(Message::isReaction)
                .singleElement()
                .satisfies(message ->
                        assertThat(message.getReaction().getMessageId()).isEqualTo(question));
        assertThat(values().stream().flatMap(value -> value.getStatuses().stream()))
                .extracting(Status::getStatus)
                .contains(Status.StatusType.sent, Status.StatusType.delivered);
    }

    @Test
    void aPostIsSignedAndIsPostedAgainUntilItIsAnsweredWith200() throws Exception {
        webhook.answer = 503;
        whatsapp.write(ADA, "hello");
        FakeGateway.until("it was posted", () -> webhook.posts.size() == 1);
        webhook.answer = 200;
        assertThat(whatsapp.unsettled()).isEqualTo(1);
        FakeGateway.until("it was posted again", () -> {
            now = now.plusSeconds(1);
            return whatsapp.unsettled() == 0;
        });

        assertThat(webhook.posts).hasSize(2);
        assertThat(webhook.posts.get(0)).isEqualTo(webhook.posts.get(1));
        assertThat(webhook.headers.get(0).get("X-hub-signature-256"))
                .containsExactly(whatsapp.signature(webhook.posts.get(0).getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whatNobodyTakesForSevenDaysIsLost() throws Exception {
        webhook.answer = 500;
        whatsapp.write(ADA, "hello");
        FakeGateway.until("it was posted", () -> !webhook.posts.isEmpty());
        now = now.plus(Duration.ofDays(7));

        assertThat(whatsapp.unsettled()).isZero();
    }

    // what is sent

    @Test
    void theClientLearnsTheNumberAndSendsTextsFilesAndQuestions() {
        FacebookClient client = client();

        assertThat(client.fetchObject(NUMBER, WhatsAppBusinessPhoneNumber.class).getVerifiedName())
                .isEqualTo("Parley");
        String asked = whatsapp.write(ADA, "well?");
        SendMessage text = new SendMessage(ADA);
        text.setText(new Text("hello"));
        text.setContext(new Context(asked));
        SuccessfulResponse sent = client.publish(NUMBER + "/messages", SuccessfulResponse.class, Body.withData(text));
        client.publish(NUMBER + "/messages", SuccessfulResponse.class, Body.withData(question()));
        GraphResponse file = client.publish(
                NUMBER + "/media",
                GraphResponse.class,
                BinaryAttachment.with("file", "a.txt", "the file".getBytes(StandardCharsets.UTF_8), "text/plain"),
                Parameter.with("messaging_product", "whatsapp"));
        JsonObject told = client.fetchObject(file.getId(), JsonObject.class);

        assertThat(sent.getMessages().get(0).getId()).startsWith("wamid.");
        assertThat(whatsapp.shown(ADA)).extracting(Shown::text).containsExactly("hello", "Shall I?");
        assertThat(whatsapp.shown(ADA).get(0).replyTo()).contains(asked);
        assertThat(whatsapp.shown(ADA).get(1).choices()).containsExactly("once", "deny");
        assertThat(told.getString("mime_type", "")).isEqualTo("text/plain");
        assertThat(told.getInt("file_size", 0)).isEqualTo(8);
    }

    @Test
    void errorsAreThoseThatTheClientKnows() {
        SendMessage text = new SendMessage(ADA);
        text.setText(new Text("x".repeat(4097)));

        assertThatThrownBy(() -> client().publish(NUMBER + "/messages", SuccessfulResponse.class, Body.withData(text)))
                .isInstanceOfSatisfying(
                        FacebookGraphException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(131009));
        assertThatThrownBy(() -> client("another").fetchObject(NUMBER, WhatsAppBusinessPhoneNumber.class))
                .isInstanceOfSatisfying(
                        FacebookOAuthException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(190));
        assertThatThrownBy(() -> client().fetchObject("4711", WhatsAppBusinessPhoneNumber.class))
                .isInstanceOfSatisfying(FacebookGraphException.class, e -> {
                    assertThat(e.getErrorCode()).isEqualTo(100);
                    assertThat(e.getErrorSubcode()).isEqualTo(33);
                });
    }

    @Test
    void aPersonIsWrittenToForADayAndNoFasterThanTheLimit() throws Exception {
        whatsapp.keepLimits();
        for (int i = 0; i < 45; i++) {
            send(ADA);
        }
        assertThatThrownBy(() -> send(ADA))
                .isInstanceOfSatisfying(
                        FacebookGraphException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(131056));
        now = now.plus(Duration.ofDays(1));
        send(ADA);
        settled();

        assertThat(whatsapp.shown(ADA)).hasSize(45);
        assertThat(values()).singleElement().satisfies(value -> {
            assertThat(value.getStatuses().get(0).getStatus()).isEqualTo(Status.StatusType.failed);
            assertThat(value.getStatuses().get(0).getErrors().get(0).getCode()).isEqualTo("131047");
        });
    }

    private void send(String to) {
        SendMessage text = new SendMessage(to);
        text.setText(new Text("hello"));
        client().publish(NUMBER + "/messages", SuccessfulResponse.class, Body.withData(text));
    }

    private static SendMessage question() {
        SendMessage question = new SendMessage(ADA);
        Interactive interactive = new Interactive(
                new Action().addButton(new Button("Once", "once")).addButton(new Button("No", "deny")));
        interactive.setBody(new com.restfb.types.whatsapp.platform.send.interactive.Body("Shall I?"));
        interactive.setType(Interactive.Type.button);
        question.setInteractive(interactive);
        return question;
    }

    private FacebookClient client() {
        return client(TOKEN);
    }

    private FacebookClient client(String token) {
        DefaultFacebookClient client = new DefaultFacebookClient(token, Version.VERSION_24_0);
        client.setHeaderAuthorization(true);
        client.setFacebookEndpointUrls(new FacebookEndpoints() {
            @Override
            public String getGraphEndpoint() {
                return whatsapp.address().toString();
            }
        });
        return client;
    }

    private void settled() throws InterruptedException {
        FakeGateway.until("everything is settled", () -> whatsapp.open() == 0);
    }

    private List<Message> messages() {
        return values().stream()
                .flatMap(value -> Optional.ofNullable(value.getMessages()).orElse(List.of()).stream())
                .toList();
    }

    private Message message(String text) {
        return messages().stream()
                .filter(message -> message.getText().getBody().equals(text))
                .findFirst()
                .orElseThrow();
    }

    /** Returns what was posted, as RestFB reads it. */
    private List<WhatsappMessagesValue> values() {
        List<WhatsappMessagesValue> values = new ArrayList<>();
        for (String post : webhook.posts) {
            assertThat(Json.parse(post).isObject()).isTrue();
            WebhookObject read = new DefaultJsonMapper().toJavaObject(post, WebhookObject.class);
            assertThat(read.isWhatsAppBusinessAccount()).isTrue();
            for (WebhookEntry entry : read.getEntryList()) {
                entry.getChanges().forEach(change -> values.add((WhatsappMessagesValue) change.getValue()));
            }
        }
        return values;
    }
}
