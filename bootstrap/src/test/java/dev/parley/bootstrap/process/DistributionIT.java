package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution as {@code ./parley} starts it: every jar on the module path, nothing on the class path. */
class DistributionIT {

    private static final Path LIB = Path.of(System.getProperty("parley.lib"));

    @TempDir
    Path directory;

    private record Ended(int code, String out, String err) {}

    @Test
    void theProgramStartsAndTellsItsVersion() throws Exception {
        Ended ended = run("-m", "dev.parley.bootstrap/dev.parley.bootstrap.Main", "--version");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).startsWith("parley ");
        assertThat(ended.code()).isZero();
    }

    @Test
    void anUnknownCommandIsAUsageError() throws Exception {
        Ended ended = run("-m", "dev.parley.bootstrap/dev.parley.bootstrap.Main", "no-such-command");

        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("no-such-command");
        assertThat(ended.code()).isEqualTo(2);
    }

    /** A jar that is not of a named module, or two jars of one module, would stop every start. */
    @Test
    void everyJarResolvesTogether() throws Exception {
        Ended ended = run(
                "--add-modules",
                "ALL-MODULE-PATH",
                "-m",
                "dev.parley.bootstrap/dev.parley.bootstrap.Main",
                "--version");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
    }

    @Test
    void itHoldsEveryModuleOfOurs() throws IOException {
        try (Stream<Path> jars = Files.list(LIB)) {
            assertThat(jars.map(jar -> jar.getFileName().toString())
                            .filter(name -> name.startsWith("parley-"))
                            .map(name -> name.replaceFirst("-[0-9].*", "")))
                    .containsExactlyInAnyOrder(
                            "parley-domain",
                            "parley-application",
                            "parley-home",
                            "parley-persistence-sql",
                            "parley-persistence-sqlite",
                            "parley-persistence-jsonl",
                            "parley-persistence-postgres",
                            "parley-adapter-terminal",
                            "parley-adapter-http",
                            "parley-adapter-console",
                            "parley-adapter-metrics",
                            "parley-adapter-otlp",
                            "parley-adapter-openai",
                            "parley-adapter-kit",
                            "parley-adapter-telegram",
                            "parley-adapter-whatsapp",
                            "parley-adapter-matrix",
                            "parley-adapter-slack",
                            "parley-adapter-discord",
                            "parley-adapter-signal",
                            "parley-adapter-whatsapp-cloud",
                            "parley-adapter-echo",
                            "parley-adapter-acp",
                            "parley-bootstrap");
        }
    }

    @Test
    void everyJarOfOursHoldsTheLicence() throws IOException {
        String licence = Files.readString(Path.of("..", "LICENSE"));
        try (Stream<Path> jars = Files.list(LIB)) {
            assertThat(jars.filter(jar -> jar.getFileName().toString().startsWith("parley-")))
                    .hasSizeGreaterThan(5)
                    .allSatisfy(
                            jar -> assertThat(entry(jar, "META-INF/LICENSE")).isEqualTo(licence));
        }
        assertThat(LIB.resolveSibling("LICENSE")).hasContent(licence);
    }

    @Test
    void itsOwnLauncherStartsItWhereverItIsCopied() throws Exception {
        assertThat(ClassArchive.flags("--version"))
                .as("the place that is copied has an archive of classes")
                .isNotEmpty();
        Path copy = directory.resolve("a copy");
        copy(LIB.resolve("..").normalize(), copy);
        Path link = Files.createSymbolicLink(
                directory.resolve("parley"), copy.resolve("bin").resolve("parley"));

        Ended ended = started(List.of(link.toString(), "--version"));

        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).startsWith("parley ");
        assertThat(ended.code()).isZero();
    }

    @Test
    void eachKindOfCommandHasAnArchiveOfItsOwn() throws Exception {
        Path home = directory.resolve("home");
        Path seen = directory.resolve("seen");
        List<String> told = List.of("-Xlog:class+load:file=" + seen);

        ParleyProcess gateway = ParleyProcess.gateway(told, home, Map.of("PARLEY_PLATFORMS_HTTP_PORT", "0"));
        gateway.ready();
        gateway.terminate();

        assertThat(fromTheArchive(seen)).contains("dev.parley.bootstrap.cli.GatewayCommand", "io.javalin.Javalin");

        Ended ended = started(ParleyProcess.command(told, "--home", home.toString(), "lanes", "list"));

        assertThat(ended.err()).isEmpty();
        assertThat(fromTheArchive(seen))
                .contains("dev.parley.bootstrap.cli.LanesListCommand", "org.sqlite.JDBC")
                .doesNotContain("io.javalin.Javalin");
    }

    private static List<String> fromTheArchive(Path seen) throws IOException {
        return Files.readAllLines(seen).stream()
                .filter(line -> line.contains("shared objects file (top)"))
                .map(line -> line.replaceAll("^(\\[[^]]*])+ *| source:.*", ""))
                .toList();
    }

    @Test
    void itsOwnLauncherNeverBuildsAndSaysWhatIsMissing() throws Exception {
        Path copy = directory.resolve("copy");
        copy(LIB.resolveSibling("bin"), copy.resolve("bin"));

        Ended ended = started(List.of(copy.resolve("bin").resolve("parley").toString(), "--version"));

        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .isEqualTo("parley: " + copy + "/lib has no parley-bootstrap jar; this copy of the distribution is"
                        + " incomplete\n");
        assertThat(ended.code()).isEqualTo(2);
    }

    @Test
    void theHomeIsInWhatTheShellCallsHome() throws Exception {
        Ended ended = run("-m", "dev.parley.bootstrap/dev.parley.bootstrap.Main", "doctor");

        assertThat(ended.out()).contains(directory.resolve(".parley") + " does not exist yet");
        assertThat(ended.code()).isZero();
    }

    private Ended run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--module-path", LIB.toString()));
        command.addAll(List.of(arguments));
        return started(command);
    }

    private Ended started(List<String> command) throws IOException, InterruptedException {
        File out = directory.resolve("out").toFile();
        File err = directory.resolve("err").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out)
                .redirectError(err);
        builder.environment().put("HOME", directory.toString());
        builder.environment().remove("PARLEY_HOME");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
            return new Ended(
                    process.exitValue(),
                    Files.readString(out.toPath(), StandardCharsets.UTF_8),
                    Files.readString(err.toPath(), StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }

    private static String entry(Path jar, String name) throws IOException {
        try (FileSystem inside = FileSystems.newFileSystem(jar)) {
            return Files.readString(inside.getPath(name));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                if (!Files.isDirectory(file)) {
                    Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }
}
