package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.OpenInProcess;
import dev.parley.persistence.sqlite.Sql;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several real processes that open one file at the same moment (storage 1.5). */
class ProcessesTest {
    private static final int PROCESSES = 4;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"state-v1.db", "state-v10.db", "empty.db"})
    void processesThatOpenAnOldFileAtOnceUpgradeItOnce(String name) throws Exception {
        Path file = Fixtures.copy(name, folder);
        Path signal = folder.resolve("go");
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-Dorg.jooq.no-logo=true",
                            "-Dorg.jooq.no-tips=true",
                            "-cp",
                            classPath(),
                            OpenInProcess.class.getName(),
                            file.toString(),
                            signal.toString())
                    .redirectErrorStream(true)
                    .start());
        }
        Files.createFile(signal);

        for (Process process : processes) {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
        }

        assertThat(Sql.column(file, "SELECT version FROM schema_version")).containsExactly(11);
        assertThat(Sql.column(file, "SELECT version FROM parley_schema")).containsExactly(2);
        assertThat(Sql.column(file, "PRAGMA integrity_check")).containsExactly("ok");
        assertThat(Sql.column(file, "SELECT count(*) FROM messages"))
                .isEqualTo(Sql.column(file, "SELECT count(*) FROM messages_fts"));
        // Each process has added one session of its own.
        assertThat(Sql.column(file, "SELECT count(*) FROM sessions WHERE source = 'process'"))
                .containsExactly(PROCESSES);
        assertThat(backups()).hasSize(name.equals("empty.db") ? 0 : 1);
    }

    private List<Path> backups() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> each.toString().contains(".backup-")).toList();
        }
    }

    private static String classPath() {
        return Stream.of("java.class.path", "jdk.module.path", "surefire.test.class.path")
                        .map(name -> System.getProperty(name, ""))
                        .filter(path -> !path.isEmpty())
                        .collect(Collectors.joining(File.pathSeparator))
                + File.pathSeparator
                + Path.of("target", "test-classes").toAbsolutePath()
                + File.pathSeparator
                + Path.of("target", "classes").toAbsolutePath();
    }
}
