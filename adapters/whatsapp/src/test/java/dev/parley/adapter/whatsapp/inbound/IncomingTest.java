package dev.parley.adapter.whatsapp.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.adapter.kit.access.GateRules;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.source.SessionSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IncomingTest {
    private static final String GROUP = "120363000000000000@g.us";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static GateRules rules(boolean mention, Set<String> allowed) {
        return new GateRules(
                mention,
                Set.of(),
                allowed,
                Set.of(),
                Set.of(),
                Set.of(),
                List.of(Pattern.compile("parley")),
                GateRules.Bots.NONE,
                true,
                true);
    }

    private static Incoming read(String word, Groups groups) {
        try {
            return Incoming.of(JSON.readTree(word.replace('\'', '"')), groups);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String direct(String chat, String user, String alt) {
        return "{'id':'x','chat':'%s','direct':true,'user':'%s','userAlt':'%s','text':'hi'}".formatted(chat, user, alt);
    }

    private static String inGroup(String more) {
        return "{'id':'x','chat':'%s','direct':false,'user':'491511','userAlt':'777@lid'%s}".formatted(GROUP, more);
    }

    private static String key(Incoming incoming, KeyRules rules) {
        SessionSource source = ((Incoming.Message) incoming).message().source();
        return rules.keyOf(source).value();
    }

    @ParameterizedTest
    @CsvSource({
        "491511@s.whatsapp.net, 491511,   777@lid, agent:main:whatsapp:dm:491511",
        "491511@s.whatsapp.net, 491511,   '',      agent:main:whatsapp:dm:491511",
        "777@lid,               777@lid,  '',      agent:main:whatsapp:dm:777",
    })
    @DisplayName("K5.15, K5.16 a direct chat's key has the person's number")
    void aDirectChat(String chat, String user, String alt, String key) {
        Groups open = new Groups(Groups.Policy.OPEN, rules(false, Set.of()));
        KeyRules rules = new KeyRules(Isolation.DEFAULT, id -> Set.of());

        assertThat(key(read(direct(chat, user, alt), open), rules)).isEqualTo(key);
    }

    @Test
    @DisplayName("K5.15, K5.18 a group's key has the group and the person, in one form whichever is named")
    void aGroup() {
        Groups open = new Groups(Groups.Policy.OPEN, rules(false, Set.of()));
        KeyRules rules = new KeyRules(
                Isolation.DEFAULT,
                id -> id.equals("777") ? Set.of("491511") : id.equals("491511") ? Set.of("777") : Set.of());

        assertThat(key(read(inGroup(",'text':'hi'"), open), rules))
                .isEqualTo("agent:main:whatsapp:group:120363000000000000:777");
        assertThat(key(read(inGroup(",'text':'hi'").replace(",'userAlt':'777@lid'", ""), open), rules))
                .isEqualTo("agent:main:whatsapp:group:120363000000000000:777");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "OPEN      | false | ''    | ,'text':'hi'                    | true",
                "OPEN      | true  | ''    | ,'text':'hi'                    | false",
                "OPEN      | true  | ''    | ,'text':'hi','mentioned':true   | true",
                "OPEN      | true  | ''    | ,'text':'/status'               | true",
                "OPEN      | true  | ''    | ,'text':'hi parley'             | true",
                "OPEN      | true  | ''    | ,'text':'new','edited':'y'      | true",
                "OPEN      | false | other | ,'text':'hi'                    | false",
                "ALLOWLIST | false | ''    | ,'text':'hi'                    | false",
                "ALLOWLIST | false | this  | ,'text':'hi'                    | true",
                "DISABLED  | false | this  | ,'text':'hi','mentioned':true   | false",
            })
    void groupsAreListenedToAsTheyAreConfigured(
            Groups.Policy policy, boolean mention, String allowed, String more, boolean taken) {
        Set<String> chats = allowed.isEmpty() ? Set.of() : Set.of(allowed.equals("this") ? GROUP : allowed);
        Incoming read = read(inGroup(more), new Groups(policy, rules(mention, chats)));

        assertThat(read instanceof Incoming.Message || read instanceof Incoming.Event)
                .isEqualTo(taken);
    }

    @Test
    void whatAGroupSaysBesideTheAgentIsOverheardWhereItIsListenedTo() {
        assertThat(read(inGroup(",'text':'hi'"), new Groups(Groups.Policy.OPEN, rules(true, Set.of()))))
                .isInstanceOf(Incoming.Overheard.class);
        assertThat(read(inGroup(",'text':'hi'"), new Groups(Groups.Policy.DISABLED, rules(true, Set.of()))))
                .isInstanceOf(Incoming.PassedOver.class);
    }

    @Test
    void aDirectChatPassesWhateverGroupsMay() {
        assertThat(read(direct("1@s.whatsapp.net", "1", ""), new Groups(Groups.Policy.DISABLED, rules(true, Set.of()))))
                .isInstanceOf(Incoming.Message.class);
    }

    @Test
    void aTimeThatCannotBeCostsNoMessage() {
        Incoming read = read(
                direct("1@s.whatsapp.net", "1", "").replace("}", ",'at':100000000000000000}"),
                new Groups(Groups.Policy.OPEN, rules(false, Set.of())));

        assertThat(((Incoming.Message) read).message().sentAt()).isEmpty();
    }
}
