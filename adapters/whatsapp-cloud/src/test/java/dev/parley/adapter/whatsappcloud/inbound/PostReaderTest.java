package dev.parley.adapter.whatsappcloud.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.ReplyTo;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostReaderTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String NUMBER = "106540352242922";
    private static final String OURS = "15550001111";
    private static final String ADA = "491510000001";

    private final PostReader reader = new PostReader(NUMBER);

    @Test
    void aTextBecomesAMessageOfADirectChatUnderThePersonsNumber() {
        ReadMessage message = message(text("hello"));

        assertThat(message.text()).isEqualTo("hello");
        assertThat(message.messageId()).isEqualTo("wamid.1");
        assertThat(message.sentAt()).contains(Instant.ofEpochSecond(1_773_133_200));
        assertThat(message.source().chatId()).isEqualTo(ADA);
        assertThat(message.source().userId()).contains(ADA);
        assertThat(message.source().userName()).contains("Ada");
        assertThat(message.source().chatType()).isEqualTo(ChatType.DM);
        assertThat(message.source().threadId()).isEmpty();
        assertThat(message.source().messageId()).contains("wamid.1");
        assertThat(message.replyTo()).isEmpty();
    }

    @Test
    void theLaneIsTheDirectChatOfTheNumber() {
        KeyRules rules = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);

        assertThat(rules.keyOf(message(text("hello")).source()))
                .isEqualTo(SessionKey.of("agent:main:whatsapp_cloud:dm:" + ADA));
    }

    @Test
    void aReplyNamesWhatItRepliesToAndWhoseThatIs() {
        ObjectNode ofOurs = text("yes");
        ofOurs.putObject("context").put("from", OURS).put("id", "wamid.0");
        ObjectNode ofTheirs = text("and");
        ofTheirs.putObject("context").put("from", ADA).put("id", "wamid.0");
        ObjectNode forwarded = text("see");
        forwarded.putObject("context").put("forwarded", true);

        assertThat(message(ofOurs).replyTo())
                .contains(new ReplyTo("wamid.0", Optional.empty(), Optional.empty(), true));
        assertThat(message(ofOurs).mentioned()).isTrue();
        assertThat(message(ofTheirs).replyTo())
                .contains(new ReplyTo("wamid.0", Optional.of("Ada"), Optional.empty(), false));
        assertThat(message(forwarded).replyTo()).isEmpty();
    }

    @Test
    void filesAreReadWithTheirCaptionsAndKinds() {
        ObjectNode photo = base("image");
        photo.putObject("image").put("id", "77").put("mime_type", "image/jpeg").put("caption", "look");
        ObjectNode document = base("document");
        document.putObject("document")
                .put("id", "78")
                .put("mime_type", "application/pdf")
                .put("filename", "a.pdf");
        ObjectNode voice = base("audio");
        voice.putObject("audio")
                .put("id", "79")
                .put("mime_type", "audio/ogg; codecs=opus")
                .put("voice", true);
        ObjectNode sticker = base("sticker");
        sticker.putObject("sticker").put("id", "80").put("mime_type", "image/webp");

        assertThat(message(photo).text()).isEqualTo("look");
        assertThat(message(photo).files())
                .containsExactly(
                        new RemoteFile("77", "photo", Optional.empty(), Optional.of("image/jpeg"), Optional.empty()));
        assertThat(message(document).files())
                .containsExactly(new RemoteFile(
                        "78", "document", Optional.of("a.pdf"), Optional.of("application/pdf"), Optional.empty()));
        assertThat(message(voice).files()).extracting(RemoteFile::kind).containsExactly("voice");
        assertThat(message(sticker).files()).extracting(RemoteFile::kind).containsExactly("sticker");
    }

    @Test
    void placesCardsAndQuickRepliesAreSaidInWords() {
        ObjectNode place = base("location");
        place.putObject("location").put("latitude", 52.5).put("longitude", 13.4).put("name", "Park");
        ObjectNode card = base("contacts");
        ObjectNode contact = card.putArray("contacts").addObject();
        contact.putObject("name").put("formatted_name", "Bob");
        contact.putArray("phones").addObject().put("phone", "+49 151 2");
        ObjectNode button = base("button");
        button.putObject("button").put("text", "Yes").put("payload", "y");

        assertThat(message(place).text()).isEqualTo("[Location: Park, 52.5, 13.4]");
        assertThat(message(card).text()).isEqualTo("[Contact: Bob, +49 151 2]");
        assertThat(message(button).text()).isEqualTo("Yes");
    }

    @Test
    void aPressNamesTheQuestionAndTheChoice() {
        for (String kind : List.of("button_reply", "list_reply")) {
            ObjectNode press = base("interactive");
            press.putObject("context").put("from", OURS).put("id", "wamid.0");
            press.putObject("interactive")
                    .put("type", kind)
                    .putObject(kind)
                    .put("id", "once")
                    .put("title", "Once");

            Incoming.Event event = (Incoming.Event) only(press);

            assertThat(event.happened().event()).isEqualTo(new ChatEvent.Pressed("wamid.0", "once"));
            assertThat(event.happened().source().chatId()).isEqualTo(ADA);
            assertThat(event.happened().eventId()).contains("event wamid.1");
        }
    }

    @Test
    void reactionsAndNewNumbersAreToldAsWhatHappened() {
        ObjectNode thumb = base("reaction");
        thumb.putObject("reaction").put("message_id", "wamid.0").put("emoji", "\uD83D\uDC4D");
        ObjectNode none = base("reaction");
        none.putObject("reaction").put("message_id", "wamid.0");
        ObjectNode moved = base("system");
        moved.putObject("system").put("type", "user_changed_number").put("wa_id", "491510000009");

        assertThat(((Incoming.Event) only(thumb)).happened().event())
                .isEqualTo(new ChatEvent.Reacted("wamid.0", "\uD83D\uDC4D", false));
        assertThat(((Incoming.Event) only(none)).happened().event())
                .isEqualTo(new ChatEvent.Reacted("wamid.0", "", true));
        assertThat(((Incoming.Event) only(moved)).happened()).satisfies(happened -> {
            assertThat(happened.event()).isEqualTo(new ChatEvent.Moved(ADA));
            assertThat(happened.source().chatId()).isEqualTo("491510000009");
        });
    }

    @Test
    void ourOwnWordsArePassedOver() {
        assertThat(only(text("echo").put("from", OURS))).isEqualTo(new Incoming.PassedOver());
    }

    @Test
    void whatIsSaidToAnotherNumberIsLeftOut() {
        ObjectNode value = value(text("hello"));
        value.withObject("/metadata").put("phone_number_id", "4711");

        assertThat(reader.read(bytes(post(value)))).containsExactly(new Incoming.OfAnotherNumber());
    }

    @Test
    void aFailedStatusSaysWhyAndWhichPart() {
        ObjectNode value = value();
        ObjectNode status = value.putArray("statuses").addObject();
        status.put("id", "wamid.5").put("status", "failed").put("biz_opaque_callback_data", "o-1.1");
        ObjectNode error =
                status.putArray("errors").addObject().put("code", 131047).put("title", "Re-engagement message");
        error.putObject("error_data").put("details", "More than 24\nhours");

        assertThat(reader.read(bytes(post(value))))
                .containsExactly(new Incoming.Status(
                        "wamid.5",
                        Optional.of("o-1.1"),
                        Optional.of("error 131047: Re-engagement message: More than 24 hours")));
    }

    @Test
    void whatCannotBeReadKeepsNothingElseFromBeingRead() {
        ObjectNode value = value();
        value.putArray("messages")
                .add(7)
                .add(JSON.createObjectNode().put("type", "text"))
                .add(base("text"))
                .add(base("kind_of_tomorrow"))
                .add(base("image"))
                .add(base("unsupported"))
                .add(base("what people wrote"))
                .add(text("after"));

        List<Incoming> read = reader.read(bytes(post(value)));

        assertThat(read).hasSize(8);
        assertThat(read.subList(0, 7)).allMatch(each -> each instanceof Incoming.Unreadable);
        assertThat(read.toString()).doesNotContain("what people wrote");
        assertThat(read.get(7)).isInstanceOf(Incoming.Message.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "[]",
                "7",
                "null",
                "{}",
                "{\"object\":\"page\"}",
                "{\"object\":\"whatsapp_business_account\",\"entry\":[{\"changes\":[{\"field\":\"messages\",\"value\":7}]}]}"
            })
    void aPostThatIsNoneIsLeftOutWithAWarning(String body) {
        assertThat(reader.read(body.getBytes(StandardCharsets.UTF_8)))
                .singleElement()
                .isInstanceOf(Incoming.Unreadable.class);
    }

    @Test
    void changesThatAreNoMessagesAreNothing() {
        assertThat(reader.read(bytes(JSON.createObjectNode()
                        .put("object", "whatsapp_business_account")
                        .put("entry", 7))))
                .isEmpty();
        ObjectNode post = post(value(text("x")));
        ((ObjectNode) post.at("/entry/0/changes/0")).put("field", "account_update");
        assertThat(reader.read(bytes(post))).isEmpty();
    }

    @Test
    void whatIsNullSaysNothing() {
        ObjectNode message = text("hello");
        message.putNull("context").putNull("group_id").putNull("timestamp");
        ObjectNode value = value(message);
        ((ObjectNode) value.at("/contacts/0/profile")).putNull("name");

        ReadMessage read = ((Incoming.Message) reader.read(bytes(post(value))).get(0)).message();

        assertThat(read.source().userName()).isEmpty();
        assertThat(read.replyTo()).isEmpty();
        assertThat(read.sentAt()).isEmpty();
        assertThat(only(text("hello").putNull("id"))).isInstanceOf(Incoming.Unreadable.class);
        assertThat(only(text("hello").putNull("from"))).isInstanceOf(Incoming.Unreadable.class);
    }

    private ReadMessage message(ObjectNode message) {
        return ((Incoming.Message) only(message)).message();
    }

    private Incoming only(ObjectNode message) {
        List<Incoming> read = reader.read(bytes(post(value(message))));
        assertThat(read).hasSize(1);
        return read.get(0);
    }

    private static ObjectNode text(String text) {
        ObjectNode message = base("text");
        message.putObject("text").put("body", text);
        return message;
    }

    private static ObjectNode base(String type) {
        return JSON.createObjectNode()
                .put("from", ADA)
                .put("id", "wamid.1")
                .put("timestamp", "1773133200")
                .put("type", type);
    }

    private static ObjectNode value(ObjectNode... messages) {
        ObjectNode value = JSON.createObjectNode().put("messaging_product", "whatsapp");
        value.putObject("metadata")
                .put("display_phone_number", "+1 555-000-1111")
                .put("phone_number_id", NUMBER);
        value.putArray("contacts")
                .addObject()
                .put("wa_id", ADA)
                .putObject("profile")
                .put("name", "Ada");
        value.putArray("messages").addAll(List.of(messages));
        return value;
    }

    private static ObjectNode post(ObjectNode value) {
        ObjectNode post = JSON.createObjectNode().put("object", "whatsapp_business_account");
        post.putArray("entry")
                .addObject()
                .putArray("changes")
                .addObject()
                .put("field", "messages")
                .set("value", value);
        return post;
    }

    private static byte[] bytes(ObjectNode node) {
        return node.toString().getBytes(StandardCharsets.UTF_8);
    }
}
