package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.application.view.PlainRows;
import dev.parley.domain.session.Lane;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists all lanes. */
@Command(name = "list", description = "list all lanes")
final class LanesListCommand implements Callable<Integer> {
    private final LanesCommand lanes;

    @Mixin
    private final JsonOption json = new JsonOption();

    LanesListCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        Workplace w = lanes.workplace();
        try (Storage storage = lanes.look()) {
            if (json.isWanted()) {
                JsonRows rows = new JsonRows(w.out());
                storage.lanes().forEach(lane -> rows.add(PlainRows.lane(lane)));
                rows.end();
            } else {
                Table table = Table.printedAsItComes(w.out(), "LANE", "SESSION", "LAST ACTIVE", "STATE");
                storage.lanes()
                        .forEach(lane -> table.row(
                                lane.key().value(),
                                lane.entry().sessionId().value(),
                                w.when(lane.entry().updatedAt()),
                                state(lane)));
                table.print(w.out());
            }
        }
        return ExitCode.DONE.code();
    }

    private static String state(Lane lane) {
        if (lane.entry().isSuspended()) {
            return "suspended";
        }
        return lane.entry().toBeResumed().isPresent() ? "resume pending" : "open";
    }
}
