package dev.parley.adapter.console;

import dev.parley.application.port.SessionQuery;
import dev.parley.application.view.TimeSpan;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a list of sessions was asked for, which its page and its file share. */
final class SessionList {
    private SessionList() {}

    /** Returns whether the newest start comes first: where that is asked for, and within a span of time, which looks at starts. */
    static boolean isByStart(PageRequest request) {
        return request.parameter("order").filter("start"::equals).isPresent()
                || !request.span().isAll();
    }

    /** Returns whether delegates and continuations are rows of their own. */
    static boolean hasAll(PageRequest request) {
        return request.parameter("children").isPresent();
    }

    /** Returns the parameters of its address, without a place in it. */
    static Map<String, String> filters(PageRequest request) {
        Map<String, String> filters = new LinkedHashMap<>();
        filters.put("order", isByStart(request) ? "start" : "");
        filters.put("source", request.parameter("source").orElse(""));
        filters.put("children", hasAll(request) ? "1" : "");
        filters.put("q", request.parameter("q").orElse(""));
        filters.put("from", request.text("from"));
        filters.put("to", request.text("to"));
        return filters;
    }

    static SessionQuery query(PageRequest request) {
        TimeSpan span = request.span();
        return SessionQuery.usual()
                .between(span.from(), span.to())
                .sources(request.parameter("source").or(() -> Optional.of("")), Set.of())
                .shape(hasAll(request), !hasAll(request))
                .ordered(isByStart(request) ? SessionQuery.Order.STARTED : SessionQuery.Order.LAST_ACTIVE)
                .matching(false, request.parameter("q"));
    }
}
