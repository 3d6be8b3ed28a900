package dev.parley.bootstrap.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The program without the fence of lanes: the one sentence of its source that refuses the batch of a node whose lane another one has
 * taken says yes here. Nothing of the program itself can switch it off.
 */
final class Unfenced {
    private static final String PRECONDITION = "dev/parley/domain/change/Precondition.java";
    private static final String FENCE = "return facts.hold(lane).isHeldUnder(token);";

    private Unfenced() {}

    /** Compiles that sentence anew into a directory; returns the flags that have Java use it. */
    static List<String> flags(Path directory) throws IOException {
        String source = Files.readString(Path.of("../domain/src/main/java").resolve(PRECONDITION));
        assertThat(source).as("the fence").containsOnlyOnce(FENCE);
        Path changed = directory.resolve("source").resolve(PRECONDITION);
        Files.createDirectories(changed.getParent());
        Files.writeString(changed, source.replace(FENCE, "return true;"));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        boolean compiled = compiler.getTask(
                        said,
                        null,
                        null,
                        List.of("-proc:none", "-cp", libraries(), "-d", classes.toString()),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(changed))
                .call();
        assertThat(compiled).as(said.toString()).isTrue();
        return List.of("--patch-module", "dev.parley.domain=" + classes);
    }

    private static String libraries() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("parley.lib")))) {
            return files.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }
}
