package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.view.TimeSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Finds where something was said.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 */
record SearchPage(GatewayInspection gateway, Frames frames) {
    private static final int FEW = 20;
    private static final List<String> ROLES = List.of("user", "assistant", "tool");
    private static final List<String> SORTS = List.of("newest", "oldest");

    /**
     * What is asked for.
     *
     * @param text what was said
     * @param source in which source; empty for any
     * @param role by whom; empty for anybody
     * @param sort in which order; empty for the best match first
     * @param from from when on, as it was typed; empty for the beginning
     * @param to until when, as it was typed; empty for now
     * @param span the same, understood
     * @param first hits that are left out
     */
    private record Sought(
            String text, String source, String role, String sort, String from, String to, TimeSpan span, int first) {
        static Sought of(PageRequest request) {
            String offset = request.parameter("after").orElse("0");
            return new Sought(
                    request.text("q"),
                    request.text("source"),
                    known(ROLES, request.text("role")),
                    known(SORTS, request.text("sort")),
                    request.text("from"),
                    request.text("to"),
                    request.span(),
                    offset.matches("[0-9]{1,6}") ? Integer.parseInt(offset) : 0);
        }

        private static String known(List<String> words, String word) {
            return words.contains(word) ? word : "";
        }

        SearchQuery query() {
            SearchQuery all = SearchQuery.of(text);
            return new SearchQuery(
                            text,
                            source.isEmpty() ? Optional.empty() : Optional.of(List.of(source)),
                            all.excludeSources(),
                            role.isEmpty() ? List.of() : List.of(role),
                            FEW + 1,
                            first,
                            sort.isEmpty()
                                    ? Optional.empty()
                                    : Optional.of(SearchQuery.Sort.valueOf(sort.toUpperCase(Locale.ROOT))),
                            all.viewer())
                    .between(span.from(), span.to());
        }

        /** Returns the address, without the filter that is chosen next to it. */
        Link without(String filter) {
            return Link.to("/search")
                    .with("q", text)
                    .with("source", filter.equals("source") ? "" : source)
                    .with("role", filter.equals("role") ? "" : role)
                    .with("sort", filter.equals("sort") ? "" : sort)
                    .with("from", from)
                    .with("to", to);
        }

        boolean filtered() {
            return !source.isEmpty() || !role.isEmpty() || !span.isAll();
        }

        List<Pages.Carried> carried() {
            return Stream.of(
                            new Pages.Carried("source", source),
                            new Pages.Carried("role", role),
                            new Pages.Carried("sort", sort))
                    .filter(each -> !each.value().isEmpty())
                    .toList();
        }
    }

    String page(PageRequest request) {
        Sought sought = Sought.of(request);
        List<String> notes = new ArrayList<>();
        Table table = sought.text().isBlank()
                ? Table.of(
                        "Found",
                        List.of(),
                        List.of(),
                        "Type what was said. Words are found together, \"quoted\" ones in a row.")
                : Reads.guarded("Found", () -> found(sought, request.times(), notes::add));
        return Sheet.of(frames.of(request, "Search", ""))
                .intro(String.join(" ", notes))
                .search(new Pages.Sought(
                        Link.ROOT + "/search",
                        Stream.concat(
                                        Stream.of(new Pages.Field(
                                                "Said in any conversation", "q", "search", sought.text())),
                                        request.spanFields().stream())
                                .toList(),
                        sought.carried()))
                .filters(
                        sought.text().isBlank()
                                ? List.of()
                                : List.of(
                                        Sources.choices(gateway, request, sought.without("source")),
                                        words("By", "anybody", "role", ROLES, sought.role(), sought),
                                        words("Order", "best match", "sort", SORTS, sought.sort(), sought)))
                .tables(List.of(table))
                .html();
    }

    private static Pages.Choices words(
            String label, String any, String filter, List<String> words, String chosen, Sought sought) {
        Link here = sought.without(filter);
        List<Pages.Choice> choices = new ArrayList<>();
        choices.add(new Pages.Choice(any, here.text(), chosen.isEmpty()));
        words.forEach(word -> choices.add(new Pages.Choice(word, here.and(filter, word), word.equals(chosen))));
        return new Pages.Choices(label, choices);
    }

    private Table found(Sought sought, Times times, Consumer<String> notes) {
        List<SearchHit> hits = gateway.search().search(sought.query(), notes);
        List<Row> rows = hits.stream()
                .limit(FEW)
                .map(hit -> Row.of(
                        "hit-" + hit.sequence(),
                        Cell.text("Said", Words.line(hit.snippet().orElse("(a tool call)")))
                                .to(Link.to("/session")
                                                .with("id", hit.session().value())
                                                .with("at", String.valueOf(hit.sequence()))
                                                .text()
                                        + "#m-" + hit.sequence())
                                .in("found"),
                        Cell.text("By", hit.role().name()),
                        Cell.text("From", Words.line(hit.source())),
                        times.cell("When", hit.at())))
                .toList();
        Table table = Table.of(
                "Found",
                List.of("Said", "By", "From", "When"),
                rows,
                sought.filtered()
                        ? "Nothing was found with these filters; other sources, speakers and times are left out."
                        : "Nothing was found.");
        return hits.size() > FEW
                ? table.goingOn(sought.without("").and("after", String.valueOf(sought.first() + FEW)))
                : table;
    }
}
