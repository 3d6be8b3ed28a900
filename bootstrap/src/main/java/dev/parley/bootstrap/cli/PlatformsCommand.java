package dev.parley.bootstrap.cli;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the platforms there are, how each is, and what is missing. Works with a running gateway and without one; changes nothing. */
@Command(name = "platforms", description = "list the platforms there are, how each is and what is missing")
final class PlatformsCommand implements Callable<Integer> {
    private final ParleyCommand root;

    @Mixin
    private final JsonOption json = new JsonOption();

    PlatformsCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        Workplace w = root.workplace();
        List<PlatformRow> rows = PlatformRow.all(w);
        if (json.isWanted()) {
            w.json(rows.stream().map(PlatformRow::json).toList());
            return ExitCode.DONE.code();
        }
        Table table = new Table("PLATFORM", "STATE", "SINCE", "");
        rows.forEach(row -> table.row(
                row.section(),
                row.state(),
                row.since().map(time -> w.when(Instant.parse(time))).orElse(""),
                row.text()));
        table.print(w.out());
        return ExitCode.DONE.code();
    }
}
