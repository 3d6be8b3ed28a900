package dev.parley.persistence.jsonl;

import dev.parley.domain.search.SearchSyntax;
import dev.parley.domain.search.SearchTerms;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A text that is searched: its words and where they stand, or its characters where words say nothing (storage 1.4, 5.5). */
final class SearchedText {
    private static final int TRIGRAM = 3;
    private static final int WINDOW = 40;

    private final String text;
    private final SearchSyntax.Route route;
    private final List<Word> words;
    private final String lower;

    /** A word, folded, and where it stands. */
    private record Word(int start, int end, String folded) {}

    /** Where a phrase was found. */
    record Span(int start, int end) {}

    SearchedText(String text, SearchSyntax.Route route) {
        this.text = text;
        this.route = route;
        this.words = route == SearchSyntax.Route.WORDS ? words(text) : List.of();
        this.lower = switch (route) {
            case WORDS -> "";
            case TRIGRAMS -> text.toLowerCase(Locale.ROOT);
            case SCAN -> JsonlSessions.asciiLower(text);
        };
    }

    /** Returns how much there is to search in. */
    int size() {
        return route == SearchSyntax.Route.WORDS ? words.size() : text.length();
    }

    boolean matches(SearchTerms terms) {
        if (terms instanceof SearchTerms.Both both) {
            return matches(both.left()) && matches(both.right());
        }
        if (terms instanceof SearchTerms.Either either) {
            return matches(either.left()) || matches(either.right());
        }
        if (terms instanceof SearchTerms.Without without) {
            return matches(without.wanted()) && !matches(without.unwanted());
        }
        if (terms instanceof SearchTerms.Together together) {
            boolean asked = false;
            for (SearchTerms part : together.parts()) {
                if (part instanceof SearchTerms.Phrase phrase && asksNothing(phrase)) {
                    continue;
                }
                asked = true;
                if (!matches(part)) {
                    return false;
                }
            }
            return asked;
        }
        return terms instanceof SearchTerms.Phrase phrase && !places(phrase).isEmpty();
    }

    /** A phrase without words, or too short to be looked up, asks for nothing. */
    private boolean asksNothing(SearchTerms.Phrase phrase) {
        return switch (route) {
            case WORDS -> words(phrase.text()).isEmpty();
            case TRIGRAMS -> isTooShort(phrase);
            case SCAN -> false;
        };
    }

    private static boolean isTooShort(SearchTerms.Phrase phrase) {
        return phrase.text().codePointCount(0, phrase.text().length()) < TRIGRAM;
    }

    /** Returns every place of a phrase. */
    List<Span> places(SearchTerms.Phrase phrase) {
        return switch (route) {
            case WORDS -> wordPlaces(words(phrase.text()), phrase.prefix());
            case TRIGRAMS ->
                isTooShort(phrase) ? List.of() : partPlaces(phrase.text().toLowerCase(Locale.ROOT));
            case SCAN -> partPlaces(JsonlSessions.asciiLower(phrase.text()));
        };
    }

    private List<Span> partPlaces(String wanted) {
        List<Span> places = new ArrayList<>();
        for (int at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length())) {
            int end = Math.min(text.length(), at + wanted.length());
            places.add(new Span(Math.min(at, end), end));
        }
        return places;
    }

    private List<Span> wordPlaces(List<Word> phrase, boolean prefix) {
        List<Span> places = new ArrayList<>();
        for (int at = 0; !phrase.isEmpty() && at + phrase.size() <= words.size(); at++) {
            if (standsAt(phrase, prefix, at)) {
                places.add(new Span(
                        words.get(at).start(), words.get(at + phrase.size() - 1).end()));
            }
        }
        return places;
    }

    private boolean standsAt(List<Word> phrase, boolean prefix, int at) {
        for (int i = 0; i < phrase.size(); i++) {
            String wanted = phrase.get(i).folded();
            String here = words.get(at + i).folded();
            boolean open = prefix && i == phrase.size() - 1;
            if (!(open ? here.startsWith(wanted) : here.equals(wanted))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the part of the text around the matches, about forty words, with the matches marked (storage 5.4). */
    String snippet(List<SearchTerms.Phrase> wanted) {
        List<Span> spans = new ArrayList<>();
        wanted.forEach(phrase -> spans.addAll(places(phrase)));
        spans.sort(Comparator.comparingInt(Span::start).thenComparingInt(Span::end));
        Span window = window(spans);
        StringBuilder snippet = new StringBuilder(window.start() > 0 ? "..." : "");
        int at = window.start();
        for (Span span : spans) {
            if (span.start() >= at && span.end() <= window.end()) {
                snippet.append(text, at, span.start()).append(">>>");
                snippet.append(text, span.start(), span.end()).append("<<<");
                at = span.end();
            }
        }
        snippet.append(text, at, window.end());
        return snippet.append(window.end() < text.length() ? "..." : "").toString();
    }

    /** The stretch with the most matches. */
    private Span window(List<Span> spans) {
        List<Span> units = units();
        if (units.size() <= WINDOW || spans.isEmpty()) {
            return new Span(0, text.length());
        }
        int best = 0;
        int most = -1;
        for (Span span : spans) {
            int first = unitAt(units, span.start());
            int end = units.get(Math.min(first + WINDOW, units.size()) - 1).end();
            int count = 0;
            int last = span.end();
            for (Span other : spans) {
                if (other.start() >= span.start() && other.end() <= end) {
                    count++;
                    last = Math.max(last, other.end());
                }
            }
            if (count > most) {
                most = count;
                int slack = WINDOW - (unitAt(units, last - 1) - first + 1);
                best = Math.max(0, Math.min(first - slack / 2, units.size() - WINDOW));
            }
        }
        int end = best + WINDOW;
        return new Span(
                best == 0 ? 0 : units.get(best).start(),
                end == units.size() ? text.length() : units.get(end - 1).end());
    }

    private List<Span> units() {
        List<Span> units = new ArrayList<>();
        if (route == SearchSyntax.Route.WORDS) {
            words.forEach(word -> units.add(new Span(word.start(), word.end())));
            return units;
        }
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            units.add(new Span(at, at + Character.charCount(text.codePointAt(at))));
        }
        return units;
    }

    private static int unitAt(List<Span> units, int at) {
        int low = 0;
        int high = units.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (units.get(middle).end() <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static List<Word> words(String text) {
        List<Word> words = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            if (!isWordPart(point)) {
                at += Character.charCount(point);
                continue;
            }
            int end = at;
            while (end < text.length() && isWordPart(text.codePointAt(end))) {
                end += Character.charCount(text.codePointAt(end));
            }
            words.add(new Word(at, end, folded(text.substring(at, end))));
            at = end;
        }
        return words;
    }

    private static boolean isWordPart(int point) {
        int type = Character.getType(point);
        return Character.isLetterOrDigit(point)
                || type == Character.NON_SPACING_MARK
                || type == Character.LETTER_NUMBER
                || type == Character.OTHER_NUMBER
                || type == Character.PRIVATE_USE;
    }

    private static String folded(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) > 127) {
                String plain = Normalizer.normalize(word, Normalizer.Form.NFD);
                StringBuilder bare = new StringBuilder(plain.length());
                plain.codePoints()
                        .filter(point -> Character.getType(point) != Character.NON_SPACING_MARK)
                        .forEach(bare::appendCodePoint);
                return bare.toString().toLowerCase(Locale.ROOT);
            }
        }
        return JsonlSessions.asciiLower(word);
    }
}
