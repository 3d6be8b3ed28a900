package dev.parley.bootstrap.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A number in a comment, in the name of a test or on a page leads to the text of a rule, and stands behind words. */
class RulesTest {
    private static final Path ROOT = Path.of("..");

    /** A rule's text: an item of a list that begins with the bold number, or a section that has a number as a whole. */
    private static final Pattern TEXT = Pattern.compile("(?m)\\*\\*([A-Z]?\\d+(?:\\.\\d+)?[a-z]?"
            + "|storage \\d+(?:\\.\\d+)?(?: R\\d)?|commit rule \\d+)\\*\\*(?=[ :])|^## (storage \\d+):");

    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.#/%-])"
            + "(?:[SEGKPQXZOAWRF]\\d{1,2}\\.\\d+[a-z]?|[CD](?:1\\d|20|[1-9])(?![\\d.])|14\\.(?:1\\d|20|[1-9])(?=[,:]))"
            + "(?!\\w)");

    /** A number that goes on from a word: {@code storage 3.2, 3.3 and 3.8}. */
    private static final Pattern NAMED = Pattern.compile("(?i)\\b(storage|commit rule)s? (\\d+(?:\\.\\d+)?(?: R\\d)?"
            + "(?:(?:, | and | to |–)\\d+(?:\\.\\d+)?(?![\\w.]*\\w))*)(?! (?:days|hours|minutes|seconds|bytes|MB))");

    /** What points to a document without saying which, or to one that is not here. */
    private static final Pattern LOST = Pattern.compile(
            "(?i)(?<!commit )\\brules? \\d|architecture,? (section )?\\d|architecture, section|\\bspec(ification)?,? section"
                    + "|^\\s*[1-8]\\.\\d{1,2}[:,] |\\([1-8]\\.\\d{1,2}\\)|\\bissues? \\d|words of the specification|\\([a-z]+, [a-z ]+ of the text\\)|lifecycle (rules? )?\\d|(?<!storage )\\bsection \\d|\\[(rec|ref|seed|later|v11\\+)]");

    private static final Pattern COMMENT = Pattern.compile(
            "(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\])+'" + "|/\\*(.*?)\\*/|//([^\n]*)");

    private static final Pattern NAME = Pattern.compile("@DisplayName\\(\\s*((?:\"(?:\\\\.|[^\"\\\\])*\"[\\s+]*)+)\\)");

    @Test
    void everyNumberLeadsToARule() throws IOException {
        Map<String, List<String>> texts = texts();
        List<String> lost = new ArrayList<>();
        int seen = 0;
        for (Reference reference : references()) {
            seen++;
            if (!texts.containsKey(reference.rule())) {
                lost.add(reference.toString());
            }
        }

        assertThat(lost).as("numbers without a text in docs/rules").isEmpty();
        assertThat(seen).as("numbers that were looked up").isGreaterThan(800);
    }

    @Test
    void everyRuleHasOneText() throws IOException {
        Map<String, List<String>> texts = texts();

        assertThat(texts).allSatisfy((rule, pages) -> assertThat(pages).as(rule).hasSize(1));
        assertThat(texts).hasSizeGreaterThan(250);
    }

    @Test
    void nothingPointsToADocumentThatIsNotHere() throws IOException {
        List<String> lost = new ArrayList<>();
        for (Said said : said()) {
            Matcher words = LOST.matcher(said.text());
            while (words.find()) {
                lost.add(said.where() + ": " + around(said.text(), words));
            }
        }

        assertThat(lost)
                .as("say it in words, or name a number of docs/rules or a commit rule of docs/architecture.md")
                .isEmpty();
    }

    @Test
    void commentsAndNamesOfTestsSayTheRuleInWords() throws IOException {
        List<String> bare = new ArrayList<>();
        for (Said said : said()) {
            for (String sentence : said.sentences()) {
                String words = NAMED.matcher(sentence).replaceAll("");
                boolean numbered =
                        !words.equals(sentence) || NUMBER.matcher(sentence).find();
                words = NUMBER.matcher(words).replaceAll("").replaceAll("\\b(to|and|see|rules?)\\b|@\\w+( \\w+)?", "");
                if (numbered && !words.matches("(?s).*\\p{L}{2,}.*")) {
                    bare.add(said.where() + ": " + sentence.strip());
                }
            }
        }

        assertThat(bare).as("comments and names that are nothing but a number").isEmpty();
    }

    @Test
    void theNumbersOfRulesAreFoundWhereTheyStand() {
        assertThat(rules("Keeps it (storage 3.2, 3.3 and 3.8; Q8.15c, R6.1)."))
                .containsExactlyInAnyOrder("storage 3.2", "storage 3.3", "storage 3.8", "Q8.15c", "R6.1");
        assertThat(rules("Commit rules 9 and 10; storage 1.6 R3–R6."))
                .containsExactlyInAnyOrder("commit rule 9", "commit rule 10", "storage 1.6 R3");
        assertThat(rules("D12: a window of 14.9 hours in #C1 and UTF-8, P2P")).containsExactly("D12");
        assertThat(rules("14.9, Q8.20: in order")).containsExactlyInAnyOrder("14.9", "Q8.20");
    }

    private static Map<String, List<String>> texts() throws IOException {
        Map<String, List<String>> texts = new TreeMap<>();
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("docs/architecture.md")));
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/rules"))) {
            files.sorted().forEach(pages::add);
        }
        for (Path page : pages) {
            Matcher text = TEXT.matcher(Files.readString(page));
            while (text.find()) {
                texts.computeIfAbsent(text.group(1) != null ? text.group(1) : text.group(2), rule -> new ArrayList<>())
                        .add(page.getFileName().toString());
            }
        }
        return texts;
    }

    private static List<Reference> references() throws IOException {
        List<Reference> references = new ArrayList<>();
        for (Said said : said()) {
            rules(said.text()).forEach(rule -> references.add(new Reference(rule, said.where())));
        }
        return references;
    }

    private static Set<String> rules(String text) {
        TreeSet<String> rules = new TreeSet<>();
        NUMBER.matcher(text).results().map(MatchResult::group).forEach(rules::add);
        Matcher named = NAMED.matcher(text);
        while (named.find()) {
            for (String number : named.group(2).split(", | and | to |–", -1)) {
                rules.add(named.group(1).toLowerCase(java.util.Locale.ROOT) + " " + number);
            }
        }
        return rules;
    }

    /** Returns the comments and names of tests of all classes, and the pages. */
    private static List<Said> said() throws IOException {
        List<Said> said = new ArrayList<>();
        for (Path file : Sources.ofAllModules()) {
            String source = Files.readString(file);
            Matcher comment = COMMENT.matcher(source);
            while (comment.find()) {
                String text = comment.group(1) != null ? comment.group(1) : comment.group(2);
                if (text != null) {
                    said.add(new Said(
                            file + ":" + line(source, comment.start()), text.replaceAll("(?m)^\\s*\\*+ ?", "")));
                }
            }
            Matcher name = NAME.matcher(source);
            while (name.find()) {
                String text = name.group(1).replaceAll("\"[\\s+]*\"|^\"|\"\\s*$", "");
                said.add(new Said(file + ":" + line(source, name.start()), text));
            }
        }
        for (Path page : Sources.pages()) {
            if (!page.startsWith(ROOT.resolve("docs/rules"))) {
                said.add(new Said(page.toString(), Files.readString(page).replaceAll("(?s)```.*?```", "")));
            }
        }
        return said;
    }

    private static long line(String source, int position) {
        return source.substring(0, position).chars().filter(c -> c == '\n').count() + 1;
    }

    private static String around(String text, Matcher found) {
        return text.substring(Math.max(0, found.start() - 30), Math.min(text.length(), found.end() + 20))
                .replaceAll("\\s+", " ");
    }

    private record Reference(String rule, String where) {
        @Override
        public String toString() {
            return rule + " in " + where;
        }
    }

    private record Said(String where, String text) {
        /** The parts that stand for themselves: the sentence of a comment, and each of its tags. */
        List<String> sentences() {
            return where.endsWith(".md") ? List.of() : List.of(text.split("\\n(?=@)"));
        }
    }
}
