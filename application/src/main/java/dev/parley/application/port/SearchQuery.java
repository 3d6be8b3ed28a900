package dev.parley.application.port;

import dev.parley.domain.session.Viewer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A search in the transcripts (storage 5).
 *
 * @param text the query as typed; see storage 5.2 for what is done to it
 * @param sources only these sources; absent means all, an empty list none
 * @param excludeSources not these sources
 * @param roles only these roles; empty means all
 * @param limit at most so many rows; negative means all
 * @param offset rows to leave out first
 * @param sort the order; absent means best match first
 * @param viewer who asks
 * @param from only messages of this time or later
 * @param to only messages of before this time
 */
public record SearchQuery(
        String text,
        Optional<List<String>> sources,
        List<String> excludeSources,
        List<String> roles,
        int limit,
        int offset,
        Optional<Sort> sort,
        Viewer viewer,
        Optional<Instant> from,
        Optional<Instant> to) {

    public SearchQuery {
        sources = sources.map(List::copyOf);
        excludeSources = List.copyOf(excludeSources);
        roles = List.copyOf(roles);
    }

    /** Searches the messages of all times. */
    public SearchQuery(
            String text,
            Optional<List<String>> sources,
            List<String> excludeSources,
            List<String> roles,
            int limit,
            int offset,
            Optional<Sort> sort,
            Viewer viewer) {
        this(text, sources, excludeSources, roles, limit, offset, sort, viewer, Optional.empty(), Optional.empty());
    }

    /** An order by time. */
    public enum Sort {
        /** Newest message first. */
        NEWEST,
        /** Oldest message first. */
        OLDEST
    }

    /** Returns the operator's search over everything with 20 rows. */
    public static SearchQuery of(String text) {
        return new SearchQuery(
                text, Optional.empty(), List.of(), List.of(), 20, 0, Optional.empty(), Viewer.operator());
    }

    /** Returns this for messages of a span of time. */
    public SearchQuery between(Optional<Instant> first, Optional<Instant> end) {
        return new SearchQuery(text, sources, excludeSources, roles, limit, offset, sort, viewer, first, end);
    }

    /** Returns whether a message of this time is asked for. */
    public boolean isInTime(Instant at) {
        return from.filter(at::isBefore).isEmpty()
                && to.filter(end -> !at.isBefore(end)).isEmpty();
    }
}
