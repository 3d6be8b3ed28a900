package dev.parley.application.scan;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.domain.search.SearchSyntax;
import dev.parley.domain.search.SearchTerms;
import dev.parley.domain.session.Session;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Search over words as the full-text tables have them: letters and digits, without regard to case and accents (storage 1.4);
 * queries with CJK characters search for parts of the text instead (storage 5.5). Looks at every message; without an order the
 * message comes first in which the words stand closest together, by their share of all its words. Safe where the snapshot is.
 */
public final class ScannedSearch implements TranscriptSearch {
    private static final int CONTEXT = 200;
    private static final int AROUND = 40;
    private static final int EXCERPT = 120;
    private static final int TRIGRAM = 3;

    private final Snapshot snapshot;

    /** Searches what the snapshot shows. */
    public ScannedSearch(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    @Override
    public List<SearchHit> search(SearchQuery query) {
        String sanitised = SearchSyntax.sanitise(query.text());
        SearchSyntax.Route route = SearchSyntax.route(sanitised);
        Optional<SearchTerms> terms = terms(sanitised, route);
        return terms.isEmpty()
                ? List.of()
                : snapshot.read(r -> found(r, query, route, terms.get()).stream()
                        .sorted(order(query, route, terms.get().wantedPhrases()))
                        .skip(Math.max(0, query.offset()))
                        .limit(query.limit() < 0 ? Long.MAX_VALUE : query.limit())
                        .map(f -> f.hit(terms.get().wantedPhrases(), route))
                        .toList());
    }

    private static Optional<SearchTerms> terms(String sanitised, SearchSyntax.Route route) {
        return switch (route) {
            case WORDS -> SearchSyntax.parse(sanitised).or(() -> SearchSyntax.parseLeniently(sanitised));
            case TRIGRAMS -> SearchSyntax.parseSubstrings(sanitised, false);
            case SCAN -> SearchSyntax.parseSubstrings(sanitised, true);
        };
    }

    private static List<Found> found(Rows rows, SearchQuery query, SearchSyntax.Route route, SearchTerms terms) {
        List<Found> found = new ArrayList<>();
        for (Session session : rows.sessions()) {
            if (!isAsked(session, query)) {
                continue;
            }
            List<StoredMessage> messages = rows.messages(session.id()).stream()
                    .filter(m -> m.state() != StoredMessage.State.REWOUND)
                    .toList();
            for (int i = 0; i < messages.size(); i++) {
                Text text = new Text(indexed(messages.get(i).message()), route);
                if (isAsked(messages.get(i), query) && text.matches(terms)) {
                    found.add(new Found(session, messages, i, text));
                }
            }
        }
        return found;
    }

    private static boolean isAsked(Session session, SearchQuery query) {
        return query.sources().filter(s -> !s.contains(session.source())).isEmpty()
                && !query.excludeSources().contains(session.source())
                && query.viewer().maySee(session);
    }

    private static boolean isAsked(StoredMessage message, SearchQuery query) {
        return query.roles().isEmpty()
                || query.roles().contains(message.message().role().name());
    }

    private static Comparator<Found> order(
            SearchQuery query, SearchSyntax.Route route, List<SearchTerms.Phrase> wanted) {
        Comparator<Found> oldest = Comparator.comparing(
                        (Found f) -> f.stored().message().at())
                .thenComparing(f -> f.stored().sequence());
        Comparator<Found> best = Comparator.comparingDouble(
                        (Found f) -> -f.text().density(wanted))
                .thenComparing(f -> f.stored().sequence());
        return query.sort()
                .map(sort -> sort == SearchQuery.Sort.OLDEST ? oldest : oldest.reversed())
                .orElse(route == SearchSyntax.Route.SCAN ? oldest.reversed() : best);
    }

    private static String indexed(Message message) {
        return raw(message.content()) + " " + message.toolName().orElse("") + " "
                + message.toolCalls().map(ScannedSearch::text).orElse("");
    }

    private static String text(ToolCalls calls) {
        return calls.json()
                .map(RawJson::text)
                .orElseGet(() -> calls.calls().stream().map(ScannedSearch::text).collect(Collectors.joining(", ")));
    }

    private static String text(ToolCall call) {
        return call.id() + " function " + call.name() + " arguments " + call.arguments();
    }

    private static String raw(Content content) {
        return content instanceof Content.Multipart m ? m.json().text() : content.plainText();
    }

    private static String shown(Content content) {
        if (content instanceof Content.Multipart m) {
            String said = String.join(" ", m.textParts()).strip();
            return said.isEmpty() ? "[multimodal content]" : said;
        }
        return content.plainText();
    }

    private static String cut(String text, int length) {
        return text.codePointCount(0, text.length()) <= length
                ? text
                : text.substring(0, text.offsetByCodePoints(0, length));
    }

    /** A message that matches. */
    private record Found(Session session, List<StoredMessage> messages, int place, Text text) {
        StoredMessage stored() {
            return messages.get(place);
        }

        SearchHit hit(List<SearchTerms.Phrase> wanted, SearchSyntax.Route route) {
            Message message = stored().message();
            List<SearchHit.Line> context = new ArrayList<>();
            for (int i = Math.max(0, place - 1); i <= Math.min(place + 1, messages.size() - 1); i++) {
                Message near = messages.get(i).message();
                context.add(new SearchHit.Line(near.role(), cut(shown(near.content()), CONTEXT)));
            }
            return new SearchHit(
                    stored().sequence(),
                    session.id(),
                    message.role(),
                    message.at(),
                    route == SearchSyntax.Route.SCAN
                            ? excerpt(message.content(), wanted)
                            : Optional.of(text.marked(wanted)),
                    context,
                    session.source(),
                    session.model(),
                    session.startedAt(),
                    message.toolName());
        }

        private static Optional<String> excerpt(Content content, List<SearchTerms.Phrase> wanted) {
            if (content instanceof Content.None) {
                return Optional.empty();
            }
            String said = shown(content);
            int found = wanted.isEmpty() ? -1 : said.indexOf(wanted.get(0).text());
            int start = Math.max(0, said.codePointCount(0, Math.max(0, found)) - AROUND);
            return Optional.of(cut(said.substring(said.offsetByCodePoints(0, start)), EXCERPT));
        }
    }

    /** The searchable text of a message, with the places of its words. */
    private static final class Text {
        private final String text;
        private final SearchSyntax.Route route;
        private final List<Word> words;

        Text(String text, SearchSyntax.Route route) {
            this.text = text;
            this.route = route;
            this.words = words(text);
        }

        boolean matches(SearchTerms terms) {
            if (terms instanceof SearchTerms.Both t) {
                return matches(t.left()) && matches(t.right());
            }
            if (terms instanceof SearchTerms.Either t) {
                return matches(t.left()) || matches(t.right());
            }
            if (terms instanceof SearchTerms.Without t) {
                return matches(t.wanted()) && !matches(t.unwanted());
            }
            if (terms instanceof SearchTerms.Together t) {
                List<SearchTerms> parts =
                        t.parts().stream().filter(this::saysSomething).toList();
                return !parts.isEmpty() && parts.stream().allMatch(this::matches);
            }
            return terms instanceof SearchTerms.Phrase phrase && !places(phrase).isEmpty();
        }

        /** Parts that cannot be looked up ask for nothing (storage 5.5). */
        private boolean saysSomething(SearchTerms part) {
            return !(part instanceof SearchTerms.Phrase phrase)
                    || switch (route) {
                        case WORDS -> !words(phrase.text()).isEmpty();
                        case TRIGRAMS -> isLongEnough(phrase);
                        case SCAN -> true;
                    };
        }

        private static boolean isLongEnough(SearchTerms.Phrase phrase) {
            return phrase.text().codePointCount(0, phrase.text().length()) >= TRIGRAM;
        }

        double density(List<SearchTerms.Phrase> wanted) {
            double found = wanted.stream().mapToInt(p -> places(p).size()).sum();
            return found / Math.max(1, words.size());
        }

        String marked(List<SearchTerms.Phrase> wanted) {
            List<Span> spans = new ArrayList<>();
            wanted.forEach(p -> spans.addAll(places(p)));
            spans.sort(Comparator.comparingInt(Span::start).thenComparingInt(Span::end));
            StringBuilder marked = new StringBuilder();
            int at = 0;
            for (Span span : spans) {
                if (span.start() >= at) {
                    marked.append(text, at, span.start())
                            .append(">>>")
                            .append(text, span.start(), span.end())
                            .append("<<<");
                    at = span.end();
                }
            }
            return marked.append(text, at, text.length()).toString();
        }

        private List<Span> places(SearchTerms.Phrase phrase) {
            return switch (route) {
                case WORDS -> wordPlaces(words(phrase.text()), phrase.prefix());
                case TRIGRAMS -> isLongEnough(phrase) ? partPlaces(phrase.text()) : List.of();
                case SCAN -> partPlaces(phrase.text());
            };
        }

        private List<Span> partPlaces(String part) {
            String all = text.toLowerCase(Locale.ROOT);
            String wanted = part.toLowerCase(Locale.ROOT);
            List<Span> places = new ArrayList<>();
            for (int at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + wanted.length())) {
                places.add(new Span(at, at + wanted.length()));
            }
            return places;
        }

        private List<Span> wordPlaces(List<Word> phrase, boolean prefix) {
            List<Span> places = new ArrayList<>();
            for (int at = 0; !phrase.isEmpty() && at + phrase.size() <= words.size(); at++) {
                if (standsAt(phrase, prefix, at)) {
                    places.add(new Span(
                            words.get(at).start(),
                            words.get(at + phrase.size() - 1).end()));
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
            return Character.isLetterOrDigit(point) || Character.getType(point) == Character.NON_SPACING_MARK;
        }

        private static String folded(String word) {
            return Normalizer.normalize(word, Normalizer.Form.NFD)
                    .replaceAll("\\p{Mn}+", "")
                    .toLowerCase(Locale.ROOT);
        }
    }

    private record Word(int start, int end, String folded) {}

    private record Span(int start, int end) {}
}
