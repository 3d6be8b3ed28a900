package dev.parley.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Chromium, as a person uses it who sits before one page at a time. */
final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String AXE = resource("/axe.min.js");
    private static final String FINDINGS = """
            const [colours, done] = arguments;
            axe.run(document, {runOnly: colours ? ['color-contrast', 'link-in-text-block']
              : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})
              .then(all => done(all.violations.map(v => v.id + ': ' + v.help + ' ' + v.nodes.map(n => n.html).join(' | '))))
              .catch(e => done(['axe failed: ' + e]));
            """;

    private final ChromeDriver driver;

    Browser() {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium().orElseThrow().toFile());
        options.addArguments(
                "--headless=new",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-default-apps",
                "--disable-extensions",
                "--disable-sync",
                "--no-first-run",
                "--no-proxy-server",
                "--hide-scrollbars",
                "--window-size=1200,900");
        if ("root".equals(System.getProperty("user.name"))) {
            options.addArguments("--no-sandbox");
        }
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(driverProgram().orElseThrow().toFile())
                .build();
        this.driver = new ChromeDriver(service, options);
    }

    /** Returns where Chromium is; absent where it is not installed. */
    static Optional<Path> chromium() {
        return program("TEST_CHROMIUM", "chromium", "chromium-browser", "google-chrome");
    }

    /** Returns where the program is that drives it; absent where it is not installed. */
    static Optional<Path> driverProgram() {
        return program("TEST_CHROMEDRIVER", "chromedriver");
    }

    private static Optional<Path> program(String variable, String... names) {
        String named = System.getenv(variable);
        if (named != null && !named.isBlank()) {
            return Optional.of(Path.of(named));
        }
        List<String> directories =
                List.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":", -1));
        return Stream.of(names)
                .flatMap(name -> directories.stream()
                        .filter(directory -> !directory.isEmpty())
                        .map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Browser.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    // ------------------------------------------------------------------ going somewhere

    void open(String address) {
        driver.get(address);
    }

    String address() {
        return String.valueOf(driver.getCurrentUrl());
    }

    void back() {
        driver.navigate().back();
    }

    /** Forgets who was logged in. */
    void forget() {
        driver.manage().deleteAllCookies();
    }

    /** Logs in with a token on the page that asks for it. */
    void logIn(String token) {
        until(
                "the page asks for a token",
                () -> !driver.findElements(By.id("login")).isEmpty());
        driver.findElement(By.name("token")).sendKeys(token);
        driver.findElement(By.cssSelector("#login button")).click();
    }

    void look(Form form) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        form.width,
                        "height",
                        form.height,
                        "deviceScaleFactor",
                        1,
                        "mobile",
                        form == Form.PHONE));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", form.scheme),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /** Makes the window this wide. */
    void width(int pixels) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", pixels, "height", 700, "deviceScaleFactor", 1, "mobile", false));
    }

    // ------------------------------------------------------------------ looking

    /** Returns what can be read on the page. */
    String text() {
        return driver.findElement(By.tagName("body")).getText();
    }

    String title() {
        return String.valueOf(driver.getTitle());
    }

    String heading() {
        return driver.findElement(By.tagName("h1")).getText();
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    WebElement one(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    Object script(String script, Object... arguments) {
        return Objects.requireNonNullElse(driver.executeScript(script, arguments), "");
    }

    /** Waits until something holds; fails where it does not within a minute. */
    void until(String what, java.util.function.BooleanSupplier holds) {
        // A page may be exchanged for the next one while it is looked at.
        new WebDriverWait(driver, PATIENCE, Duration.ofMillis(50))
                .ignoring(WebDriverException.class)
                .withMessage(what)
                .until(any -> holds.getAsBoolean());
    }

    void untilText(String text) {
        until("the page says \"" + text + "\"", () -> text().contains(text));
    }

    /** Returns what axe finds: what people with a screen reader, a keyboard or weak eyes would stumble over. */
    List<String> findings() {
        return findings(false);
    }

    private List<String> findings(boolean colours) {
        if (!Boolean.TRUE.equals(driver.executeScript("return 'axe' in window"))) {
            driver.executeScript(AXE);
        }
        List<?> found = (List<?>) Objects.requireNonNull(driver.executeAsyncScript(FINDINGS, colours));
        return found.stream().map(String::valueOf).toList();
    }

    /** Returns what the browser complained of since the last call, what the policy of the page forbids among it. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    /** Returns by how many pixels the page is wider than the window. */
    long overhang() {
        return ((Number) script("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                .longValue();
    }

    /** Takes a picture of the whole page, or of its first {@code height} pixels where it is longer. */
    void picture(Path file, int height) throws IOException {
        long whole = ((Number) script("return document.documentElement.scrollHeight")).longValue();
        long width = ((Number) script("return document.documentElement.clientWidth")).longValue();
        Map<String, Object> shot = driver.executeCdpCommand(
                "Page.captureScreenshot",
                Map.of(
                        "format",
                        "png",
                        "captureBeyondViewport",
                        true,
                        "clip",
                        Map.of("x", 0, "y", 0, "width", width, "height", Math.min(whole, height), "scale", 1)));
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, Base64.getDecoder().decode(String.valueOf(shot.get("data"))));
    }

    // ------------------------------------------------------------------ doing

    void click(String link) {
        driver.findElement(By.linkText(link)).click();
    }

    void press(String button) {
        driver.findElements(By.tagName("button")).stream()
                .filter(each -> each.getText().equals(button))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no button " + button + " in: " + text()))
                .click();
    }

    /** Clicks a link to a file and returns the file once the browser has saved it in a directory, which is made. */
    Path save(String link, Path directory) throws IOException {
        Files.createDirectories(directory);
        driver.executeCdpCommand(
                "Browser.setDownloadBehavior", Map.of("behavior", "allow", "downloadPath", directory.toString()));
        click(link);
        AtomicReference<Path> saved = new AtomicReference<>();
        until("the browser has saved a file", () -> {
            try (Stream<Path> files = Files.list(directory)) {
                List<Path> all = files.toList();
                boolean whole = !all.isEmpty()
                        && all.stream().noneMatch(file -> file.toString().endsWith(".crdownload"));
                all.stream().findFirst().filter(file -> whole).ifPresent(saved::set);
                return whole;
            } catch (IOException e) {
                return false;
            }
        });
        return Objects.requireNonNull(saved.get());
    }

    void type(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    void enter() {
        type(Keys.ENTER);
    }

    /** Fails where the page is not as a page has to be: what axe finds, complaints, scrolling sideways. */
    void assertWell(String page, Form form) {
        assertThat(complaints())
                .as("complaints of the browser on %s, %s", page, form)
                .isEmpty();
        assertThat(overhang())
                .as("pixels beyond the window on %s, %s", page, form)
                .isLessThanOrEqualTo(0);
        // Light and dark differ in their colours alone.
        assertThat(findings(form == Form.DARK))
                .as("what axe finds on %s, %s", page, form)
                .isEmpty();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
