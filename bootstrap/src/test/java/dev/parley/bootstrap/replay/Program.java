package dev.parley.bootstrap.replay;

import dev.parley.bootstrap.cli.ParleyCommand;
import dev.parley.bootstrap.cli.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Runs the program in this process. */
final class Program {
    private final Path userHome;

    Program(Path userHome) {
        this.userHome = userHome;
    }

    /**
     * What a run has left.
     *
     * @param code the exit code
     * @param out what was printed
     * @param err what was noted
     */
    record Result(int code, String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }
    }

    Result run(String... arguments) {
        return runWith("", arguments);
    }

    Result runWith(String input, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Surroundings around = new Surroundings(
                Map.of("PARLEY_ZONE", "Asia/Tokyo", "SESSION_IDLE_MINUTES", "1"),
                userHome,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                InstantSource.fixed(Instant.EPOCH),
                ZoneOffset.UTC,
                false);
        int code = ParleyCommand.run(around, arguments);
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
