package dev.parley.adapter.signal.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.signal.outbound.Echoes;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.Happened;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.ReplyTo;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events as a signal-cli daemon hands them over, and what they are to the gateway. Quotes are single here to be read more easily. */
class EnvelopeReaderTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String US = "+15550100";
    private static final String ADA =
            "'source':'+15550101','sourceNumber':'+15550101','sourceUuid':'aaaa-1','sourceName':'Ada'";
    private static final String HIDDEN =
            "'source':'aaaa-1','sourceNumber':null,'sourceUuid':'aaaa-1','sourceName':'Ada'";
    private static final String HI = "'dataMessage':{'timestamp':1790000000123,'message':'hi'}";

    private final Cursors cursors = Cursors.inMemory();
    private final EnvelopeReader reader = reader(false);

    private EnvelopeReader reader(boolean requireMention) {
        GateRules rules = new GateRules(
                requireMention,
                Set.of(),
                Set.of(),
                Set.of("group:quiet="),
                Set.of(),
                Set.of(),
                List.of(),
                GateRules.Bots.NONE,
                true,
                true);
        return new EnvelopeReader(US, new Contacts(US, cursors), new Echoes(), new Gate(rules));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        agent:main:signal:dm:+15550101                | 'source':'+15550101','sourceNumber':'+15550101','sourceUuid':'aaaa-1'|
        agent:main:signal:dm:+15550101                | 'source':'+15550101'|
        agent:main:signal:dm:bbbb-2                   | 'source':'bbbb-2','sourceNumber':null,'sourceUuid':'bbbb-2'|
        agent:main:signal:group:group%3AG+/1=:aaaa-1    | 'source':'+15550101','sourceNumber':'+15550101','sourceUuid':'aaaa-1'| ,'groupInfo':{'groupId':'G+/1=','groupName':'Team','type':'DELIVER'}
        agent:main:signal:group:group%3AG+/1=:+15550101 | 'source':'+15550101','sourceNumber':'+15550101'                      | ,'groupInfo':{'groupId':'G+/1='}
        agent:main:signal:group:group%3AG+/1=:bbbb-2    | 'source':'bbbb-2','sourceUuid':'bbbb-2'                              | ,'groupInfo':{'groupId':'G+/1='}
        """)
    void eachPlaceHasItsKey(String key, String author, String place) {
        ReadMessage message = message("{'envelope':{" + author + ",'dataMessage':{'timestamp':1,'message':'hi'"
                + (place == null ? "" : place) + "}},'account':'" + US + "'}");

        assertThat(keys().keyOf(message.source()).value()).isEqualTo(key);
    }

    @Test
    void aNoteToSelfHasTheOwnNumberAsItsChat() {
        ReadMessage message = message("{'envelope':{'source':'" + US + "','sourceNumber':'" + US
                + "','sourceUuid':'self','syncMessage':{'sentMessage':{'destination':'" + US
                + "','timestamp':7,'message':'note'}}}}");

        assertThat(keys().keyOf(message.source()).value()).isEqualTo("agent:main:signal:dm:" + US);
        assertThat(message.messageId()).isEqualTo("self:7");
        assertThat(message.text()).isEqualTo("note");
    }

    @Test
    void aMessageHasItsAuthorItsTimeAndItsChat() {
        ReadMessage message = message(
                "{'envelope':{" + ADA
                        + ",'dataMessage':{'timestamp':1790000000123,'message':'hi','groupInfo':{'groupId':'g=','groupName':'Team'}}}}");

        assertThat(message.source().chatId()).isEqualTo("group:g=");
        assertThat(message.source().chatIdAlt()).contains("g=");
        assertThat(message.source().chatName()).contains("Team");
        assertThat(message.source().chatType()).isEqualTo(ChatType.GROUP);
        assertThat(message.source().userId()).contains("+15550101");
        assertThat(message.source().userIdAlt()).contains("aaaa-1");
        assertThat(message.source().userName()).contains("Ada");
        assertThat(message.messageId()).isEqualTo("aaaa-1:1790000000123");
        assertThat(message.sentAt()).contains(Instant.ofEpochMilli(1_790_000_000_123L));
        assertThat(message.mentioned()).isFalse();
    }

    @Test
    void somebodyWhoHidesTheirNumberKeepsTheirLaneAlsoAfterARestart() {
        message("{'envelope':{" + ADA + "," + HI + "}}");

        EnvelopeReader later = reader(false);
        ReadMessage hidden =
                ((Incoming.Message) later.read(json("{'envelope':{" + HIDDEN + "," + HI + "}}"))).message();

        assertThat(hidden.source().chatId()).isEqualTo("+15550101");
        assertThat(hidden.messageId()).isEqualTo("aaaa-1:1790000000123");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ￼ look at this      | @Bob look at this   | [{'name':'Bob','number':'+15550102','start':0,'length':1}]
        ask ￼ and ￼          | ask @Bob and @cccc  | [{'name':'Bob','start':4,'length':1},{'uuid':'cccc','start':10,'length':1}]
        😀 ￼ hi              | 😀 @+15550102 hi     | [{'number':'+15550102','start':3,'length':1}]
        ￼ stays              | ￼ stays              | [{'name':'Bob','start':90,'length':1}]
        plain                | plain                | [{'name':'Bob','start':0,'length':1}]
        """)
    void placesOfPeopleHoldTheirNames(String text, String read, String mentions) {
        ReadMessage message = message("{'envelope':{" + ADA + ",'dataMessage':{'timestamp':1,'message':'" + text
                + "','mentions':" + mentions + "}}}");

        assertThat(message.text()).isEqualTo(read);
        assertThat(message.mentioned()).isFalse();
    }

    @Test
    void aCommandForTheAccountIsACommand() {
        String mention = "'mentions':[{'name':'Parley','number':'" + US + "','start':0,'length':1}]";

        assertThat(message(data("'message':'￼ /new'," + mention)).text()).isEqualTo("/new");
        ReadMessage said = message(data("'message':'￼ hello'," + mention));
        assertThat(said.text()).isEqualTo("@Parley hello");
        assertThat(said.mentioned()).isTrue();
    }

    @Test
    void inGroupsAMentionOrAReplyIsNeededWhereThatIsSet() {
        EnvelopeReader strict = reader(true);
        String group = ",'groupInfo':{'groupId':'g='}";

        assertThat(strict.read(json(data("'message':'hi'" + group)))).isInstanceOf(Incoming.Overheard.class);
        assertThat(strict.read(json(data("'message':'hi','quote':{'id':5,'author':'" + US + "','authorNumber':'" + US
                        + "','text':'said'}" + group))))
                .isInstanceOf(Incoming.Message.class);
        assertThat(strict.read(json(data("'message':'hi'")))).isInstanceOf(Incoming.Message.class);
        assertThat(reader.read(json(data("'message':'hi','groupInfo':{'groupId':'quiet='}"))))
                .isInstanceOf(Incoming.PassedOver.class);
    }

    @Test
    void aQuoteIsTheMessageThatIsRepliedTo() {
        assertThat(message(data("'message':'yes','quote':{'id':5,'author':'" + US + "','authorNumber':'" + US
                                + "','authorUuid':'self','text':'really?'}"))
                        .replyTo())
                .contains(new ReplyTo(US + ":5", Optional.empty(), Optional.of("really?"), true));
        assertThat(message(data("'message':'yes','quote':{'id':6,'author':'+15550102','authorNumber':'+15550102',"
                                + "'authorUuid':'bbbb-2','text':''}"))
                        .replyTo())
                .contains(new ReplyTo("bbbb-2:6", Optional.of("+15550102"), Optional.empty(), false));
    }

    @Test
    void anEditChangesTheFirstFormOfAMessage() {
        assertThat(edit(20, 10)).isEqualTo(new ChatEvent.Edited("aaaa-1:10", "better"));
        assertThat(edit(30, 20)).isEqualTo(new ChatEvent.Edited("aaaa-1:10", "better"));
    }

    @Test
    void whatIsDeletedIsNamedByItsFirstForm() {
        assertThat(happened(data("'remoteDelete':{'timestamp':10}")))
                .isEqualTo(new Happened(
                        message(data("'message':'hi'")).source(),
                        new ChatEvent.Deleted("aaaa-1:10"),
                        Optional.of("aaaa-1:1")));
        edit(20, 10);
        assertThat(happened(data("'message':null,'remoteDelete':{'timestamp':20}"))
                        .event())
                .isEqualTo(new ChatEvent.Deleted("aaaa-1:10"));
    }

    @Test
    void aNoteToSelfCanBeDeleted() {
        Happened deleted = happened("{'envelope':{'source':'" + US + "','sourceNumber':'" + US
                + "','sourceUuid':'self','syncMessage':{'sentMessage':{'destination':'" + US
                + "','timestamp':8,'remoteDelete':{'timestamp':7}}}}}");

        assertThat(deleted.event()).isEqualTo(new ChatEvent.Deleted("self:7"));
        assertThat(deleted.source().chatId()).isEqualTo(US);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        +15550100:10 | 'targetAuthor':'+15550100','targetAuthorNumber':'+15550100','targetAuthorUuid':'self'
        +15550100:10 | 'targetAuthor':'+15550100'
        aaaa-1:10    | 'targetAuthor':'+15550101','targetAuthorNumber':'+15550101','targetAuthorUuid':'aaaa-1'
        bbbb-2:10    | 'targetAuthor':'bbbb-2','targetAuthorUuid':'bbbb-2'
        """)
    void aReactionNamesItsMessageAsItIsNamedElsewhere(String id, String author) {
        String reaction = "'reaction':{'emoji':'👍','targetSentTimestamp':10," + author;

        assertThat(happened(data(reaction + ",'isRemove':false}")).event())
                .isEqualTo(new ChatEvent.Reacted(id, "👍", false));
        assertThat(happened(data(reaction + ",'isRemove':true}")).event())
                .isEqualTo(new ChatEvent.Reacted(id, "👍", true));
    }

    private Happened happened(String event) {
        return ((Incoming.Event) read(event)).what();
    }

    private ChatEvent edit(long timestamp, long target) {
        Happened happened = ((Incoming.Event) read("{'envelope':{" + ADA + ",'editMessage':{'targetSentTimestamp':"
                        + target + ",'dataMessage':{'timestamp':" + timestamp + ",'message':'better'}}}}"))
                .what();
        assertThat(happened.eventId()).contains("aaaa-1:" + timestamp);
        return happened.event();
    }

    @Test
    void filesAreNamedByTheirTypesAndCanBeFetchedFromTheirChat() {
        ReadMessage message = message(
                data(
                        "'message':null,'attachments':[{'contentType':'image/jpeg','filename':null,"
                                + "'id':'abc.jpg','size':5},{'contentType':'application/pdf','filename':'a.pdf','id':'def','size':0}]"));

        assertThat(message.text()).isEmpty();
        assertThat(message.files())
                .containsExactly(
                        new RemoteFile(
                                "abc.jpg +15550101",
                                "photo",
                                Optional.empty(),
                                Optional.of("image/jpeg"),
                                Optional.of(5L)),
                        new RemoteFile(
                                "def +15550101",
                                "document",
                                Optional.of("a.pdf"),
                                Optional.of("application/pdf"),
                                Optional.empty()));
    }

    @Test
    void whatMayBeViewedOnceIsNotFetched() {
        ReadMessage message = message(
                data("'message':null,'viewOnce':true,'attachments':[{'contentType':'image/jpeg','id':'abc.jpg'}]"));

        assertThat(message.files()).isEmpty();
        assertThat(message.text()).contains("viewed once");
    }

    @Test
    void contactsAndStickersArePutIntoWords() {
        assertThat(message(data("'message':null,'sticker':{'packId':'a','stickerId':1}"))
                        .text())
                .isEqualTo("[Sticker]");
        assertThat(message(data("'message':null,'contacts':[{'name':{'display':null,'given':'Bob','family':'B'},"
                                + "'phone':[{'value':'+15550102'}]}]"))
                        .text())
                .isEqualTo("[Contact: Bob B, +15550102]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'envelope':{'source':'+15550101','receiptMessage':{'when':1,'isDelivery':true}}}",
                "{'envelope':{'source':'+15550101','typingMessage':{'action':'STARTED'}}}",
                "{'envelope':{'source':'+15550101','callMessage':{}}}",
                "{'envelope':{'source':'+15550101','storyMessage':{'allowsReplies':true}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'timestamp':1,'message':null}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'timestamp':2,'remoteDelete':{'timestamp':1},'groupInfo':{'groupId':'quiet='}}}}",
                "{'envelope':{'source':'+15550101','editMessage':{'targetSentTimestamp':1,'dataMessage':{'timestamp':2,'message':'hi','groupInfo':{'groupId':'quiet='}}}}}",
                "{'envelope':{'source':'+15550100','sourceNumber':'+15550100','syncMessage':{'sentMessage':{'destination':'+15550102','destinationNumber':'+15550102','timestamp':2,'remoteDelete':{'timestamp':1}}}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'timestamp':1,'message':null,'groupInfo':{'groupId':'g','type':'UPDATE'}}}}",
                "{'envelope':{'source':'+15550100','sourceNumber':'+15550100','dataMessage':{'timestamp':1,'message':'ours'}}}",
                "{'envelope':{'source':'+15550100','sourceNumber':'+15550100','syncMessage':{'sentMessage':{'destination':'+15550102','destinationNumber':'+15550102','timestamp':1,'message':'to Bob'}}}}",
                "{'envelope':{'source':'+15550100','sourceNumber':'+15550100','syncMessage':{'readMessages':[]}}}",
            })
    void whatIsNoMessageIsPassedOver(String event) {
        assertThat(read(event)).isInstanceOf(Incoming.PassedOver.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "'text'",
                "null",
                "{'envelope':null}",
                "{'envelope':{'dataMessage':{'timestamp':1,'message':'from nobody'}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'message':'never'}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'timestamp':'x','message':'never'}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'timestamp':1,'message':{'a':1}}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'timestamp':1,'message':'hi','groupInfo':{}}}}",
                "{'envelope':{'source':'+15550101','editMessage':{'dataMessage':{'timestamp':1,'message':'hi'}}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'timestamp':1,'remoteDelete':{'timestamp':null}}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'timestamp':1,'reaction':{'emoji':'x'}}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'timestamp':1,'reaction':{'targetAuthor':'+15550100','targetSentTimestamp':5}}}}",
                "{'envelope':{'source':'+15550101','dataMessage':{'timestamp':1,'message':'hi'}},'account':'+15550199'}",
                "{'envelope':{'source':'+15550101'},'exception':{'type':'UntrustedIdentityException','message':'secret words'}}",
            })
    void whatCannotBeReadIsToldWithoutItsWords(String event) {
        assertThat(read(event))
                .isInstanceOfSatisfying(
                        Incoming.Unreadable.class,
                        unreadable -> assertThat(unreadable.why()).doesNotContain("never", "secret words", "nobody"));
    }

    @Test
    void wrappedEventsAreReadLikeBareOnes() {
        String bare = data("'message':'hi'");

        assertThat(read("{'jsonrpc':'2.0','method':'receive','params':" + bare + "}"))
                .isEqualTo(read(bare));
        assertThat(read("{'jsonrpc':'2.0','method':'receive','params':{'subscription':0,'result':" + bare + "}}"))
                .isEqualTo(read(bare));
    }

    private static String data(String fields) {
        return "{'envelope':{" + ADA + ",'dataMessage':{'timestamp':1," + fields + "}}}";
    }

    private ReadMessage message(String event) {
        Incoming incoming = read(event);
        assertThat(incoming).isInstanceOf(Incoming.Message.class);
        return ((Incoming.Message) incoming).message();
    }

    private Incoming read(String event) {
        return reader.read(json(event));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static KeyRules keys() {
        return new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);
    }
}
