package dev.parley.adapter.whatsapp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bridge's own tests, which Node.js runs. */
class BridgeTest {
    private static final Pattern PASSED = Pattern.compile("(?m)^# pass ([0-9]+)$");

    @Test
    void itsOwnTestsPass() throws Exception {
        FakeWhatsApp.needsNode();

        assertThat(passed("test/parts.test.js", "test/bridge.test.js")).isGreaterThan(25);
    }

    @Test
    void theBaileysThatIsPinnedHasWhatIsCalled() throws Exception {
        FakeWhatsApp.needsNode();
        assumeTrue(
                Optional.ofNullable(System.getenv("TEST_BAILEYS")).isPresent(),
                "needs Baileys, which .ci/baileys fetches where npm can");

        assertThat(passed("test/baileys.test.js")).isEqualTo(4);
    }

    private static int passed(String... files) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("node", "--test", "--test-reporter=tap"));
        command.addAll(List.of(files));
        Process node = new ProcessBuilder(command)
                .directory(FakeWhatsApp.BRIDGE.toFile())
                .redirectErrorStream(true)
                .start();
        node.getOutputStream().close();
        String report = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).as(report).isZero();
        Matcher passed = PASSED.matcher(report);
        assertThat(passed.find()).as(report).isTrue();
        return Integer.parseInt(passed.group(1));
    }

    /** What is fetched is pinned down to the last package, and from wherever the user's npm fetches. */
    @Test
    void everyPackageIsPinnedAndNoneNamesAPlace() throws IOException {
        String lock = Files.readString(FakeWhatsApp.BRIDGE.resolve("package-lock.json"));
        String manifest = Files.readString(FakeWhatsApp.BRIDGE.resolve("package.json"));

        assertThat(lock).contains("\"integrity\"").doesNotContain("\"resolved\"");
        assertThat(manifest)
                .contains("\"@whiskeysockets/baileys\": \"7.0.0-rc13\"")
                .doesNotContain("^", "~");
        assertThat(lock).contains("\"@whiskeysockets/baileys\": \"7.0.0-rc13\"");
    }

    /** The distribution carries what is there, so nothing but the bridge may be. */
    @Test
    void theBridgeListensNowhereAndPrintsNothing() throws IOException {
        try (Stream<Path> files = Files.list(FakeWhatsApp.BRIDGE)) {
            assertThat(files.filter(file -> file.toString().endsWith(".js")))
                    .hasSizeGreaterThan(5)
                    .allSatisfy(file ->
                            assertThat(Files.readString(file)).doesNotContain("createServer", ".listen(", "console."));
        }
    }
}
