package dev.parley.bootstrap.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code .ci/skipped}, which fails a build that left out a test nobody expected to be left out. */
class SkippedTestsTest {
    @TempDir
    Path modules;

    private Path list;

    @BeforeEach
    void listOneTest() throws IOException {
        list = Files.writeString(modules.resolve("skips"), "# a note\na.DiskTest#fills*  needs a small disk\n");
    }

    @Test
    void aTestThatIsListedMayBeLeftOut() throws Exception {
        report("a.DiskTest", "fillsUp", "<skipped message=\"no disk\"/>");

        assertThat(check()).isEqualTo("0 left out: a.DiskTest#fillsUp: needs a small disk");
    }

    @Test
    void oneThatIsNotListedFailsTheBuild() throws Exception {
        report("a.DiskTest", "emptiesItself(Path)[2]", "<skipped type=\"x\"><![CDATA[why]]></skipped>");

        assertThat(check()).isEqualTo("1 left out and not in .ci/skips: a.DiskTest#emptiesItself");
    }

    @Test
    void aContractForAnAbilityThatIsNotThereDeclaresItself() throws Exception {
        report("a.StoreTest", "isShared", "<skipped message=\"The backend lacks one of [SHARED].\"/>");

        assertThat(check()).isEqualTo("0 ");
    }

    @Test
    void aTestThatRanIsNotLeftOut() throws Exception {
        report("a.StoreTest", "runs", "");

        assertThat(check()).isEqualTo("0 ");
    }

    @Test
    void withoutReportsNothingIsKnown() throws Exception {
        assertThat(check()).startsWith("2 no reports of tests under");
    }

    private void report(String type, String test, String result) throws IOException {
        Path reports = Files.createDirectories(modules.resolve("module/target/surefire-reports"));
        Files.writeString(
                reports.resolve("TEST-" + type + ".xml"),
                "<testsuite>\n  <testcase name=\"" + test + "\" classname=\"" + type + "\" time=\"0.1\">\n    " + result
                        + "\n  </testcase>\n</testsuite>\n");
    }

    private String check() throws IOException, InterruptedException {
        Path said = modules.resolve("said");
        Process script = new ProcessBuilder("../.ci/skipped", modules.toString(), list.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(script.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return script.exitValue() + " " + Files.readString(said).strip();
    }
}
