package dev.parley.adapter.matrix.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.matrix.api.Account;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.ReplyTo;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events as homeservers send them, and what they are to the gateway. Quotes are single here to be read more easily. */
class EventReaderTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Account BOT = new Account("@parley:parley.test");
    private static final String DIRECT = "!dm:parley.test";
    private static final String TEAM = "!team:other.example";

    private final Rooms rooms = new Rooms();
    private final Map<String, Said> said = new HashMap<>();
    private final Set<String> spokenIn = new java.util.HashSet<>();

    EventReaderTest() {
        rooms.markDirect(DIRECT, "@ada:parley.test");
        rooms.learn(TEAM, json("{'type':'m.room.name','state_key':'','content':{'name':'Team'}}"));
        rooms.learn(TEAM, json("{'type':'m.room.topic','state_key':'','content':{'topic':' Plans '}}"));
        rooms.learn(
                TEAM,
                json("{'type':'m.room.member','state_key':'@ada:parley.test','content':"
                        + "{'membership':'join','displayname':'Ada L'}}"));
        rooms.learn(
                TEAM,
                json("{'type':'m.room.member','state_key':'@parley:parley.test','content':"
                        + "{'membership':'join','displayname':'Parley Bot'}}"));
    }

    private final EventReader.References references = new EventReader.References() {
        @Override
        public Optional<Said> said(String eventId) {
            return Optional.ofNullable(said.get(eventId));
        }

        @Override
        public boolean participates(String thread) {
            return spokenIn.contains(thread);
        }
    };

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        agent:main:matrix:dm:!dm%3Aparley.test                                        | !dm:parley.test     | 'body':'hi'
        agent:main:matrix:dm:!dm%3Aparley.test:$root                                  | !dm:parley.test     | 'body':'hi','m.relates_to':{'rel_type':'m.thread','event_id':'$root'}
        agent:main:matrix:dm:!dm%3Aparley.test                                        | !dm:parley.test     | 'body':'hi','m.relates_to':{'m.in_reply_to':{'event_id':'$x'}}
        agent:main:matrix:group:!team%3Aother.example:@ada%3Aparley.test              | !team:other.example | 'body':'hi','m.mentions':{'user_ids':['@parley:parley.test']}
        agent:main:matrix:group:!team%3Aother.example:$root                           | !team:other.example | 'body':'hi','m.mentions':{'user_ids':['@parley:parley.test']},'m.relates_to':{'rel_type':'m.thread','event_id':'$root'}
        agent:main:matrix:group:!team%3Aother.example:$1%3Aold.example                | !team:other.example | 'body':'parley: hi','m.relates_to':{'rel_type':'m.thread','event_id':'$1:old.example'}
        agent:main:matrix:group:!v12room:@ada%3Aparley.test                           | !v12room            | 'body':'parley: hi'
        """)
    void eachPlaceHasItsKey(String key, String room, String content) {
        ReadMessage message = message(reader(true), room, content);

        assertThat(keys().keyOf(message.source()).value()).isEqualTo(key);
    }

    @Test
    void aThreadThatTheBotOpensItselfHasItsFirstMessageInItsKey() {
        EventReader opening = new EventReader(BOT, rooms, new Gate(rules(true)), Set.of(), true);
        ReadMessage message = message(opening, TEAM, "'body':'parley: hi'");

        assertThat(keys().keyOf(message.source()).value())
                .isEqualTo("agent:main:matrix:group:!team%3Aother.example:$e1");
        assertThat(message.source().autoThreadCreated()).isTrue();
        assertThat(message(opening, DIRECT, "'body':'hi'").source().threadId()).isEmpty();
    }

    @Test
    void aMessageHasItsAuthorItsTimeAndItsRoom() {
        ReadMessage message = message(
                reader(true), TEAM, "'body':'parley: hi','m.relates_to':{'rel_type':'m.thread','event_id':'$root'}");

        assertThat(message.source().userId()).contains("@ada:parley.test");
        assertThat(message.source().userName()).contains("Ada L");
        assertThat(message.source().chatName()).contains("Team");
        assertThat(message.source().chatTopic()).contains("Plans");
        assertThat(message.source().scopeId()).contains("other.example");
        assertThat(message.source().parentChatId()).contains(TEAM);
        assertThat(message.source().messageId()).contains("$e1");
        assertThat(message.messageId()).isEqualTo("$e1");
        assertThat(message.sentAt()).contains(Instant.ofEpochMilli(1_790_000_000_000L));
    }

    @Test
    void aRoomWhoseIdNamesNoServerBelongsToTheAccountsOwn() {
        assertThat(message(reader(false), "!v12room", "'body':'hi'").source().scopeId())
                .contains("parley.test");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        what now?          | 'body':'parley: what now?'
        what now?          | 'body':'@parley:parley.test what now?'
        what now?          | 'body':'Parley Bot: what now?','m.mentions':{'user_ids':['@parley:parley.test']}
        ask parley.        | 'body':'ask parley.'
        hello you          | 'body':'hello you','m.mentions':{'user_ids':['@PARLEY:parley.test']}
        hey                | 'body':'hey','formatted_body':'<a href="https://matrix.to/#/@parley:parley.test">P</a> hey'
        parley             | 'body':'parley'
        /new               | 'body':'parley: !new'
        /new plans         | 'body':'parley !new plans'
        !new, really       | 'body':'parley: !new, really'
        """)
    void whatNamesTheBotPassesWhereAMentionIsRequired(String text, String content) {
        ReadMessage message = message(reader(true), TEAM, content.replace("\"", "\\\""));

        assertThat(message.mentioned()).isTrue();
        assertThat(message.text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'body':'hello'",
                "'body':'parleying is fun'",
                "'body':'write to me@parley.example'",
                "'body':'parley: for the other one','m.mentions':{'user_ids':['@bob:parley.test']}",
                "'body':'parley: for nobody','m.mentions':{}"
            })
    void whatDoesNotNameTheBotIsOverheardWhereAMentionIsRequired(String content) {
        assertThat(read(reader(true), TEAM, content)).isInstanceOf(Incoming.Overheard.class);
        assertThat(read(reader(false), TEAM, content)).isInstanceOf(Incoming.Message.class);
    }

    @Test
    void aReplyToTheBotNamesItAndTheQuotationIsNoText() {
        said.put("$ours", new Said("@parley:parley.test", "shall I?", Optional.empty()));

        ReadMessage message = message(
                reader(true),
                TEAM,
                "'body':'> <@parley:parley.test> shall I?\\n> really?\\n\\nyes','m.relates_to':{'m.in_reply_to':{'event_id':'$ours'}}");

        assertThat(message.text()).isEqualTo("yes");
        assertThat(message.mentioned()).isTrue();
        assertThat(message.replyTo())
                .contains(new ReplyTo("$ours", Optional.of("Parley Bot"), Optional.of("shall I?"), true));
    }

    @Test
    void aReplyThatOnlyHelpsOldClientsInAThreadIsNone() {
        ReadMessage message = message(
                reader(false),
                TEAM,
                "'body':'on','m.relates_to':{'rel_type':'m.thread','event_id':'$root','is_falling_back':true,'m.in_reply_to':{'event_id':'$x'}}");

        assertThat(message.replyTo()).isEmpty();
        assertThat(message.source().threadId()).contains("$root");
    }

    @Test
    void aThreadInWhichTheBotHasSpokenNeedsNoFurtherMention() {
        String content = "'body':'and then?','m.relates_to':{'rel_type':'m.thread','event_id':'$root'}";
        assertThat(read(reader(true), TEAM, content)).isInstanceOf(Incoming.Overheard.class);

        spokenIn.add("$root");

        assertThat(message(reader(true), TEAM, content).mentioned()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'sender':'@parley:parley.test','content':{'msgtype':'m.text','body':'mine'}",
                "'sender':'@Parley:parley.test','content':{'msgtype':'m.text','body':'mine'}",
                "'sender':'@_irc_ada:parley.test','content':{'msgtype':'m.text','body':'a bridge'}",
                "'sender':'@spam:parley.test','content':{'msgtype':'m.text','body':'ignored'}",
                "'sender':'@ada:parley.test','content':{'msgtype':'m.notice','body':'another bot'}",
                "'sender':'@ada:parley.test','content':{}",
                "'sender':'@ada:parley.test','content':{'msgtype':'m.text','body':' '}",
                "'sender':'@ada:parley.test','content':{'body':'x'},'unsigned':{'redacted_because':{}}"
            })
    void whatIsOfNoUseIsPassedOver(String event) {
        EventReader reader = new EventReader(BOT, rooms, new Gate(rules(false)), Set.of("@spam:parley.test"), false);

        assertThat(reader.read(DIRECT, json("{'event_id':'$e1','type':'m.room.message'," + event + "}"), references))
                .isInstanceOf(Incoming.PassedOver.class);
    }

    @Test
    void filesAreFoundWithTheirCaptionsAndEncryptedOnesWithoutAnAddress() {
        ReadMessage photo = message(
                reader(false),
                DIRECT,
                "'msgtype':'m.image','body':'look','filename':'a.png','url':'mxc://parley.test/f1','info':{'mimetype':'image/png','size':9}");
        assertThat(photo.text()).isEqualTo("look");
        assertThat(photo.files())
                .containsExactly(new RemoteFile(
                        "mxc://parley.test/f1",
                        "photo",
                        Optional.of("a.png"),
                        Optional.of("image/png"),
                        Optional.of(9L)));

        ReadMessage file = message(
                reader(false), DIRECT, "'msgtype':'m.file','body':'a.pdf','file':{'url':'mxc://parley.test/f2'}");
        assertThat(file.text()).isEmpty();
        assertThat(file.files()).singleElement().satisfies(f -> {
            assertThat(f.id()).isEmpty();
            assertThat(f.name()).contains("a.pdf");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        * waves                     | 'msgtype':'m.emote','body':'waves'
        [Location: 52.5,13.4] Here  | 'msgtype':'m.location','body':'Here','geo_uri':'geo:52.5,13.4'
        as it is                    | 'msgtype':'m.kind_of_tomorrow','body':'as it is'
        """)
    void otherKindsOfMessagesArePutIntoWords(String text, String content) {
        assertThat(message(reader(false), DIRECT, content).text()).isEqualTo(text);
    }

    @Test
    void anEditSaysWhatTheMessageSaysNow() {
        Incoming incoming = read(
                reader(true),
                TEAM,
                "'body':'* parley: better','m.new_content':{'body':'parley: better'},'m.relates_to':{'rel_type':'m.replace','event_id':'$old'}");

        assertThat(incoming).isInstanceOfSatisfying(Incoming.Event.class, event -> {
            assertThat(event.event()).isEqualTo(new ChatEvent.Edited("$old", "better"));
            assertThat(event.eventId()).isEqualTo("$e1");
            assertThat(event.source().userId()).contains("@ada:parley.test");
        });
    }

    @Test
    void reactionsAndWhatIsTakenBackAreEvents() {
        assertThat(
                        event(
                                "'type':'m.reaction','content':{'m.relates_to':{'rel_type':'m.annotation','event_id':'$x','key':'+1'}}"))
                .isEqualTo(new ChatEvent.Reacted("$x", "+1", false));
        assertThat(event("'type':'m.room.redaction','redacts':'$x','content':{}"))
                .isEqualTo(new ChatEvent.Deleted("$x"));
        said.put("$r", new Said("@ada:parley.test", "", Optional.of(new Said.Reaction("$x", "+1"))));
        assertThat(event("'type':'m.room.redaction','content':{'redacts':'$r'}"))
                .isEqualTo(new ChatEvent.Reacted("$x", "+1", true));
    }

    @Test
    void aRoomThatWasReplacedIsToldUnderItsNewId() {
        Incoming incoming = reader(true)
                .read(
                        TEAM,
                        json(
                                "{'event_id':'$t','type':'m.room.tombstone','state_key':'','sender':'@ada:parley.test','content':{'replacement_room':'!new:third.example'}}"),
                        references);

        assertThat(incoming).isInstanceOfSatisfying(Incoming.Moved.class, moved -> {
            assertThat(moved.source().chatId()).isEqualTo("!new:third.example");
            assertThat(moved.source().scopeId()).contains("third.example");
            assertThat(moved.from()).isEqualTo(TEAM);
            assertThat(moved.via()).isEqualTo("parley.test");
        });
    }

    @Test
    void anEncryptedRoomCannotBeReadWhateverIsSaidInIt() {
        assertThat(reader(true)
                        .read(
                                TEAM,
                                json(
                                        "{'event_id':'$e','type':'m.room.encrypted','sender':'@ada:parley.test','content':{'algorithm':'x'}}"),
                                references))
                .isInstanceOf(Incoming.Encrypted.class);
        assertThat(read(reader(true), TEAM, "'body':'parley: in the clear'")).isInstanceOf(Incoming.Encrypted.class);
        assertThat(rooms.isEncrypted(TEAM)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "7",
                "{'event_id':'','type':'m.room.message','sender':'@a:b','content':{'body':'x'}}",
                "{'event_id':'$e','type':'m.room.message','content':{'body':'x'}}",
                "{'event_id':'$e','sender':'@a:b','content':{'body':'x'}}",
                "{'event_id':'$e','type':'m.room.message','sender':'@a:b','content':{'body':{'a':1}}}",
                "{'event_id':'$e','type':'m.room.message','sender':'@a:b','content':{'msgtype':'m.text'}}",
                "{'event_id':'$e','type':'m.room.message','sender':'@a:b','content':{'body':'x','m.relates_to':{'rel_type':'m.replace'}}}",
                "{'event_id':'$e','type':'m.reaction','sender':'@a:b','content':{'m.relates_to':7}}",
                "{'event_id':'$e','type':'m.room.redaction','sender':'@a:b','content':{}}"
            })
    void whatCannotBeReadIsSaidAndThrowsNothing(String event) {
        assertThat(reader(false).read(DIRECT, json(event), references)).isInstanceOf(Incoming.Unreadable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'m.mentions':7",
                "'m.mentions':{'user_ids':'x'}",
                "'m.relates_to':[]",
                "'m.relates_to':{'m.in_reply_to':7}",
                "'m.relates_to':{'rel_type':{},'event_id':[]}",
                "'formatted_body':{}",
                "'msgtype':{}",
                "'info':3"
            })
    void absurdDetailsDoNotHideTheText(String detail) {
        assertThat(message(reader(false), DIRECT, "'body':'text'," + detail).text())
                .isEqualTo("text");
    }

    private ChatEvent event(String event) {
        Incoming incoming = reader(true)
                .read(TEAM, json("{'event_id':'$e1','sender':'@ada:parley.test'," + event + "}"), references);
        return ((Incoming.Event) incoming).event();
    }

    private ReadMessage message(EventReader reader, String room, String content) {
        Incoming incoming = read(reader, room, content);
        assertThat(incoming).isInstanceOf(Incoming.Message.class);
        return ((Incoming.Message) incoming).message();
    }

    private Incoming read(EventReader reader, String room, String content) {
        return reader.read(
                room,
                json(
                        "{'event_id':'$e1','type':'m.room.message','sender':'@ada:parley.test','origin_server_ts':1790000000000,"
                                + "'content':{" + content + "}}"),
                references);
    }

    private EventReader reader(boolean requireMention) {
        return new EventReader(BOT, rooms, new Gate(rules(requireMention)), Set.of(), false);
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

    private static KeyRules keys() {
        return new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new AssertionError(text, e);
        }
    }
}
