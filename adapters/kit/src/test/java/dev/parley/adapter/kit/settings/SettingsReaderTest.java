package dev.parley.adapter.kit.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {
    private static final Pattern FORM = Pattern.compile("[a-z]+");

    private final List<String> warnings = new ArrayList<>();

    private SettingsReader read(Map<String, String> values, Map<String, String> environment) {
        return new SettingsReader(new ProviderSettings(
                "platforms.test",
                values,
                environment,
                Path.of("home"),
                () -> Instant.EPOCH,
                partly(Ids.class),
                (delay, task) -> () -> {},
                Runnable::run,
                warnings::add,
                partly(GatewayInspection.class)));
    }

    private SettingsReader read(String name, String value) {
        return read(Map.of(name, value), Map.of());
    }

    private static <T> T partly(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new AssertionError("not asked for here: " + method.getName());
        }));
    }

    @ParameterizedTest
    @CsvSource({"true,true", "YES,true", "1,true", "off,false", "no,false"})
    void flagsAreSaidInManyWays(String text, boolean on) {
        assertThat(read("f", text).flag("f", !on)).isEqualTo(on);
        assertThat(read("g", text).flag("f", on)).isEqualTo(on);
    }

    @Test
    void whatIsNoFlagNumberOrWordIsRefusedByItsFullName() {
        assertThatThrownBy(() -> read("f", "maybe").flag("f", true))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage("platforms.test.f: 'maybe' is neither true nor false.");
        assertThatThrownBy(() -> read("n", "9").seconds("n", 5, 1, 8))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage(
                        "platforms.test.n: '9' is not a whole number of seconds from 1 to 8; leave it out for the usual 5.");
        assertThatThrownBy(() -> read("w", "c").word("w", "a", List.of("a", "b")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage("platforms.test.w: 'c' is none of a, b.");
        assertThat(read("n", "8").seconds("n", 5, 1, 8)).isEqualTo(Duration.ofSeconds(8));
        assertThat(read("w", "B").word("w", "a", List.of("a", "b"))).isEqualTo("b");
    }

    @Test
    void aListIsRefusedWhereOneValueIsAllThereMayBe() {
        SettingsReader read = read("x", "ONE\nOTHER");
        List<Runnable> readings = List.of(
                () -> read.variable("x", "USUAL"),
                () -> read.flag("x", true),
                () -> read.number("x", 1, 0, 2),
                () -> read.word("x", "a", List.of("a")));

        assertThat(readings)
                .allSatisfy(reading -> assertThatThrownBy(reading::run)
                        .isInstanceOf(InvalidRequest.class)
                        .hasMessage("platforms.test.x is a list; it takes one value."));
    }

    @Test
    void listsAreSeparatedInManyWays() {
        assertThat(read("l", "[\"a\", 'b'],c d").list("l")).containsExactlyInAnyOrder("a", "b", "c", "d");
        assertThat(read("l", "a").list("other")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://a.example",
                "a.example",
                "https://a.example?x=1",
                "https://u:p@a.example",
                "https://a.example:99999",
                "https://"
            })
    void anAddressIsThatOfAServerAlone(String text) {
        assertThatThrownBy(() -> read("a", text).address("a", text, "the token", "https://b.example"))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("platforms.test.a is not an address that begins with http:// or https://");
    }

    @Test
    void aSecretThatWouldCrossANetworkReadablyIsWarnedOf() {
        SettingsReader read = read("a", "x");
        assertThat(read.address("a", "http://127.0.0.1:80/base/", "the token", "x"))
                .isEqualTo(URI.create("http://127.0.0.1:80/base"));
        assertThat(read.address("a", "https://a.example/", "the token", "x"))
                .isEqualTo(URI.create("https://a.example"));
        assertThat(warnings).isEmpty();

        read.address("a", "http://a.example", "the token", "x");

        assertThat(warnings).singleElement().asString().contains("platforms.test.a", "the token crosses the network");
    }

    @Test
    void aSecretComesFromTheEnvironmentAndIsShownNowhere() {
        SettingsReader read = read(Map.of("s_env", "OTHER"), Map.of("OTHER", " abc ", "WRONG", "A secret"));
        String variable = read.variable("s_env", "USUAL");
        assertThat(variable).isEqualTo("OTHER");
        assertThat(read.secret(variable, FORM, "set it", "none").text()).isEqualTo("abc");
        assertThat(read.secret(variable, FORM, "set it", "none")).hasToString("(secret)");
        assertThatThrownBy(() -> read.secret("UNSET", FORM, "set it", "none"))
                .hasMessage("The environment variable UNSET is not set; set it.");
        assertThatThrownBy(() -> read.secret("WRONG", FORM, "set it", "no token"))
                .hasMessage("The environment variable WRONG holds no token.");
    }
}
