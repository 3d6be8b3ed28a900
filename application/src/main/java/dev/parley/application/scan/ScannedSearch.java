package dev.parley.application.scan;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.domain.search.SearchSyntax;
import dev.parley.domain.search.SearchedMessage;
import dev.parley.domain.search.SearchedText;
import dev.parley.domain.search.TextRanking;
import dev.parley.domain.search.TextSearch;
import dev.parley.domain.session.Session;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Search over words as the full-text tables have them: letters and digits, without regard to case and accents (storage 1.4);
 * queries with CJK characters search for parts of the text instead (storage 5.5). Looks at every message of the sessions that are
 * asked for, one session after the other. Without an order the best match comes first, by how often and how rarely the phrases occur.
 * Safe where the snapshot is.
 */
public final class ScannedSearch implements TranscriptSearch {
    private final Snapshot snapshot;

    /** Searches what the snapshot shows; it need not show all sessions at the same moment. */
    public ScannedSearch(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    @Override
    public List<SearchHit> search(SearchQuery query) {
        return TextSearch.of(query.text())
                .map(search -> snapshot.read(rows -> found(rows, query, search)))
                .orElse(List.of());
    }

    private static List<SearchHit> found(StoredRows rows, SearchQuery query, TextSearch search) {
        TextRanking ranking = new TextRanking(search.wanted().size());
        List<Found> found = new ArrayList<>();
        for (Session session : rows.sessions()) {
            if (isAsked(session, query)) {
                collect(session, rows.messages(session.id()), query, search, found, ranking);
            }
        }
        return found.stream()
                .sorted(order(query, search.route(), ranking))
                .skip(Math.max(0, query.offset()))
                .limit(query.limit() < 0 ? Long.MAX_VALUE : query.limit())
                .map(each -> each.hit(search))
                .toList();
    }

    private static boolean isAsked(Session session, SearchQuery query) {
        return query.sources().filter(s -> !s.contains(session.source())).isEmpty()
                && !query.excludeSources().contains(session.source())
                && query.viewer().maySee(session);
    }

    private static void collect(
            Session session,
            List<StoredMessage> messages,
            SearchQuery query,
            TextSearch search,
            List<Found> found,
            TextRanking ranking) {
        List<StoredMessage> shown = messages.stream()
                .filter(row -> row.state() != StoredMessage.State.REWOUND)
                .toList();
        for (int i = 0; i < shown.size(); i++) {
            Message message = shown.get(i).message();
            if (!query.isInTime(message.at())
                    || (!query.roles().isEmpty()
                            && !query.roles().contains(message.role().name()))) {
                continue;
            }
            SearchedText text = new SearchedText(search, new SearchedMessage(message).indexed());
            ranking.measure(text);
            if (text.matches()) {
                List<Integer> places =
                        search.wanted().stream().map(text::occurrences).toList();
                ranking.countMatch(places);
                found.add(new Found(session, shown, i, places, text.size()));
            }
        }
    }

    private static Comparator<Found> order(SearchQuery query, SearchSyntax.Route route, TextRanking ranking) {
        Comparator<Found> oldest = Comparator.comparing(
                        (Found each) -> each.row().message().at())
                .thenComparing(each -> each.row().sequence());
        Comparator<Found> best = Comparator.comparingDouble((Found each) -> -ranking.score(each.places, each.size))
                .thenComparing(each -> each.row().sequence());
        return query.sort()
                .map(sort -> sort == SearchQuery.Sort.OLDEST ? oldest : oldest.reversed())
                .orElse(route == SearchSyntax.Route.SCAN ? oldest.reversed() : best);
    }

    /** A message that matches. */
    private record Found(Session session, List<StoredMessage> shown, int place, List<Integer> places, int size) {
        StoredMessage row() {
            return shown.get(place);
        }

        SearchHit hit(TextSearch search) {
            Message message = row().message();
            SearchedMessage searched = new SearchedMessage(message);
            List<SearchHit.Line> context = new ArrayList<>();
            for (StoredMessage near : shown.subList(Math.max(0, place - 1), Math.min(place + 2, shown.size()))) {
                context.add(new SearchHit.Line(near.message().role(), new SearchedMessage(near.message()).context()));
            }
            return new SearchHit(
                    row().sequence(),
                    session.id(),
                    message.role(),
                    message.at(),
                    search.route() == SearchSyntax.Route.SCAN
                            ? searched.excerpt(search)
                            : Optional.of(new SearchedText(search, searched.indexed()).snippet()),
                    context,
                    session.source(),
                    session.model(),
                    session.startedAt(),
                    message.toolName());
        }
    }
}
