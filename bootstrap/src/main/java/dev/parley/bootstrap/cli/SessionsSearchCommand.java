package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.view.PlainRows;
import dev.parley.application.view.TimeSpan;
import dev.parley.domain.session.Viewer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds messages (storage 5). */
@Command(name = "search", description = "find messages")
final class SessionsSearchCommand implements Callable<Integer> {
    private final SessionsCommand sessions;

    @Parameters(paramLabel = "QUERY", description = "words, \"phrases\", prefix*, AND, OR, NOT")
    private String query = "";

    @Mixin
    private final WindowOptions window = new WindowOptions();

    @Option(names = "--source", paramLabel = "S,S", split = ",", description = "only these sources")
    private String @Nullable [] sources;

    @Option(names = "--exclude", paramLabel = "S,S", split = ",", description = "not these sources")
    private String @Nullable [] exclude;

    @Option(names = "--role", paramLabel = "R,R", split = ",", description = "only these roles")
    private String @Nullable [] roles;

    @Option(names = "--sort", paramLabel = "newest|oldest", description = "by time instead of by match")
    private @Nullable String sort;

    @Mixin
    private final TimeOptions times = new TimeOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    SessionsSearchCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        Workplace w = sessions.workplace();
        TimeSpan span = times.span(w);
        SearchQuery wanted = new SearchQuery(
                        query,
                        sources == null ? Optional.empty() : Optional.of(Items.of(sources)),
                        Items.of(exclude),
                        Items.of(roles),
                        window.limit(),
                        window.offset(),
                        sort(sort),
                        Viewer.operator())
                .between(span.from(), span.to());
        try (Storage storage = sessions.look()) {
            List<SearchHit> hits = storage.search().search(wanted, w::note);
            if (json.isWanted()) {
                w.json(hits.stream().map(PlainRows::hit).toList());
            } else {
                Table table = Table.printedAsItComes(w.out(), "SESSION", "ROLE", "WHEN", "MATCH");
                hits.forEach(h -> table.row(
                        h.session().value(),
                        h.role().name(),
                        w.when(h.at()),
                        h.snippet().orElse("").strip().replaceAll("\\s+", " ")));
                table.print(w.out());
            }
        }
        return ExitCode.DONE.code();
    }

    private static Optional<SearchQuery.Sort> sort(@Nullable String sort) {
        if (sort == null) {
            return Optional.empty();
        }
        return switch (sort.toLowerCase(Locale.ROOT)) {
            case "newest" -> Optional.of(SearchQuery.Sort.NEWEST);
            case "oldest" -> Optional.of(SearchQuery.Sort.OLDEST);
            default -> throw new InvalidRequest("--sort is \"" + sort + "\"; say newest or oldest.");
        };
    }
}
