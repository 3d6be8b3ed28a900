package dev.parley.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Texts as people write them: 200 to 600 characters, every tenth Chinese, with words and characters of very different frequency. The
 * same number gives the same text.
 */
final class ChatTexts {
    /** A word of every tenth text. */
    static final String COMMON = "deploy";
    /** Two words, of which each is in about one text of a hundred. */
    static final String TWO_WORDS = "gateway timeout";
    /** Two Chinese characters, in one text of a hundred. */
    static final String SHORT_CJK = "协议";

    private static final int SHORTEST = 200;
    private static final int LONGEST = 600;
    private static final int WORDS = 8_000;
    private static final int CHARACTERS = 2_500;
    private static final String SYLLABLES =
            "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu ster ning tion ment";
    private static final List<String> VOCABULARY = vocabulary();

    private ChatTexts() {}

    /** Returns the text of this number. */
    static String of(long number) {
        Random random = new Random(number * 1_000_003 + 7);
        int length = SHORTEST + random.nextInt(LONGEST - SHORTEST + 1);
        boolean chinese = number % 10 == 9;
        StringBuilder text = new StringBuilder(length + 16);
        if (number % 10 == 3) {
            text.append(COMMON).append(' ');
        }
        if (number % 100 == 57) {
            text.append(TWO_WORDS).append(' ');
        }
        if (number % 100 == 59) {
            text.append(SHORT_CJK);
        }
        while (text.length() < length) {
            if (chinese) {
                chinese(random, text);
            } else {
                text.append(VOCABULARY.get(drawn(random, WORDS))).append(random.nextInt(12) == 0 ? ". " : " ");
            }
        }
        text.setLength(length);
        return text.toString();
    }

    private static void chinese(Random random, StringBuilder text) {
        int characters = 4 + random.nextInt(12);
        for (int i = 0; i < characters; i++) {
            text.append((char) (0x4e00 + drawn(random, CHARACTERS)));
        }
        text.append(random.nextBoolean() ? '，' : '。');
    }

    /** Returns a number below {@code most}, small ones far more often. */
    private static int drawn(Random random, int most) {
        double chance = random.nextDouble();
        return (int) (most * chance * chance * chance);
    }

    private static List<String> vocabulary() {
        String[] syllables = SYLLABLES.split(" ", -1);
        Random random = new Random(11);
        List<String> words = new ArrayList<>(WORDS);
        for (int i = 0; i < WORDS; i++) {
            StringBuilder word = new StringBuilder();
            int parts = 1 + random.nextInt(i < 200 ? 2 : 4);
            for (int part = 0; part < parts; part++) {
                word.append(syllables[random.nextInt(syllables.length)]);
            }
            words.add(word.toString());
        }
        return List.copyOf(words);
    }
}
