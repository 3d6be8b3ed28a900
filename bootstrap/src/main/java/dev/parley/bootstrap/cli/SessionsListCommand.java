package dev.parley.bootstrap.cli;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.view.PlainRows;
import dev.parley.application.view.TimeSpan;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists sessions (storage 3.9). */
@Command(name = "list", description = "list sessions, newest first")
final class SessionsListCommand implements Callable<Integer> {
    /** So many rows are read at a time, because a long list need not fit into memory. */
    private static final int PAGE = 2_000;

    private final SessionsCommand sessions;

    @Mixin
    private final WindowOptions window = new WindowOptions();

    @Option(names = "--source", paramLabel = "S", description = "only this source")
    private @Nullable String source;

    @Option(names = "--exclude", paramLabel = "S,S", split = ",", description = "not these sources")
    private String @Nullable [] exclude;

    @Option(names = "--children", description = "show delegates and continuations as rows of their own")
    private boolean children;

    @Option(names = "--archived", description = "show sessions too that were put away")
    private boolean archived;

    @Option(names = "--raw", description = "show a compressed chain's root as it is stored")
    private boolean raw;

    @Option(
            names = "--sort",
            paramLabel = "started|active",
            defaultValue = "started",
            description = "newest start or latest activity first")
    private String sort = "started";

    @Mixin
    private final TimeOptions times = new TimeOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    SessionsListCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        Workplace w = sessions.workplace();
        TimeSpan span = times.span(w);
        SessionQuery query = SessionQuery.usual()
                .window(window.limit(), window.offset())
                .sources(Optional.ofNullable(source), Set.copyOf(Items.of(exclude)))
                .shape(children, !raw)
                .ordered(order(sort))
                .between(span.from(), span.to());
        if (archived) {
            query = query.withArchived();
        }
        try (Storage storage = sessions.look()) {
            if (json.isWanted()) {
                JsonRows rows = new JsonRows(w.out());
                page(storage, query, each -> rows.add(PlainRows.listing(each)));
                rows.end();
            } else {
                Table table =
                        Table.printedAsItComes(w.out(), "ID", "SOURCE", "STARTED", "MESSAGES", "TITLE", "PREVIEW");
                page(
                        storage,
                        query,
                        r -> table.row(
                                r.session().id().value(),
                                r.session().source(),
                                w.when(r.session().startedAt()),
                                Long.toString(r.session().messageCount()),
                                r.session().title().orElse(""),
                                r.preview()));
                table.print(w.out());
            }
        }
        return ExitCode.DONE.code();
    }

    /** A few rows are asked for at once; many are paged through, so that each page costs what the first one does. */
    private static void page(Storage storage, SessionQuery query, Consumer<SessionListing> each) {
        if (query.limit() >= 0 && query.limit() <= PAGE) {
            storage.sessions().list(query).forEach(each);
            return;
        }
        long left = query.limit() < 0 ? Long.MAX_VALUE : query.limit();
        long passed = 0;
        Optional<Cursor> after = Optional.empty();
        do {
            Page<SessionListing> page = storage.sessions().page(query.window(PAGE, 0), after);
            for (SessionListing row : page.rows()) {
                passed++;
                if (passed > query.offset() && left > 0) {
                    left--;
                    each.accept(row);
                }
            }
            after = page.next();
        } while (after.isPresent() && left > 0);
    }

    private static SessionQuery.Order order(String sort) {
        return switch (sort.toLowerCase(Locale.ROOT)) {
            case "started" -> SessionQuery.Order.STARTED;
            case "active" -> SessionQuery.Order.LAST_ACTIVE;
            default -> throw new InvalidRequest("--sort is \"" + sort + "\"; say started or active.");
        };
    }
}
