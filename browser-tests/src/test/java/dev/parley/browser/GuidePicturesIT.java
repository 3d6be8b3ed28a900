package dev.parley.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pictures of the guide: {@code TEST_PICTURES=docs/guide/pictures} makes those in the repository anew. */
@InBrowser
class GuidePicturesIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path GUIDE = ROOT.resolve("docs/guide/pictures");

    @ParameterizedTest
    @CsvSource({
        "console-lane, LIGHT, 600, /lane?key=" + Demo.RESET,
        "console-overview, DARK, 560, /",
        "console-what-if, LIGHT, 640, /what-if",
        "console-usage, LIGHT, 680, /usage?days=30&by=day",
        "console-phone, PHONE, 700, /lane?key=" + Demo.RESET
    })
    void everyPictureOfTheGuideShowsAPageThatIsThere(String name, Form form, int height, String path, Stage stage)
            throws Exception {
        Browser browser = stage.browser();
        stage.open(path);
        browser.look(form);
        if (form != Form.PHONE) {
            browser.width(1130);
        }
        if (path.equals("/what-if")) {
            browser.script("document.querySelector('select[name=mode-all]').value = 'idle'");
            browser.script("document.querySelector('input[name=idle-all]').value = '60'");
            browser.press("Ask");
            browser.untilText("Replayed the last 30 days");
        }
        Path made = Path.of("target", "pictures", name + ".png");
        browser.picture(made, height);
        String wanted = System.getenv("TEST_PICTURES");
        if (wanted != null && !wanted.isBlank()) {
            Path kept = ROOT.resolve(wanted).resolve(name + ".png");
            Files.createDirectories(kept.getParent());
            Files.copy(made, kept, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }

        assertThat(Files.readString(ROOT.resolve("docs/guide/console.md"))).contains("pictures/" + name + ".png");
        assertThat(GUIDE.resolve(name + ".png")).isNotEmptyFile();
        assertThat(Files.size(GUIDE.resolve(name + ".png"))).isLessThan(200_000);
    }
}
