package dev.parley.bootstrap.cli;

import dev.parley.bootstrap.config.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows every setting with where its value comes from. */
@Command(name = "show", description = "print every setting with where its value comes from")
final class ConfigShowCommand implements Callable<Integer> {
    private final ParleyCommand root;

    @Mixin
    private final JsonOption json = new JsonOption();

    ConfigShowCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        Workplace w = root.workplace();
        List<Setting> settings = w.configuration().settings();
        if (json.isWanted()) {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (Setting setting : settings) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("key", setting.path());
                row.put("value", setting.shown());
                row.put("origin", setting.origin());
                rows.add(row);
            }
            w.json(rows);
        } else {
            Table table = new Table("KEY", "VALUE", "FROM");
            settings.forEach(s -> table.row(s.path(), s.shown(), s.origin()));
            table.print(w.out());
        }
        return ExitCode.DONE.code();
    }
}
