package dev.parley.adapter.telegram.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.telegram.api.Bot;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
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

/** Updates as Telegram sends them, and what they are to the gateway. Quotes are single here to be read more easily. */
class UpdateReaderTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Bot BOT = new Bot("4711", "parley_bot");
    private static final String ADA = "'from':{'id':100,'is_bot':false,'first_name':'Ada','last_name':'L'}";
    private static final String GROUP = "'chat':{'id':-10012345,'type':'supergroup','title':'Team'}";
    private static final String FORUM = "'chat':{'id':-10012345,'type':'supergroup','title':'Team','is_forum':true}";

    private final UpdateReader reader = new UpdateReader(BOT, new Gate(rules(false)));

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        agent:main:telegram:dm:12345                 | 'chat':{'id':12345,'type':'private','first_name':'Ada'}
        agent:main:telegram:dm:12345:678             | 'chat':{'id':12345,'type':'private'},'message_thread_id':678,'is_topic_message':true
        agent:main:telegram:dm:12345                 | 'chat':{'id':12345,'type':'private'},'message_thread_id':678
        agent:main:telegram:group:-55:100            | 'chat':{'id':-55,'type':'group','title':'Small'}
        agent:main:telegram:group:-10012345:100      | 'chat':{'id':-10012345,'type':'supergroup','title':'Team'}
        agent:main:telegram:group:-10012345:100      | 'chat':{'id':-10012345,'type':'supergroup','title':'Team'},'message_thread_id':7,'reply_to_message':{'message_id':7}
        agent:main:telegram:group:-10012345:7        | 'chat':{'id':-10012345,'type':'supergroup','is_forum':true},'message_thread_id':7,'is_topic_message':true
        agent:main:telegram:group:-10012345:7        | 'chat':{'id':-10012345,'type':'supergroup','is_forum':true},'message_thread_id':7
        agent:main:telegram:group:-10012345:1        | 'chat':{'id':-10012345,'type':'supergroup','is_forum':true}
        agent:main:telegram:group:-10012345:1        | 'chat':{'id':-10012345,'type':'supergroup','is_forum':true},'message_thread_id':5,'reply_to_message':{'message_id':5}
        """)
    void eachPlaceHasItsKey(String key, String place) {
        ReadMessage message = message("{'message_id':9,'text':'hi'," + ADA + "," + place + "}");

        assertThat(keys().keyOf(message.source()).value()).isEqualTo(key);
    }

    @Test
    void aPostInAChannelIsSaidByTheChannel() {
        Incoming incoming = read(
                "{'update_id':1,'channel_post':{'message_id':3,'text':'news','sender_chat':"
                        + "{'id':-100777,'title':'News','type':'channel'},'chat':{'id':-100777,'title':'News','type':'channel'}}}");

        ReadMessage message = ((Incoming.Message) incoming).message();
        assertThat(keys().keyOf(message.source()).value()).isEqualTo("agent:main:telegram:channel:-100777:-100777");
        assertThat(message.source().userName()).contains("News");
        assertThat(message.source().isBot()).isFalse();
    }

    @Test
    void aMessageHasItsAuthorItsTimeAndItsChat() {
        ReadMessage message = message("{'message_id':9,'date':1790000000,'text':'hi'," + ADA + "," + GROUP + "}");

        assertThat(message.source().userId()).contains("100");
        assertThat(message.source().userName()).contains("Ada L");
        assertThat(message.source().chatName()).contains("Team");
        assertThat(message.source().messageId()).contains("9");
        assertThat(message.messageId()).isEqualTo("9");
        assertThat(message.sentAt()).contains(Instant.ofEpochSecond(1_790_000_000));
        assertThat(message.mentioned()).isFalse();
    }

    @Test
    void anAdministratorWhoIsHiddenSpeaksAsTheGroup() {
        ReadMessage message = message("{'message_id':9,'text':'hi','from':{'id':1087968824,'is_bot':true,'first_name':"
                + "'Group'},'sender_chat':{'id':-10012345,'title':'Team'}," + GROUP + "}");

        assertThat(message.source().userId()).contains("-10012345");
        assertThat(message.source().isBot()).isFalse();
    }

    @Test
    void theTopicsNameComesWithTheMessageThatOpenedIt() {
        ReadMessage message = message("{'message_id':9,'text':'hi','message_thread_id':7,'is_topic_message':true,"
                + "'reply_to_message':{'message_id':7,'forum_topic_created':{'name':' Bugs '}}," + ADA + "," + FORUM
                + "}");

        assertThat(message.source().chatTopic()).contains("Bugs");
        assertThat(message.replyTo()).isEmpty();
    }

    @Test
    void namesAreFoundByUtf16UnitsAndTakenOutOfTheText() {
        ReadMessage message = message("{'message_id':9,'text':'\uD83D\uDE80 @Parley_Bot what now?','entities':"
                + "[{'type':'mention','offset':3,'length':11}]," + ADA + "," + GROUP + "}");

        assertThat(message.mentioned()).isTrue();
        assertThat(message.text()).isEqualTo("\uD83D\uDE80 what now?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'text':'@parley_bot hello'",
                "'text':'hello','entities':[{'type':'text_mention','offset':0,'length':5,'user':{'id':4711}}]",
                "'text':'/new@parley_bot','entities':[{'type':'bot_command','offset':0,'length':15}]",
                "'text':'/new@parley_bot'",
                "'text':'yes','reply_to_message':{'message_id':4,'from':{'id':4711},'text':'shall I?'}",
                "'caption':'@parley_bot look','photo':[{'file_id':'p','width':1,'height':1}],"
                        + "'caption_entities':[{'type':'mention','offset':0,'length':11}]"
            })
    void whatNamesTheBotPassesWhereAMentionIsRequired(String said) {
        UpdateReader strict = new UpdateReader(BOT, new Gate(rules(true)));
        String update = "{'update_id':1,'message':{'message_id':9," + said + "," + ADA + "," + GROUP + "}}";

        assertThat(strict.read(json(update)))
                .isInstanceOfSatisfying(
                        Incoming.Message.class,
                        m -> assertThat(m.message().mentioned()).isTrue());
    }

    @Test
    void whatNamesTheBotOnOnePictureOfAnAlbumNamesItForThoseThatFollow() {
        UpdateReader strict = new UpdateReader(BOT, new Gate(rules(true)));
        String picture = "'photo':[{'file_id':'p','width':1,'height':1}]," + ADA + "," + GROUP + "}}";
        strict.read(json("{'update_id':1,'message':{'message_id':9,'media_group_id':'7','caption':'@parley_bot look',"
                + "'caption_entities':[{'type':'mention','offset':0,'length':11}]," + picture));

        assertThat(strict.read(json("{'update_id':2,'message':{'message_id':10,'media_group_id':'7'," + picture)))
                .isInstanceOf(Incoming.Message.class);
        assertThat(strict.read(json("{'update_id':3,'message':{'message_id':11,'media_group_id':'8'," + picture)))
                .isInstanceOf(Incoming.Overheard.class);
        assertThat(strict.read(json("{'update_id':4,'message':{'message_id':12," + picture)))
                .isInstanceOf(Incoming.Overheard.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'text':'hello'",
                "'text':'mail me at me@parley_bot.example'",
                "'text':'@parley_bots hello'",
                "'text':'see @parley_bot','entities':[{'type':'code','offset':0,'length':15}]",
                "'text':'yes','reply_to_message':{'message_id':4,'from':{'id':5},'text':'shall I?'}"
            })
    void whatDoesNotNameTheBotIsOverheardWhereAMentionIsRequired(String said) {
        UpdateReader strict = new UpdateReader(BOT, new Gate(rules(true)));
        String update = "{'update_id':1,'message':{'message_id':9," + said + "," + ADA + "," + GROUP + "}}";

        assertThat(strict.read(json(update))).isInstanceOf(Incoming.Overheard.class);
    }

    @Test
    void whatNamesOnlyAnotherBotIsOverheard() {
        assertThat(read("{'update_id':1,'message':{'message_id':9,'text':'@helper_bot do it'," + ADA + "," + GROUP
                        + "}}"))
                .isInstanceOf(Incoming.Overheard.class);
    }

    @Test
    void aTextThatIsOnlyTheNameStays() {
        assertThat(message("{'message_id':9,'text':'@parley_bot'," + ADA + "," + GROUP + "}")
                        .text())
                .isEqualTo("@parley_bot");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'text':'/new@other_bot','entities':[{'type':'bot_command','offset':0,'length':14}]," + ADA,
                "'text':'hi','from':{'id':4711,'is_bot':true}",
                "'text':'hi','from':{'id':12,'is_bot':true}",
                "'new_chat_title':'x'," + ADA
            })
    void whatIsForOthersOrSaysNothingIsPassedOver(String said) {
        assertThat(read("{'update_id':1,'message':{'message_id':9," + said + "," + GROUP + "}}"))
                .isInstanceOf(Incoming.PassedOver.class);
    }

    @Test
    void aReplySaysToWhatAndAQuotationGoesBeforeTheWholeText() {
        ReadMessage message = message("{'message_id':9,'text':'why?','quote':{'text':'this part'},'reply_to_message':"
                + "{'message_id':4,'from':{'id':4711,'first_name':'Parley'},'text':'all of this part'}," + ADA
                + "," + GROUP + "}");

        assertThat(message.replyTo()).contains(new ReplyTo("4", Optional.of("Parley"), Optional.of("this part"), true));
    }

    @Test
    void theLargestPictureThatMayBeFetchedIsTaken() {
        ReadMessage message = message("{'message_id':9,'caption':'look','photo':["
                + "{'file_id':'s','width':90,'height':90,'file_size':1000},"
                + "{'file_id':'l','width':900,'height':900,'file_size':90000},"
                + "{'file_id':'xl','width':9000,'height':9000,'file_size':30000000}]," + ADA + "," + GROUP + "}");

        assertThat(message.text()).isEqualTo("look");
        assertThat(message.files())
                .containsExactly(new RemoteFile(
                        "l", "photo", Optional.empty(), Optional.of("image/jpeg"), Optional.of(90_000L)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        document   | 'document':{'file_id':'f','file_name':'a.pdf','mime_type':'application/pdf'}
        voice      | 'voice':{'file_id':'f','mime_type':'audio/ogg'}
        audio      | 'audio':{'file_id':'f'}
        video      | 'video':{'file_id':'f'}
        video_note | 'video_note':{'file_id':'f'}
        animation  | 'animation':{'file_id':'f'},'document':{'file_id':'f'}
        sticker    | 'sticker':{'file_id':'f','is_video':true}
        """)
    void filesOfEachKindAreFoundOnce(String kind, String carried) {
        ReadMessage message = message("{'message_id':9," + carried + "," + ADA + "," + GROUP + "}");

        assertThat(message.files()).singleElement().satisfies(file -> {
            assertThat(file.id()).isEqualTo("f");
            assertThat(file.kind()).isEqualTo(kind);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        [Location: 52.5, 13.4]             | 'location':{'latitude':52.5,'longitude':13.4}
        [Venue: Bar, Street 1 (1.5, 2.5)]  | 'venue':{'title':'Bar','address':'Street 1','location':{'latitude':1.5,'longitude':2.5}},'location':{}
        [Contact: Bob B, +49]              | 'contact':{'first_name':'Bob','last_name':'B','phone_number':'+49'}
        [\uD83C\uDFB2 4]                   | 'dice':{'emoji':'\uD83C\uDFB2','value':4}
        """)
    void whatHasNoTextIsPutIntoWords(String words, String carried) {
        assertThat(message("{'message_id':9," + carried + "," + ADA + "," + GROUP + "}")
                        .text())
                .isEqualTo(words);
    }

    @Test
    void anEditSaysWhatTheMessageSaysNow() {
        Incoming incoming = read("{'update_id':17,'edited_message':{'message_id':9,'edit_date':1,'text':'better'," + ADA
                + "," + GROUP + "}}");

        assertThat(incoming).isInstanceOfSatisfying(Incoming.Event.class, event -> {
            assertThat(event.event()).isEqualTo(new ChatEvent.Edited("9", "better"));
            assertThat(event.eventId()).isEqualTo("u17");
            assertThat(event.source().userId()).contains("100");
        });
    }

    @Test
    void aPressIsSaidByWhoPressedAndWaitsForAnAnswer() {
        Incoming incoming =
                read("{'update_id':17,'callback_query':{'id':'q5','from':{'id':100,'first_name':'Ada'},'data':"
                        + "'once','message':{'message_id':8,'message_thread_id':7,'is_topic_message':true,'from':{'id':4711,"
                        + "'is_bot':true}," + FORUM + "}}}");

        assertThat(incoming).isInstanceOfSatisfying(Incoming.Event.class, event -> {
            assertThat(event.event()).isEqualTo(new ChatEvent.Pressed("8", "once"));
            assertThat(event.query()).contains("q5");
            assertThat(event.source().userId()).contains("100");
            assertThat(event.source().isBot()).isFalse();
            assertThat(event.source().threadId()).contains("7");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'migrate_to_chat_id':-10099,'chat':{'id':-55,'type':'group'}",
                "'migrate_from_chat_id':-55,'chat':{'id':-10099,'type':'supergroup'}"
            })
    void aGroupThatMovedIsToldUnderItsNewId(String said) {
        assertThat(read("{'update_id':1,'message':{'message_id':9," + ADA + "," + said + "}}"))
                .isInstanceOfSatisfying(Incoming.Event.class, event -> {
                    assertThat(event.source().chatId()).isEqualTo("-10099");
                    assertThat(event.event()).isEqualTo(new ChatEvent.Moved("-55"));
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'update_id':1}",
                "{'update_id':1,'message':null}",
                "{'update_id':1,'message':'text'}",
                "{'update_id':1,'message':{'text':'hi'}}",
                "{'update_id':1,'message':{'message_id':1,'text':'hi','chat':{}}}",
                "{'update_id':1,'message':{'message_id':'x','text':'hi','chat':{'id':1}}}",
                "{'update_id':1,'message':{'message_id':1,'text':{'a':1},'chat':{'id':1}}}",
                "{'update_id':1,'newest_kind':{'message_id':1}}",
                "{'update_id':1,'edited_message':[]}",
                "[]",
                "7"
            })
    void whatCannotBeReadIsSaidAndThrowsNothing(String update) {
        assertThat(read(update)).isInstanceOf(Incoming.Unreadable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'entities':[{'type':'mention','offset':-4,'length':3}]",
                "'entities':[{'type':'mention','offset':0,'length':900}]",
                "'entities':[{'type':'bot_command','offset':2147483647,'length':2147483647}]",
                "'entities':['x',7,null]",
                "'date':99999999999999999",
                "'from':7",
                "'reply_to_message':{'message_id':{}}",
                "'photo':{'a':1}",
                "'message_thread_id':{}"
            })
    void absurdDetailsDoNotHideTheText(String detail) {
        assertThat(message("{'message_id':9,'text':'hi'," + detail + ",'chat':{'id':5,'type':'private'}}")
                        .text())
                .isEqualTo("hi");
    }

    private ReadMessage message(String message) {
        return ((Incoming.Message) read("{'update_id':1,'message':" + message + "}")).message();
    }

    private Incoming read(String update) {
        return reader.read(json(update));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static KeyRules keys() {
        return new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);
    }

    private static GateRules rules(boolean requireMention) {
        return new GateRules(
                requireMention,
                Set.of(),
                Set.of(),
                Set.of(),
                Set.of(),
                Set.of(),
                List.of(),
                GateRules.Bots.NONE,
                true,
                true);
    }
}
