package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code prometheus} and {@code promtool}, as {@code TEST_PROMETHEUS_DIRECTORY} or the path has them. Where they are not, the test is
 * left out with a line that says so, and fails where {@code TEST_PROMETHEUS} is {@code required}.
 *
 * @param server the server
 * @param tool what checks rules and metrics
 */
record PrometheusPrograms(Path server, Path tool) {
    private static final String LEFT_OUT =
            "TESTS WITH PROMETHEUS LEFT OUT: no prometheus and promtool; TEST_PROMETHEUS_DIRECTORY names where they are";

    /** Returns the programs; ends the test where they are not there. */
    static PrometheusPrograms found() {
        String wanted = String.valueOf(System.getenv("TEST_PROMETHEUS"));
        Optional<Path> server = program("prometheus");
        Optional<Path> tool = program("promtool");
        boolean there = server.isPresent() && tool.isPresent();
        assertThat(there || !wanted.equals("required"))
                .as("TEST_PROMETHEUS is required and there is no prometheus with promtool")
                .isTrue();
        if (!there || wanted.equals("off")) {
            System.out.println(LEFT_OUT);
        }
        assumeTrue(there && !wanted.equals("off"), LEFT_OUT);
        return new PrometheusPrograms(server.orElseThrow(), tool.orElseThrow());
    }

    private static Optional<Path> program(String name) {
        return Stream.concat(
                        Stream.ofNullable(System.getenv("TEST_PROMETHEUS_DIRECTORY")),
                        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1)))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Runs the tool in a directory, with a file as its input; fails where it is not content, with what it said. */
    void check(Path directory, Optional<Path> input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(tool.toString()));
        command.addAll(List.of(arguments));
        Path said = Files.createTempFile("promtool", ".out");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(input.map(Path::toFile).orElse(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(said)).isZero();
        } finally {
            process.destroyForcibly();
            Files.delete(said);
        }
    }
}
