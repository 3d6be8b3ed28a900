package dev.parley.adapter.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.fakes.gateway.FakeGateway;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalSettingsTest {
    private final FakeGateway gateway = SignalTesting.gateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    private SignalSettings settings(Map<String, String> values) {
        return SignalSettings.of(gateway.settings(Path.of("home"), values));
    }

    @Test
    void anAccountIsEnough() {
        SignalSettings settings = settings(Map.of("account", "+1 (555) 0100"));

        assertThat(settings.account()).isEqualTo("+15550100");
        assertThat(settings.base()).isEqualTo(URI.create("http://127.0.0.1:8080"));
        assertThat(settings.gate().requireMention()).isFalse();
        assertThat(gateway.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        account        | ``                    | platforms.signal.account is not set; write the number that signal-cli has an account for
        account        | 15550100              | platforms.signal.account is no telephone number with its country code, in quotes
        base_url       | localhost:8080        | platforms.signal.base_url is not an address that begins with http:// or https://
        base_url       | http://signal.example | platforms.signal.base_url is not on this machine, and a signal-cli daemon lets everybody in who reaches it
        answer_timeout | soon                  | platforms.signal.answer_timeout: 'soon' is not a whole number of seconds from 1 to 120
        markdown       | maybe                 | platforms.signal.markdown: 'maybe' is neither true nor false.
        """)
    void aValueThatCannotBeIsToldInOneLine(String name, String value, String line) {
        assertThatThrownBy(() -> settings(Map.of(name, value)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith(line)
                .message()
                .satisfies(message -> assertThat(message.lines()).hasSize(1));
    }

    @Test
    void aDaemonElsewhereIsUsedWhereThatIsSaid() {
        Map<String, String> values = Map.of("base_url", "http://signal.example:8080/", "allow_remote", "true");

        assertThat(settings(values).base()).isEqualTo(URI.create("http://signal.example:8080"));
        assertThat(gateway.warnings())
                .singleElement()
                .asString()
                .contains("everything that people write crosses the network readably");
    }

    @Test
    void groupsMayBeNamedByTheirIdsAlone() {
        SignalSettings settings = settings(Map.of("allowed_chats", "a+/1=, group:b="));

        assertThat(settings.gate().allowedChats()).containsExactlyInAnyOrder("group:a+/1=", "group:b=");
    }
}
