package dev.parley.bootstrap.cli;

import dev.parley.bootstrap.config.ConfigProblem;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.ConfigurationLoader;
import dev.parley.bootstrap.wiring.Closer;
import dev.parley.bootstrap.wiring.GatewayParts;
import dev.parley.bootstrap.wiring.Trial;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks the configuration, and asks the storage, the agent and the platforms what they say of theirs. */
@Command(name = "check", description = "report all problems of the configuration at once")
final class ConfigCheckCommand implements Callable<Integer> {
    private final ParleyCommand root;

    @Mixin
    private final JsonOption json = new JsonOption();

    ConfigCheckCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        Workplace w = root.workplace();
        ConfigurationLoader.Loaded loaded = w.load();
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigProblem.Severity severity =
                loaded.configuration().pluginsStrict() ? ConfigProblem.Severity.ERROR : ConfigProblem.Severity.WARNING;
        w.providers().problems().forEach(each -> problems.add(new ConfigProblem(severity, "plugins", each)));
        problems.addAll(loaded.problems());
        if (loaded.errors().isEmpty()) {
            problems.addAll(refusals(w, loaded.configuration()));
        }
        if (json.isWanted()) {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (ConfigProblem problem : problems) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("severity", problem.severity().name().toLowerCase(Locale.ROOT));
                row.put("where", problem.where());
                row.put("message", problem.message());
                rows.add(row);
            }
            w.json(rows);
        } else {
            problems.forEach(p -> w.out().println(p.severity().name().toLowerCase(Locale.ROOT) + ": " + p.text()));
            if (problems.isEmpty()) {
                w.out()
                        .println("ok: "
                                + w.configFile()
                                        .map(f -> f + " has no problems")
                                        .orElse("no file, the defaults hold"));
            }
        }
        boolean sound = problems.stream().noneMatch(p -> p.severity() == ConfigProblem.Severity.ERROR);
        return sound ? ExitCode.DONE.code() : ExitCode.USAGE.code();
    }

    /** What the storage, the agent and the platforms say of their settings, which only they know. */
    private static List<ConfigProblem> refusals(Workplace w, Configuration configuration) {
        List<ConfigProblem> problems = new ArrayList<>();
        String where = w.configFile().map(Path::toString).orElse("the configuration");
        try (Closer closer = new Closer()) {
            GatewayParts parts = new GatewayParts(
                    configuration,
                    w.home(),
                    w.around().userHome(),
                    w.providers(),
                    w.around().environment(),
                    w.around().clock(),
                    w.around().terminal(),
                    Optional.empty(),
                    closer,
                    warning -> problems.add(new ConfigProblem(ConfigProblem.Severity.WARNING, where, warning)));
            for (String refusal : Trial.refusals(parts)) {
                problems.add(new ConfigProblem(ConfigProblem.Severity.ERROR, where, refusal));
            }
        }
        return problems;
    }
}
