package dev.parley.bootstrap.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Maven as somebody else runs it on a build of their own: against a local repository that holds what this build has just made, and
 * that gets everything else from the local repository of this build, without the network.
 */
final class NestedMaven {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PLACE = Path.of("target", "examples").toAbsolutePath();
    private static final String VERSION = System.getProperty("parley.version");
    private static final String QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
    private static final Map<String, String> MODULES = Map.ofEntries(
            Map.entry("parley-domain", "domain"),
            Map.entry("parley-application", "application"),
            Map.entry("parley-testing", "testing"),
            Map.entry("parley-contracts", "contracts"),
            Map.entry("parley-home", "home"),
            Map.entry("parley-persistence-sql", "persistence-sql"),
            Map.entry("parley-persistence-sqlite", "persistence-sqlite"),
            Map.entry("parley-persistence-jsonl", "persistence-jsonl"),
            Map.entry("parley-fakes", "adapters/fakes"),
            Map.entry("parley-adapter-kit", "adapters/kit"),
            Map.entry("parley-adapter-http", "adapters/http"),
            Map.entry("parley-adapter-openai", "adapters/openai"),
            Map.entry("parley-adapter-telegram", "adapters/telegram"),
            Map.entry("parley-adapter-metrics", "adapters/metrics"),
            Map.entry("parley-adapter-spring-ai", "adapters/spring-ai"),
            Map.entry("parley-spring-boot-starter", "spring-boot-starter"));

    private final Path repository = PLACE.resolve("repository");
    private final Path settings = PLACE.resolve("settings.xml");

    /** Fills the repository. */
    NestedMaven() throws IOException {
        Files.createDirectories(PLACE);
        Files.writeString(settings, """
                <settings>
                  <mirrors>
                    <mirror>
                      <id>what-this-build-resolved</id>
                      <mirrorOf>*</mirrorOf>
                      <url>%s</url>
                    </mirror>
                  </mirrors>
                </settings>
                """.formatted(
                        Path.of(System.getProperty("parley.repository")).toUri()));
        publish("parley-parent", ROOT.resolve("pom.xml"), "pom");
        publish("parley-adapters", ROOT.resolve("adapters").resolve("pom.xml"), "pom");
        publish("parley-bom", ROOT.resolve("bom").resolve("pom.xml"), "pom");
        for (Map.Entry<String, String> module : MODULES.entrySet()) {
            Path directory = ROOT.resolve(module.getValue());
            publish(module.getKey(), directory.resolve("pom.xml"), "pom");
            String jar = module.getKey() + "-" + VERSION + ".jar";
            publish(module.getKey(), directory.resolve("target").resolve(jar), "jar");
        }
    }

    private void publish(String artifact, Path file, String type) throws IOException {
        Path directory = repository.resolve(Path.of("dev", "parley", artifact, VERSION));
        Files.createDirectories(directory);
        Files.copy(file, directory.resolve(artifact + "-" + VERSION + "." + type), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Returns a fresh copy of an example, without what was built in it. */
    Path example(String name) throws IOException {
        Path from = ROOT.resolve("docs").resolve("examples").resolve(name);
        Path to = PLACE.resolve(name);
        if (Files.exists(to)) {
            try (Stream<Path> old = Files.walk(to)) {
                for (Path each : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.filter(file -> !from.relativize(file).startsWith("target"))
                    .toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
        // Otherwise Maven takes the settings of this build for those of the example.
        Files.createDirectories(to.resolve(".mvn"));
        return to;
    }

    /** Runs {@code mvn verify} with the arguments; returns what it printed, and fails where it fails. */
    String verify(Path project, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("parley.maven"), "bin", "mvn").toString(),
                "-B",
                "-ntp",
                "-Dstyle.color=never",
                "-s",
                settings.toString(),
                "-Dmaven.repo.local=" + repository,
                "-DargLine=" + QUICK_JAVA,
                "-Dparley.version=" + VERSION));
        command.addAll(List.of(arguments));
        command.add("verify");
        Path log = project.resolve("maven.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("MAVEN_OPTS", QUICK_JAVA);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("MAVEN_ARGS");
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(5 * ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS);
            String printed = Files.readString(log, StandardCharsets.UTF_8);
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError(String.join(" ", command) + " in " + project + "\n" + printed);
            }
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }
}
