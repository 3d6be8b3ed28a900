package dev.parley.bootstrap.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.bootstrap.replay.Expectations;
import dev.parley.bootstrap.replay.Replay;
import dev.parley.home.GatewayLock;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a scenario through the real gateway and storage on a virtual clock. */
@Command(
        name = "replay",
        description = "run a scenario through the real gateway and storage, on a clock of its own",
        footer = {
            "",
            "A scenario is a file of JSON lines: messages, what the agent does, the passing of time, restarts and crashes.",
            "What happens is printed as JSON lines. Without --home everything is kept in a directory that is deleted "
                    + "afterwards. docs/examples/scenarios has examples and says what the lines can hold."
        })
final class ReplayCommand implements Callable<Integer> {
    private final ParleyCommand root;

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "the scenario; - for standard input")
    private @Nullable Path file;

    @Option(
            names = "--expect",
            paramLabel = "FILE",
            description = "compare the outcome with these lines; exit code 1 where it differs")
    private @Nullable Path expect;

    @Option(names = "--keep", description = "keep the temporary home and say where it is")
    private boolean keep;

    @Option(
            names = "--storage",
            paramLabel = "URL",
            description =
                    "where conversations are kept, such as jsonl:sessions; else sqlite:state.db, or as configured")
    private @Nullable String storage;

    @Option(names = "--ids", description = "print the real session ids beside their aliases")
    private boolean ids;

    @Option(
            names = "--policy",
            paramLabel = "NEW.yaml",
            description =
                    "instead of a scenario: what the reset policy of this configuration would have done to the home's lanes")
    private @Nullable Path policy;

    @Option(
            names = "--from-history",
            paramLabel = "PERIOD",
            description = "how far back --policy looks, such as 30d (the default), 12h or 2w")
    private @Nullable String history;

    @Option(names = "--json", description = "print what --policy finds as JSON")
    private boolean json;

    ReplayCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        Path other = policy;
        if (other != null) {
            if (file != null) {
                throw new InvalidRequest("--policy looks at what has happened; give either a scenario or --policy.");
            }
            PolicyReport report = new PolicyReport(root.workplace(), Optional.ofNullable(storage));
            report.print(report.read(other), PolicyReport.period(history == null ? "30d" : history), json);
            return ExitCode.DONE.code();
        }
        if (history != null || json) {
            throw new InvalidRequest("--from-history and --json belong to --policy NEW.yaml; name one.");
        }
        if (file == null) {
            throw new InvalidRequest("Name a scenario, or - for standard input.");
        }
        List<String> scenario = lines(file, "The scenario");
        Path expected = expect;
        Optional<Expectations> expectations = expected == null
                ? Optional.empty()
                : Optional.of(Expectations.read(expected.toString(), lines(expected, "The expectation")));
        Optional<HomeDirectory> given = root.givenHome();
        if (given.isPresent()) {
            HomeDirectory home = given.get();
            home.create();
            GatewayLock lock = GatewayLock.take(home);
            try {
                return run(home, scenario, expectations);
            } finally {
                lock.close();
            }
        }
        HomeDirectory home = temporary();
        try {
            return run(home, scenario, expectations);
        } finally {
            if (keep) {
                root.workplace().note("kept: " + home.path());
            } else {
                Replay.delete(home);
            }
        }
    }

    private int run(HomeDirectory home, List<String> scenario, Optional<Expectations> expectations) {
        Workplace w = root.workplace();
        Optional<Path> configuration = root.givenConfig()
                .or(() -> root.givenHome().map(HomeDirectory::configFile).filter(Files::exists));
        List<JsonNode> outcomes = new Replay(
                        w.providers(),
                        home,
                        configuration,
                        Optional.ofNullable(storage),
                        ids,
                        w.out()::println,
                        note -> w.note("parley: " + note))
                .run(String.valueOf(file), scenario);
        Optional<String> difference = expectations.flatMap(e -> e.firstDifference(outcomes));
        difference.ifPresent(text -> w.note("parley: " + text));
        return difference.isPresent() ? ExitCode.NO.code() : ExitCode.DONE.code();
    }

    private static HomeDirectory temporary() {
        try {
            return new HomeDirectory(Files.createTempDirectory("parley-replay-"));
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "A temporary directory cannot be made (" + e.getMessage() + "); name a home with --home.", e);
        }
    }

    private List<String> lines(Path path, String what) {
        boolean standard = path.toString().equals("-");
        try (InputStream in = standard ? root.workplace().around().in() : Files.newInputStream(path)) {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(in.readAllBytes()))
                    .toString()
                    .lines()
                    .toList();
        } catch (CharacterCodingException e) {
            throw new InvalidRequest(path + ": not UTF-8 text; save it as UTF-8.");
        } catch (IOException e) {
            throw new InvalidRequest(what + " " + path + " cannot be read (" + HomeDirectory.reason(e)
                    + "); check the path and its permissions.");
        }
    }
}
