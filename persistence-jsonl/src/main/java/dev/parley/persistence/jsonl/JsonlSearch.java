package dev.parley.persistence.jsonl;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.domain.search.SearchSyntax;
import dev.parley.domain.search.SearchTerms;
import dev.parley.domain.session.Session;
import dev.parley.domain.text.Blanks;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.persistence.jsonl.state.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Searches by reading the transcripts of the sessions that are asked for. */
final class JsonlSearch implements TranscriptSearch {
    private static final int CONTEXT = 200;
    private static final int BEFORE = 40;
    private static final int EXCERPT = 120;

    private final Store store;

    JsonlSearch(Store store) {
        this.store = store;
    }

    @Override
    public List<SearchHit> search(SearchQuery query) {
        String sanitised = SearchSyntax.sanitise(query.text());
        SearchSyntax.Route route = SearchSyntax.route(sanitised);
        Optional<SearchTerms> terms = terms(sanitised, route);
        if (sanitised.isEmpty() || terms.isEmpty()) {
            return List.of();
        }
        List<SearchTerms.Phrase> wanted = terms.get().wantedPhrases();
        Ranking ranking = new Ranking(wanted.size());
        List<Found> found = new ArrayList<>();
        for (Session session : store.read(store::sessions)) {
            if (isAsked(session, query)) {
                collect(session, query, route, terms.get(), wanted, found, ranking);
            }
        }
        return found.stream()
                .sorted(order(query, route, ranking))
                .skip(Math.max(0, query.offset()))
                .limit(query.limit() < 0 ? Long.MAX_VALUE : query.limit())
                .map(each -> each.hit(wanted, route))
                .toList();
    }

    private static Optional<SearchTerms> terms(String sanitised, SearchSyntax.Route route) {
        return switch (route) {
            case WORDS -> SearchSyntax.parse(sanitised).or(() -> SearchSyntax.parseLeniently(sanitised));
            case TRIGRAMS -> SearchSyntax.parseSubstrings(sanitised, false);
            case SCAN -> SearchSyntax.parseSubstrings(sanitised, true);
        };
    }

    private static boolean isAsked(Session session, SearchQuery query) {
        return query.sources()
                        .filter(sources -> !sources.contains(session.source()))
                        .isEmpty()
                && !query.excludeSources().contains(session.source())
                && query.viewer().maySee(session);
    }

    private void collect(
            Session session,
            SearchQuery query,
            SearchSyntax.Route route,
            SearchTerms terms,
            List<SearchTerms.Phrase> wanted,
            List<Found> found,
            Ranking ranking) {
        List<StoredMessage> shown = store.read(() -> store.passingMessages(session.id())).stream()
                .filter(row -> row.state() != StoredMessage.State.REWOUND)
                .toList();
        for (int i = 0; i < shown.size(); i++) {
            Message message = shown.get(i).message();
            boolean asked = query.roles().isEmpty()
                    || query.roles().contains(message.role().name());
            if (!asked) {
                continue;
            }
            SearchedText text = new SearchedText(indexed(message), route);
            ranking.count(text);
            if (text.matches(terms)) {
                List<Integer> places = wanted.stream()
                        .map(phrase -> text.places(phrase).size())
                        .toList();
                ranking.countMatches(places);
                found.add(new Found(session, shown, i, places, text.size()));
            }
        }
    }

    private static Comparator<Found> order(SearchQuery query, SearchSyntax.Route route, Ranking ranking) {
        Comparator<Found> oldest = Comparator.comparing(
                        (Found each) -> each.row().message().at())
                .thenComparing(each -> each.row().sequence());
        Comparator<Found> best = Comparator.comparingDouble((Found each) -> -ranking.score(each.places, each.size))
                .thenComparing(each -> each.row().sequence());
        return query.sort()
                .map(sort -> sort == SearchQuery.Sort.OLDEST ? oldest : oldest.reversed())
                .orElse(route == SearchSyntax.Route.SCAN ? oldest.reversed() : best);
    }

    private static String indexed(Message message) {
        String content = message.content() instanceof Content.Multipart parts
                ? parts.json().text()
                : message.content().plainText();
        return content + " " + message.toolName().orElse("") + " "
                + message.toolCalls().map(JsonlSearch::text).orElse("");
    }

    private static String text(ToolCalls calls) {
        return calls.json().map(RawJson::text).orElseGet(() -> {
            StringBuilder text = new StringBuilder();
            for (ToolCall call : calls.calls()) {
                text.append(call.id()).append(" type function name ").append(call.name());
                text.append(" arguments ").append(call.arguments()).append(' ');
            }
            return text.toString();
        });
    }

    private static String shown(Content content) {
        if (content instanceof Content.Multipart parts) {
            String said = Blanks.trim(String.join(" ", parts.textParts()));
            return said.isEmpty() ? "[multimodal content]" : said;
        }
        return content.plainText();
    }

    private static String cut(String text, int characters) {
        return text.codePointCount(0, text.length()) <= characters
                ? text
                : text.substring(0, text.offsetByCodePoints(0, characters));
    }

    /** How well texts match, by how often and how rarely phrases occur (Okapi BM25, as SQLite's index has it). */
    private static final class Ranking {
        private static final double K = 1.2;
        private static final double B = 0.75;

        private final long[] with;
        private long texts;
        private long size;

        Ranking(int phrases) {
            this.with = new long[phrases];
        }

        void count(SearchedText text) {
            texts++;
            size += text.size();
        }

        void countMatches(List<Integer> places) {
            for (int i = 0; i < with.length; i++) {
                with[i] += places.get(i) > 0 ? 1 : 0;
            }
        }

        double score(List<Integer> places, int length) {
            double average = Math.max(1.0, (double) size / Math.max(1, texts));
            double score = 0;
            for (int i = 0; i < with.length; i++) {
                double rarity = Math.max(1e-6, Math.log((texts - with[i] + 0.5) / (with[i] + 0.5)));
                score += rarity * places.get(i) * (K + 1) / (places.get(i) + K * (1 - B + B * length / average));
            }
            return score;
        }
    }

    /** A message that matches. */
    private record Found(Session session, List<StoredMessage> shown, int place, List<Integer> places, int size) {
        StoredMessage row() {
            return shown.get(place);
        }

        SearchHit hit(List<SearchTerms.Phrase> wanted, SearchSyntax.Route route) {
            Message message = row().message();
            List<SearchHit.Line> context = new ArrayList<>();
            for (StoredMessage near : shown.subList(Math.max(0, place - 1), Math.min(place + 2, shown.size()))) {
                context.add(new SearchHit.Line(
                        near.message().role(),
                        cut(JsonlSearch.shown(near.message().content()), CONTEXT)));
            }
            return new SearchHit(
                    row().sequence(),
                    session.id(),
                    message.role(),
                    message.at(),
                    route == SearchSyntax.Route.SCAN
                            ? excerpt(message.content(), wanted)
                            : Optional.of(new SearchedText(indexed(message), route).snippet(wanted)),
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
            String said = JsonlSearch.shown(content);
            int found = wanted.isEmpty() ? -1 : said.indexOf(wanted.get(0).text());
            int start = Math.max(0, said.codePointCount(0, Math.max(0, found)) - BEFORE);
            return Optional.of(cut(said.substring(said.offsetByCodePoints(0, start)), EXCERPT));
        }
    }
}
