package dev.parley.bootstrap.cli;

import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TurnQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.view.PlainRows;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * Shows a lane, what waits on it, its latest turns and the messages that did not arrive. While the storage is degraded turns and messages
 * cannot be shown: what is known of the lane is, and the command ends with the reason.
 */
@Command(name = "show", description = "show a lane")
final class LanesShowCommand implements Callable<Integer> {
    private static final int SHOWN = 10;
    private static final int LINE = 100;
    private static final Set<Outgoing.State> UNDELIVERED =
            Set.of(Outgoing.State.PENDING, Outgoing.State.ATTEMPTED, Outgoing.State.EXPIRED);

    private final LanesCommand lanes;

    @Parameters(paramLabel = "KEY", description = "the lane; see `parley lanes list`")
    private String key = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    LanesShowCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        Workplace w = lanes.workplace();
        SessionKey wanted = SessionKey.of(key);
        try (Storage storage = lanes.look()) {
            Optional<Lane> lane = storage.lanes().find(wanted);
            List<Inbound> waiting = storage.queue().admitted(wanted);
            if (lane.isEmpty() && waiting.isEmpty()) {
                return lanes.notFound(wanted);
            }
            Optional<Integer> before = waiting.isEmpty() ? Optional.empty() : w.awaitsPlace(wanted);
            Optional<Done> done = Optional.empty();
            Optional<StorageUnavailable> untold = Optional.empty();
            try {
                done = Optional.of(done(storage, wanted));
            } catch (StorageUnavailable degraded) {
                untold = Optional.of(degraded);
            }
            if (json.isWanted()) {
                Map<String, @Nullable Object> row = row(wanted, lane);
                row.put("waiting", waiting.size());
                row.put("awaits_place", before.isPresent());
                row.put("messages", waiting.stream().map(LanesShowCommand::row).toList());
                row.put(
                        "turns",
                        done.map(of -> of.turns.stream().map(PlainRows::turn).toList())
                                .orElse(null));
                row.put(
                        "undelivered",
                        done.map(of -> of.undelivered.stream()
                                        .map(PlainRows::delivery)
                                        .toList())
                                .orElse(null));
                w.json(row);
            } else {
                Table table = new Table("FIELD", "VALUE");
                row(wanted, lane).forEach((name, value) -> table.row(name, value == null ? "" : value.toString()));
                table.row("waiting", Integer.toString(waiting.size()));
                before.ifPresent(count -> table.row("waits for", "a place among the running lanes, behind " + count));
                table.print(w.out());
                printWaiting(w, waiting);
                done.ifPresent(of -> print(w, of));
            }
            if (untold.isPresent()) {
                throw untold.get();
            }
        }
        return ExitCode.DONE.code();
    }

    /** A lane whose first message waits has no session yet. */
    private static Map<String, @Nullable Object> row(SessionKey key, Optional<Lane> lane) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        lane.map(PlainRows::lane).ifPresentOrElse(row::putAll, () -> row.put("session_key", key.value()));
        return row;
    }

    /** What was done on a lane: its latest turns, and the messages that did not arrive. */
    private record Done(List<Turn> turns, List<Outgoing> undelivered) {}

    private static Done done(Storage storage, SessionKey lane) {
        return new Done(
                storage.queue().turns(TurnQuery.first(SHOWN).of(lane)).rows(),
                storage.queue()
                        .outgoing(OutgoingQuery.first(SHOWN).of(lane).states(UNDELIVERED))
                        .rows());
    }

    private static void print(Workplace w, Done done) {
        print(w, done.turns);
        if (!done.undelivered.isEmpty()) {
            w.out().println();
            Table messages = DeliveriesListCommand.table();
            done.undelivered.forEach(message -> DeliveriesListCommand.row(messages, w, message));
            messages.print(w.out());
        }
    }

    private static Map<String, @Nullable Object> row(Inbound message) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("id", message.id().value());
        row.put("kind", message.kind().name().toLowerCase(Locale.ROOT));
        row.put("received_at", message.receivedAt().toString());
        row.put("text", message.text());
        return row;
    }

    /** The messages that wait, in their order. */
    private static void printWaiting(Workplace w, List<Inbound> waiting) {
        if (waiting.isEmpty()) {
            return;
        }
        w.out().println();
        Table table = new Table("WAITS SINCE", "KIND", "TEXT", "ID");
        waiting.stream()
                .limit(SHOWN)
                .forEach(message -> table.row(
                        w.when(message.receivedAt()),
                        message.kind().name().toLowerCase(Locale.ROOT),
                        OneLine.of(message.text(), LINE),
                        message.id().value()));
        table.print(w.out());
    }

    /** The latest turns, each with how it ended and why. */
    private static void print(Workplace w, List<Turn> turns) {
        if (turns.isEmpty()) {
            return;
        }
        w.out().println();
        Table table = new Table("TURN BEGAN", "STATE", "TOOK", "TOKENS", "WHY");
        for (Turn turn : turns) {
            String reason = turn.reason().map(TurnReason::text).orElse("");
            String note = turn.note().orElse("");
            table.row(
                    w.when(turn.startedAt()),
                    turn.state().text(),
                    turn.took().map(took -> took.toSeconds() + " s").orElse("-"),
                    Long.toString(turn.usage().tokens().total()),
                    reason.isEmpty() || note.isEmpty() ? reason + note : reason + ": " + note);
        }
        table.print(w.out());
    }
}
