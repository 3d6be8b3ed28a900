package dev.parley.domain.search;

import dev.parley.domain.text.Ascii;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A text that is searched: whether it matches, how often phrases occur, and the part of it that shows that (storage 5.4). */
public final class SearchedText {
    private static final int TRIGRAM = 3;
    private static final int WINDOW = 40;

    private final TextSearch search;
    private final String text;
    private final Words words;
    private final String lower;

    /** Where something stands. */
    private record Span(int start, int end) {}

    /** Looks in a text for what a search asks. */
    public SearchedText(TextSearch search, String text) {
        this.search = search;
        this.text = text;
        this.words = new Words(search.route() == SearchSyntax.Route.WORDS ? text : "");
        this.lower = switch (search.route()) {
            case WORDS -> "";
            case TRIGRAMS -> CaseFold.of(text);
            case SCAN -> Ascii.lower(text);
        };
    }

    /** Returns how much there is to search in: words, or characters where parts of the text are compared. */
    public int size() {
        return search.route() == SearchSyntax.Route.WORDS ? words.count() : text.length();
    }

    /** Returns whether the text is what was asked for. */
    public boolean matches() {
        return matches(search.terms());
    }

    private boolean matches(SearchTerms terms) {
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
        return terms instanceof SearchTerms.Phrase phrase
                && !places(phrase, true).isEmpty();
    }

    /** A phrase without words, or too short to be looked up, asks for nothing. */
    private boolean asksNothing(SearchTerms.Phrase phrase) {
        return switch (search.route()) {
            case WORDS -> search.wordsOf(phrase).length == 0;
            case TRIGRAMS -> isTooShort(phrase);
            case SCAN -> false;
        };
    }

    private static boolean isTooShort(SearchTerms.Phrase phrase) {
        return phrase.text().codePointCount(0, phrase.text().length()) < TRIGRAM;
    }

    /** Returns how often a phrase occurs. */
    public int occurrences(SearchTerms.Phrase phrase) {
        return places(phrase, false).size();
    }

    private List<Span> places(SearchTerms.Phrase phrase, boolean onlyFirst) {
        return switch (search.route()) {
            case WORDS -> wordPlaces(search.wordsOf(phrase), phrase.prefix(), onlyFirst);
            case TRIGRAMS -> isTooShort(phrase) ? List.of() : partPlaces(CaseFold.of(phrase.text()), onlyFirst);
            case SCAN -> partPlaces(Ascii.lower(phrase.text()), onlyFirst);
        };
    }

    private List<Span> partPlaces(String wanted, boolean onlyFirst) {
        List<Span> places = new ArrayList<>();
        int at = lower.indexOf(wanted);
        while (at >= 0 && !(onlyFirst && !places.isEmpty())) {
            int end = Math.min(text.length(), at + wanted.length());
            places.add(new Span(Math.min(at, end), end));
            at = lower.indexOf(wanted, at + Math.max(1, wanted.length()));
        }
        return places;
    }

    private List<Span> wordPlaces(String[] phrase, boolean prefix, boolean onlyFirst) {
        List<Span> places = new ArrayList<>();
        for (int at = 0; phrase.length > 0 && at + phrase.length <= words.count(); at++) {
            if (standsAt(phrase, prefix, at)) {
                places.add(new Span(words.start(at), words.end(at + phrase.length - 1)));
                if (onlyFirst) {
                    return places;
                }
            }
        }
        return places;
    }

    private boolean standsAt(String[] phrase, boolean prefix, int at) {
        for (int i = 0; i < phrase.length; i++) {
            if (!words.is(at + i, phrase[i], prefix && i == phrase.length - 1)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the part of the text around the matches, about forty words, with the matches marked (storage 5.4). */
    public String snippet() {
        List<Span> spans = new ArrayList<>();
        search.wanted().forEach(phrase -> spans.addAll(places(phrase, false)));
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
        if (search.route() == SearchSyntax.Route.WORDS) {
            for (int i = 0; i < words.count(); i++) {
                units.add(new Span(words.start(i), words.end(i)));
            }
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
}
