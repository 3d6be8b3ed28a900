package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A plug-in as others would build it: compiled from sources against what this build publishes, in a jar. */
public final class PlugInJar {
    private final Map<String, String> sources = new LinkedHashMap<>();
    private final Map<String, String> services = new LinkedHashMap<>();
    private final Set<String> absent = new HashSet<>();

    /** Adds a class of the package {@code plug}, which provides a service of {@code dev.parley.application.spi}. */
    public PlugInJar with(String service, String name, String source) {
        sources.put(name, """
                package plug;
                import dev.parley.application.command.*;
                import dev.parley.application.port.*;
                import dev.parley.application.spi.*;
                import dev.parley.domain.key.SessionKey;
                import dev.parley.domain.session.SessionId;
                import dev.parley.domain.source.*;
                import dev.parley.domain.turn.Outgoing;
                import java.nio.file.*;
                import java.util.*;
                """ + source);
        services.put(
                "dev.parley.application." + (service.startsWith("Commands") ? "command." : "spi.") + service,
                "plug." + name);
        return this;
    }

    /** Leaves a class of the package {@code plug} out of the jar, as one of a library that nobody has put there. */
    public PlugInJar without(String name) {
        absent.add(name + ".class");
        return this;
    }

    /** Compiles it and puts the jar into the plug-ins of a home. */
    public void into(Path home, String name) throws IOException {
        Path work = Files.createTempDirectory(home, "plug-in");
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-d", work.resolve("classes").toString(), "-cp", libraries()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            arguments.add(Files.writeString(work.resolve(source.getKey() + ".java"), source.getValue())
                    .toString());
        }
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int code = ToolProvider.findFirst("javac").orElseThrow().run(out, out, arguments.toArray(String[]::new));
        assertThat(code).as(said.toString()).isZero();

        Path jar = Files.createDirectories(home.resolve("plugins")).resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file);
                Stream<Path> classes = Files.walk(work.resolve("classes"))) {
            for (Path each : classes.filter(Files::isRegularFile)
                    .filter(each -> !absent.contains(each.getFileName().toString()))
                    .toList()) {
                put(
                        zip,
                        work.resolve("classes").relativize(each).toString().replace(File.separatorChar, '/'),
                        Files.readAllBytes(each));
            }
            for (Map.Entry<String, String> service : services.entrySet()) {
                put(
                        zip,
                        "META-INF/services/" + service.getKey(),
                        service.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
        zip.closeEntry();
    }

    private static String libraries() {
        return Stream.of("java.class.path", "jdk.module.path")
                .flatMap(name -> Optional.ofNullable(System.getProperty(name)).stream())
                .filter(path -> !path.isEmpty())
                .reduce((one, other) -> one + File.pathSeparator + other)
                .orElse("");
    }
}
