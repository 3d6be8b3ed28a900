package dev.parley.bootstrap.cli;

import dev.parley.application.port.SessionStatistics;
import dev.parley.application.spi.Storage;
import dev.parley.application.view.Rows;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says how much is stored and what it has cost. */
@Command(name = "stats", description = "totals, and per model")
final class SessionsStatsCommand implements Callable<Integer> {
    private final SessionsCommand sessions;

    @Mixin
    private final JsonOption json = new JsonOption();

    SessionsStatsCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        Workplace w = sessions.workplace();
        try (Storage storage = sessions.look()) {
            SessionStatistics statistics = storage.sessions().statistics();
            if (json.isWanted()) {
                w.json(Rows.statistics(statistics));
                return ExitCode.DONE.code();
            }
            w.out()
                    .println(statistics.sessions() + " sessions, " + statistics.messages() + " messages, "
                            + statistics.tokens().total() + " tokens");
            Table table = new Table("MODEL", "SESSIONS", "INPUT", "OUTPUT", "COST USD");
            statistics
                    .models()
                    .forEach(m -> table.row(
                            m.model(),
                            Long.toString(m.sessions()),
                            Long.toString(m.tokens().input()),
                            Long.toString(m.tokens().output()),
                            m.estimatedCostUsd()
                                    .map(c -> String.format(Locale.ROOT, "%.4f", c))
                                    .orElse("-")));
            table.print(w.out());
        }
        return ExitCode.DONE.code();
    }
}
