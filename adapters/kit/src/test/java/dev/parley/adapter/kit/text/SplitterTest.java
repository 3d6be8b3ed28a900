package dev.parley.adapter.kit.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitterTest {
    private static final String FAMILY = "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67";

    @Test
    void aTextThatFitsStaysWhole() {
        assertThat(split(20, "short enough")).containsExactly("short enough");
    }

    @Test
    void aBlankTextHasNoParts() {
        assertThat(split(20, " \n ")).isEmpty();
    }

    @Test
    void aParagraphsEndIsTheBestPlaceToCut() {
        assertThat(split(30, "One paragraph here.\n\nAnother one. It goes on."))
                .containsExactly("One paragraph here.", "Another one. It goes on.");
    }

    @Test
    void aLinesEndIsPreferredWhereThePartIsHalfFull() {
        assertThat(split(30, "twenty letters or so\nand some more words there"))
                .containsExactly("twenty letters or so", "and some more words there");
    }

    @Test
    void aSentenceEndIsPreferredToAWordsEnd() {
        assertThat(split(30, "This is a sentence. And this is another one."))
                .containsExactly("This is a sentence.", "And this is another one.");
    }

    @Test
    void aWordTooLongIsCutBetweenCharactersAsReadersSeeThem() {
        List<String> parts = split(17, FAMILY.repeat(5));

        assertThat(parts)
                .allSatisfy(part -> assertThat(part.length() % FAMILY.length()).isZero());
        assertThat(String.join("", parts)).isEqualTo(FAMILY.repeat(5));
    }

    @Test
    void bytesAreCountedWhereThePlatformCountsThem() {
        List<String> parts = new Splitter(20, Measure.UTF_8_BYTES, Dialect.PLAIN)
                .split(StyledText.plain("\u5927\u522b\u5c71\u9879\u76ee\u770b\u56fe\u8bf4\u8bdd")).stream()
                        .map(StyledText::text)
                        .toList();

        assertThat(parts).containsExactly("\u5927\u522b\u5c71\u9879\u76ee\u770b", "\u56fe\u8bf4\u8bdd");
    }

    @Test
    void aBlockOfCodeThatIsCutIsABlockInBothParts() {
        StyledText code = Markdown.read("```java\n" + "    int value = 1;\n".repeat(6) + "```");
        Splitter discord = new Splitter(80, Measure.UTF_16, Dialects.DISCORD);

        List<String> parts =
                discord.split(code).stream().map(Dialects.DISCORD::render).toList();

        assertThat(parts)
                .hasSizeGreaterThan(1)
                .allSatisfy(part -> assertThat(part)
                        .startsWith("```java\n    int value")
                        .endsWith("\n```")
                        .hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void aLinkStaysWholeWhereItFits() {
        StyledText text = Markdown.read("some words before [the link text](https://example.org) and after");

        List<StyledText> parts = new Splitter(28, Measure.UTF_16, Dialect.PLAIN).split(text);

        assertThat(parts).extracting(StyledText::text).containsExactly("some words before", "the link text and after");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nothingButWhiteSpaceAtCutsIsLostAndEveryPartFits(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            String text = anything(random);
            int limit = 16 + random.nextInt(60);
            Measure measure = List.of(Measure.UTF_16, Measure.CODE_POINTS, Measure.UTF_8_BYTES)
                    .get(random.nextInt(3));
            Splitter splitter =
                    new Splitter(measure == Measure.UTF_8_BYTES ? limit * 2 : limit, measure, Dialect.PLAIN);

            List<StyledText> parts = splitter.split(StyledText.plain(text));

            assertThat(parts).isEqualTo(splitter.split(StyledText.plain(text)));
            assertThat(String.join("", parts.stream().map(StyledText::text).toList())
                            .replaceAll("\\s", ""))
                    .as("seed %d, text %d", seed, i)
                    .isEqualTo(text.replaceAll("\\s", ""));
            assertThat(parts).allSatisfy(part -> {
                assertThat(measure.of(part.text()))
                        .isLessThanOrEqualTo(measure == Measure.UTF_8_BYTES ? limit * 2 : limit);
                assertThat(Pattern.compile("^[\\uDC00-\\uDFFF]|[\\uD800-\\uDBFF]$")
                                .matcher(part.text())
                                .find())
                        .isFalse();
            });
        }
    }

    @Test
    void aTextIsLookedAtInProportionToItsLength() {
        assertThat(rendered(400)).isLessThan(rendered(100) * 5);
    }

    /** Returns how many characters are rendered to cut a text of so many paragraphs, in a dialect in which all of them have styles. */
    private static long rendered(int paragraphs) {
        StyledText text = Markdown.read(
                "Some **bold words** and `code`, and [more](https://example.org).\n\n".repeat(paragraphs));
        AtomicLong characters = new AtomicLong();
        Dialect counting = part -> {
            characters.addAndGet(part.text().length());
            return Dialects.WHATSAPP.render(part);
        };

        List<StyledText> parts = new Splitter(100, Measure.UTF_16, counting).split(text);

        assertThat(parts).hasSize(paragraphs);
        return characters.get();
    }

    @Test
    void aCharacterLongerThanAPartIsCutBetweenPairsAllTheSame() {
        // A flag of a region is one character to readers, and here it is made of 30 pairs.
        String flag = "\ud83c\udff4" + "\udb40\udc67".repeat(29);

        List<String> parts = split(17, flag);

        assertThat(String.join("", parts)).isEqualTo(flag);
    }

    private static String anything(Random random) {
        String[] pieces = {
            "word",
            "a",
            "\n",
            "\n\n",
            " ",
            "  ",
            ". ",
            "\u8ba1\u5212",
            FAMILY,
            "e\u0301",
            "\ud83c\udde9\ud83c\uddea",
            "longerword",
            "https://example.org/a/path",
            "! ",
            "\u3002",
            "\t"
        };
        StringBuilder text = new StringBuilder();
        int many = random.nextInt(120);
        for (int i = 0; i < many; i++) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.toString();
    }

    private static List<String> split(int limit, String text) {
        return new Splitter(limit, Measure.UTF_16, Dialect.PLAIN)
                .split(StyledText.plain(text)).stream().map(StyledText::text).toList();
    }
}
