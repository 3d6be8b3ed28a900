package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.Page;
import dev.parley.application.spi.Storage;
import dev.parley.application.view.PlainRows;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.Outgoing;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists messages to chats, latest first. */
@Command(name = "list", description = "list messages to chats, latest first; those that have not arrived unless told")
final class DeliveriesListCommand implements Callable<Integer> {
    private static final int LINE = 100;

    /** Which messages are listed. */
    enum Wanted {
        OPEN,
        EXPIRED,
        DELIVERED,
        ALL;

        /** Returns the states they have; none means any. */
        Set<Outgoing.State> states() {
            return switch (this) {
                case OPEN -> Set.of(Outgoing.State.PENDING, Outgoing.State.ATTEMPTED);
                case EXPIRED -> Set.of(Outgoing.State.EXPIRED);
                case DELIVERED -> Set.of(Outgoing.State.DELIVERED);
                case ALL -> Set.of();
            };
        }
    }

    private final DeliveriesCommand deliveries;

    @Option(
            names = "--state",
            paramLabel = "open|expired|delivered|all",
            defaultValue = "open",
            description = "open: still to be delivered; expired: given up")
    private Wanted state = Wanted.OPEN;

    @Option(names = "--platform", paramLabel = "NAME", description = "only messages to this platform")
    private @Nullable String platform;

    @Option(names = "--lane", paramLabel = "KEY", description = "only messages of this lane")
    private @Nullable String lane;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "at most N messages (default: 20)")
    private int limit;

    @Mixin
    private final JsonOption json = new JsonOption();

    DeliveriesListCommand(DeliveriesCommand deliveries) {
        this.deliveries = deliveries;
    }

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new InvalidRequest("--limit is " + limit + "; say a number of at least 1.");
        }
        Workplace w = deliveries.workplace();
        OutgoingQuery query = new OutgoingQuery(
                Optional.ofNullable(lane).map(SessionKey::of),
                Optional.ofNullable(platform).map(Platform::of),
                state.states(),
                Optional.empty(),
                Optional.empty(),
                limit);
        Page<Outgoing> page;
        try (Storage storage = deliveries.look()) {
            page = storage.queue().outgoing(query);
        }
        if (json.isWanted()) {
            w.json(page.rows().stream().map(PlainRows::delivery).toList());
            return ExitCode.DONE.code();
        }
        Table table = table();
        page.rows().forEach(message -> row(table, w, message));
        table.print(w.out());
        if (page.next().isPresent()) {
            w.note("parley: there are more; say --limit.");
        }
        return ExitCode.DONE.code();
    }

    static Table table() {
        return new Table("STORED", "TO", "STATE", "ATTEMPTS", "LAST FAILURE", "TEXT", "ID");
    }

    static void row(Table table, Workplace w, Outgoing message) {
        table.row(
                w.when(message.createdAt()),
                OneLine.of(message.platform().name() + " " + message.chatId(), LINE),
                message.state().text(),
                Integer.toString(message.attempts()),
                message.delivery().failure().map(why -> OneLine.of(why, LINE)).orElse("-"),
                OneLine.of(message.text(), LINE),
                message.id().value());
    }
}
