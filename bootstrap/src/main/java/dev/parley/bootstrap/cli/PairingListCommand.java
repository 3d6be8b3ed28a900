package dev.parley.bootstrap.cli;

import dev.parley.home.access.Pairing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists who waits and who was let in. */
@Command(name = "list", description = "list who asked to be let in and who was")
final class PairingListCommand implements Callable<Integer> {
    private final PairingCommand group;

    @Mixin
    private final JsonOption json = new JsonOption();

    PairingListCommand(PairingCommand group) {
        this.group = group;
    }

    @Override
    public Integer call() {
        Workplace w = group.workplace();
        Pairing pairing = group.known();
        if (json.isWanted()) {
            List<Map<String, Object>> rows = new ArrayList<>();
            pairing.pending().forEach(each -> {
                Map<String, Object> row = PairingCommand.row(each.who(), "pending");
                row.put("since", each.askedAt().toString());
                rows.add(row);
            });
            pairing.paired().forEach(each -> {
                Map<String, Object> row = PairingCommand.row(each.who(), "paired");
                row.put("since", each.at().toString());
                rows.add(row);
            });
            w.json(rows);
        } else {
            Table table = new Table("PLATFORM", "USER", "NAME", "STATE", "SINCE");
            pairing.pending()
                    .forEach(each -> table.row(
                            each.who().platform().name(),
                            each.who().user(),
                            each.who().name().orElse(""),
                            "pending",
                            w.when(each.askedAt())));
            pairing.paired()
                    .forEach(each -> table.row(
                            each.who().platform().name(),
                            each.who().user(),
                            each.who().name().orElse(""),
                            "paired",
                            w.when(each.at())));
            table.print(w.out());
        }
        return ExitCode.DONE.code();
    }
}
