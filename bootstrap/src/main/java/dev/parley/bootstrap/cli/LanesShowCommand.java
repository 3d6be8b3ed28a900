package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.application.view.Rows;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows a lane. */
@Command(name = "show", description = "show a lane")
final class LanesShowCommand implements Callable<Integer> {
    private final LanesCommand lanes;

    @Parameters(paramLabel = "KEY", description = "the lane")
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
            if (lane.isEmpty()) {
                return lanes.notFound(wanted);
            }
            if (json.isWanted()) {
                w.json(Rows.lane(lane.get()));
            } else {
                Table table = new Table("FIELD", "VALUE");
                Rows.lane(lane.get()).forEach((name, value) -> table.row(name, value == null ? "" : value.toString()));
                table.print(w.out());
            }
        }
        return ExitCode.DONE.code();
    }
}
