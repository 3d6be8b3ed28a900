package dev.parley.adapter.kit.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkdownTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "**bold** and *slanted*|*bold* and _slanted_|**bold** and *slanted*|<strong>bold</strong> and <em>slanted</em>",
                "~~gone~~|~gone~|~~gone~~|<del>gone</del>",
                "`a<b`|`a&lt;b`|`a<b`|<code>a&lt;b</code>",
                "[here](https://example.org)|<https://example.org{bar}here>|[here](https://example.org)|<a href=\"https://example.org\">here</a>",
                "2 * 3 < 7|2 * 3 &lt; 7|2 \\* 3 < 7|2 * 3 &lt; 7",
                "> said|> said|> said|<blockquote>said</blockquote>",
                "# Title|*Title*|**Title**|<h4>Title</h4>",
                "[no](javascript:alert)|<javascript:alert{bar}no>|[no](javascript:alert)|no",
            })
    void eachPlatformHasItsMarkup(String markdown, String slack, String discord, String html) {
        StyledText text = Markdown.read(markdown);

        assertThat(Dialects.SLACK.render(text)).isEqualTo(slack.replace("{bar}", "|"));
        assertThat(Dialects.DISCORD.render(text)).isEqualTo(discord);
        assertThat(Dialects.HTML.render(text)).isEqualTo(html);
    }

    @Test
    void listsKeepTheirMarksAsText() {
        assertThat(Markdown.read("Do:\n\n1. one\n2. two\n   - deep\n\nDone").text())
                .isEqualTo("Do:\n\n1. one\n2. two\n   \u2022 deep\n\nDone");
    }

    @Test
    void aTableBecomesCodeWithAlignedColumns() {
        StyledText table = Markdown.read("| name | n |\n|---|---|\n| a | 10 |\n| longer | 2 |");

        assertThat(table.text()).isEqualTo("name    n\na       10\nlonger  2");
        assertThat(table.spans()).containsExactly(new Span(0, table.text().length(), Style.of(Style.Kind.CODE_BLOCK)));
    }

    @Test
    void whatsAppShowsALinksAddressBehindItsWords() {
        assertThat(Dialects.WHATSAPP.render(Markdown.read("see **[docs](https://example.org)**")))
                .isEqualTo("see *docs (https://example.org)*");
    }

    @Test
    void styleOverALinesEndEndsAndBeginsAgain() {
        assertThat(Dialects.SLACK.render(Markdown.read("**one\ntwo**"))).isEqualTo("*one*\n*two*");
    }

    @Test
    void hostileTextNeverBreaksOut() {
        StyledText text = Markdown.read("<script>alert(1)</script> & <@U1> <!channel> `</code>`");

        assertThat(Dialects.HTML.render(text)).doesNotContain("<script", "<@U1>", "</code></code>");
        assertThat(Dialects.SLACK.render(text)).doesNotContain("<@U1>", "<!channel>");
    }

    @Test
    void anythingIsReadAndRendered() {
        String[] pieces = {
            "*", "_", "**", "`", "```\n", "[", "](", ")", "> ", "- ", "1. ", "\n", "\n\n", "|", "|-|\n", "#", " ", "x",
            "~~", "<", "    ", "\u8ba1"
        };
        Random random = new Random(7);
        for (int i = 0; i < 3000; i++) {
            StringBuilder markdown = new StringBuilder();
            int many = random.nextInt(60);
            for (int j = 0; j < many; j++) {
                markdown.append(pieces[random.nextInt(pieces.length)]);
            }
            assertThatCode(() -> {
                        StyledText text = Markdown.read(markdown.toString());
                        for (Dialect dialect :
                                new Dialect[] {Dialects.SLACK, Dialects.DISCORD, Dialects.HTML, Dialects.WHATSAPP}) {
                            dialect.render(text);
                            new Splitter(32, Measure.UTF_16, Dialect.PLAIN)
                                    .split(text)
                                    .forEach(dialect::render);
                        }
                    })
                    .as(() -> "text " + markdown)
                    .doesNotThrowAnyException();
        }
    }
}
