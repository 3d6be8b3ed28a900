package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code key} (K5). */
class KeyCommandTest {
    @TempDir
    Path home;

    private CommandLineProgram program;

    @BeforeEach
    void aProgram() {
        program = new CommandLineProgram(home);
    }

    private static String source(String platform, String type, String chat, Map<String, String> rest) {
        StringBuilder json = new StringBuilder(
                "{\"platform\":\"" + platform + "\",\"chat_type\":\"" + type + "\",\"chat_id\":\"" + chat + "\"");
        rest.forEach((name, value) ->
                json.append(",\"").append(name).append("\":\"").append(value).append('"'));
        return json.append("}\n").toString();
    }

    @Test
    @DisplayName("The table of K5: one key for each source, in order")
    void theTableOfKeys() {
        Map<String, String> none = Map.of();
        List<String[]> table = List.of(
                new String[] {source("telegram", "dm", "99", none), "agent:main:telegram:dm:99"},
                new String[] {source("telegram", "dm", "99", Map.of("thread_id", "t1")), "agent:main:telegram:dm:99:t1"
                },
                new String[] {source("telegram", "dm", "", Map.of("user_id", "jordan")), "agent:main:telegram:dm:jordan"
                },
                new String[] {
                    source("telegram", "dm", "", Map.of("user_id", "jordan", "user_id_alt", "alt")),
                    "agent:main:telegram:dm:alt"
                },
                new String[] {
                    source("discord", "group", "g", Map.of("user_id", "alice")), "agent:main:discord:group:g:alice"
                },
                new String[] {
                    source("telegram", "group", "-100", Map.of("thread_id", "17585", "user_id", "42")),
                    "agent:main:telegram:group:-100:17585"
                },
                new String[] {source("slack", "channel", "C1", none), "agent:main:slack:channel:C1"},
                new String[] {source("slack", "channel", "C1", Map.of("user_id", "u")), "agent:main:slack:channel:C1:u"
                },
                new String[] {source("telegram", "forum", "c", Map.of("user_id", "u")), "agent:main:telegram:forum:c:u"
                },
                new String[] {source("telegram", "group", "", none), "agent:main:telegram:group"},
                new String[] {
                    source("matrix", "group", "!r:ex.org", Map.of("user_id", "@a:ex.org")),
                    "agent:main:matrix:group:!r%3Aex.org:@a%3Aex.org"
                });
        StringBuilder input = new StringBuilder();
        List<String> keys = new ArrayList<>();
        for (String[] row : table) {
            input.append(row[0]);
            keys.add(row[1]);
        }

        Result result = program.runWith(input.toString(), "key");

        assertThat(result.err()).isEmpty();
        assertThat(result.lines()).isEqualTo(keys);
        assertThat(result.code()).isZero();
    }

    /** K5.7, K5.8, K5.12: the flags decide on isolation and on what counts as shared. */
    @Test
    void theFlagsDecideWhoSharesASession() {
        String group = source("discord", "group", "g", Map.of("user_id", "alice"));
        String thread = source("telegram", "group", "-100", Map.of("thread_id", "17585", "user_id", "42"));

        Result open = program.runWith(group, "key", "--json", "--group-sessions-per-user", "false");
        Result closed = program.runWith(thread, "key", "--json", "--thread-sessions-per-user", "true");
        Result usual = program.runWith(group + thread, "key", "--json");

        assertThat(open.out()).contains("\"session_key\":\"agent:main:discord:group:g\"", "\"shared\":true");
        assertThat(closed.out())
                .contains("\"session_key\":\"agent:main:telegram:group:-100:17585:42\"", "\"shared\":false");
        assertThat(usual.lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"shared\":false", "\"description\":"),
                        line -> assertThat(line).contains("\"shared\":true"));
    }

    @Test
    void badLinesAreNamedByNumberAndAnsweredWithNullBesideTheGoodOnes() {
        Result result = program.runWith(
                source("telegram", "dm", "99", Map.of()) + "nope\n\n" + source("nosuch", "dm", "1", Map.of()) + "[1]\n"
                        + source("telegram", "dm", "7", Map.of()),
                "key");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.lines())
                .containsExactly("agent:main:telegram:dm:99", "null", "null", "null", "agent:main:telegram:dm:7");
        assertThat(result.errors())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("parley: line 2: not JSON from character 1 on"),
                        line -> assertThat(line).startsWith("parley: line 4: ").contains("nosuch"),
                        line -> assertThat(line).startsWith("parley: line 5: ").contains("object"));
    }
}
