package dev.parley.benchmarks;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The searches that cost most for their length, each asked in every order: none may take more than a second. */
final class CostlySearches {
    private static final int LONGEST = 2_048;

    private CostlySearches() {}

    /** Searches a home with this number of messages and prints a table in Markdown. */
    public static void main(String[] arguments) throws Exception {
        int messages = arguments.length == 0 ? 1_000_000 : Integer.parseInt(arguments[0]);
        Path home = ScaleHome.of(messages);
        System.out.println("| Search | order | hits | ms |");
        System.out.println("|---|---|---|---|");
        try (Storage storage = Stores.sqlite(home.resolve("state.db"), StorageSettings.Mode.READ_ONLY)) {
            for (Map.Entry<String, String> each : queries().entrySet()) {
                for (Optional<SearchQuery.Sort> sort : List.of(
                        Optional.<SearchQuery.Sort>empty(),
                        Optional.of(SearchQuery.Sort.NEWEST),
                        Optional.of(SearchQuery.Sort.OLDEST))) {
                    long begun = System.nanoTime();
                    List<SearchHit> hits = storage.search().search(query(each.getValue(), sort));
                    System.out.printf(
                            Locale.ROOT,
                            "| %s | %s | %d | %.0f |%n",
                            each.getKey(),
                            sort.map(Enum::name).orElse("rank").toLowerCase(Locale.ROOT),
                            hits.size(),
                            (System.nanoTime() - begun) / 1e6);
                }
            }
        }
    }

    private static SearchQuery query(String text, Optional<SearchQuery.Sort> sort) {
        SearchQuery usual = SearchQuery.of(text);
        return new SearchQuery(
                text,
                usual.sources(),
                usual.excludeSources(),
                usual.roles(),
                usual.limit(),
                usual.offset(),
                sort,
                usual.viewer());
    }

    private static Map<String, String> queries() {
        Map<String, String> queries = new LinkedHashMap<>();
        queries.put("two words", ChatTexts.TWO_WORDS);
        queries.put("a common word", ChatTexts.COMMON);
        queries.put("the most common word", mostCommon());
        queries.put("a letter and a star", "s*");
        queries.put("all letters with stars, side by side", letters(" "));
        queries.put("all letters with stars, OR", letters(" OR "));
        queries.put("a word that all have but not one that most have", "s* NOT t*");
        queries.put("64 words, OR", words(" OR "));
        queries.put("64 words, side by side", words(" "));
        queries.put("one letter in 1,024 places", repeated("a "));
        queries.put("one letter with a star in 682 places", repeated("a* "));
        queries.put("a phrase of common words", "\"" + mostCommon() + " " + mostCommon() + "\"");
        queries.put("one Chinese character", "一");
        queries.put("two Chinese characters", ChatTexts.SHORT_CJK);
        queries.put("two that nobody wrote", "龘龖");
        queries.put("200 single Chinese characters", characters(" "));
        queries.put("200 single Chinese characters, OR", characters(" OR "));
        queries.put("not a Chinese character", "协议 NOT 一");
        queries.put("Chinese or a word", "大别山 OR deploy");
        queries.put("Chinese or a word that nobody wrote", "大别山龘 OR zzzzqq");
        queries.put("one character or a word that nobody wrote", "龘 OR zzzzqq");
        queries.put("three characters that nobody wrote", "龘龖龗");
        queries.put("2,048 Chinese characters", repeated("一乙丁"));
        queries.put("noise", noise());
        return queries;
    }

    private static String mostCommon() {
        Map<String, Long> counts = new LinkedHashMap<>();
        IntStream.range(0, 200).forEach(i -> {
            for (String word : ChatTexts.of(i).split("[ .]+", -1)) {
                if (!word.isEmpty()) {
                    counts.merge(word, 1L, Long::sum);
                }
            }
        });
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    private static String letters(String between) {
        return IntStream.rangeClosed('a', 'z').mapToObj(c -> (char) c + "*").collect(Collectors.joining(between));
    }

    private static String words(String between) {
        List<String> words = new ArrayList<>();
        for (int i = 0; words.size() < 64; i++) {
            for (String word : ChatTexts.of(i * 10L).split("[ .]+", -1)) {
                if (!word.isEmpty() && !words.contains(word) && words.size() < 64) {
                    words.add(word);
                }
            }
        }
        return String.join(between, words);
    }

    private static String characters(String between) {
        return IntStream.range(0, 200)
                .mapToObj(i -> Character.toString(0x4e00 + i))
                .collect(Collectors.joining(between));
    }

    private static String repeated(String text) {
        return text.repeat(LONGEST / text.length());
    }

    private static String noise() {
        String from = "ab* \"'()-+:^~ANDORNOT 一协议龘";
        Random random = new Random(5);
        return random.ints(LONGEST, 0, from.length())
                .mapToObj(i -> String.valueOf(from.charAt(i)))
                .collect(Collectors.joining());
    }
}
