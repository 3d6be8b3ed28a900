package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.bootstrap.replay.ScenarioExport;
import dev.parley.domain.key.SessionKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a lane as a scenario that replays to the same decisions. */
@Command(
        name = "export-scenario",
        description = "write a lane as a scenario that `parley replay` decides in the same way",
        footer = {
            "",
            "Texts and names of people are replaced by numbered ones unless --texts is given; ids of chats and people stay, because "
                    + "the lane's key is made of them. Of tools only their number is kept. What is known to be left out and may be decided "
                    + "otherwise stands in the first line, as left_out, and is told."
        })
final class LanesExportScenarioCommand implements Callable<Integer> {
    private static final Path STANDARD_OUTPUT = Path.of("-");

    private final LanesCommand lanes;

    @Parameters(paramLabel = "KEY", description = "the lane; see `parley lanes list`")
    private String key = "";

    @Option(names = "--texts", description = "write texts and names of people as they are")
    private boolean texts;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "the file, for its owner only; - is standard output")
    private @Nullable Path file;

    LanesExportScenarioCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        Workplace w = lanes.workplace();
        SessionKey lane = SessionKey.of(key);
        try (Storage storage = lanes.look()) {
            if (storage.lanes().find(lane).isEmpty()
                    && storage.lanes().history(lane, 1).isEmpty()) {
                return lanes.notFound(lane);
            }
            ScenarioExport export = new ScenarioExport(storage.lanes(), storage.queue(), w.configuration(), texts);
            Path target = file;
            List<String> leftOut = new ArrayList<>();
            if (target == null || target.equals(STANDARD_OUTPUT)) {
                leftOut.addAll(export.write(lane, w.out()::println));
            } else {
                new OutputFile(target).write(out -> leftOut.addAll(export.write(lane, out::println)));
            }
            leftOut.forEach(what -> w.note("not in this scenario: " + what));
        }
        return ExitCode.DONE.code();
    }
}
