package dev.parley.adapter.whatsappcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.fakes.gateway.FakeGateway;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WhatsAppCloudSettingsTest {
    @TempDir
    private Path home;

    private final FakeGateway gateway = WhatsAppCloudTesting.gateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void idAndSecretsAreAllThatMustBeSaid() {
        WhatsAppCloudSettings settings =
                WhatsAppCloudSettings.of(gateway.settings(home, Map.of("port", "", "answer_timeout", "")));

        assertThat(settings.base()).hasToString("https://graph.facebook.com/v24.0");
        assertThat(settings.listening().bind().isLoopbackAddress()).isTrue();
        assertThat(settings.listening().port()).isEqualTo(8788);
        assertThat(settings.listening().path()).isEqualTo("/webhook");
        assertThat(settings.toString())
                .doesNotContain(WhatsAppCloudTesting.TOKEN, WhatsAppCloudTesting.SECRET, WhatsAppCloudTesting.VERIFY);
        assertThat(gateway.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:1/, v24.0, http://127.0.0.1:1/v24.0",
        "http://127.0.0.1:1/v21.0, v24.0, http://127.0.0.1:1/v21.0",
        "http://127.0.0.1:1/graph, v25.0, http://127.0.0.1:1/graph/v25.0"
    })
    void anAddressThatEndsInAVersionHasSaidWhich(String base, String version, String whole) {
        assertThat(WhatsAppCloudSettings.of(gateway.settings(home, Map.of("base_url", base, "api_version", version)))
                        .base())
                .hasToString(whole);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WHATSAPP_CLOUD_ACCESS_TOKEN", "WHATSAPP_CLOUD_APP_SECRET", "WHATSAPP_CLOUD_VERIFY_TOKEN"})
    void aSecretThatIsMissingOrIsNoneIsNamedAndNotShown(String variable) {
        Map<String, String> environment = new HashMap<>(WhatsAppCloudTesting.ENVIRONMENT);
        environment.remove(variable);
        assertThatThrownBy(() -> WhatsAppCloudSettings.of(gateway.settings(home, Map.of(), environment)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("The environment variable " + variable + " is not set; ")
                .hasMessageNotContaining("\n");

        environment.put(variable, "two words");
        assertThatThrownBy(() -> WhatsAppCloudSettings.of(gateway.settings(home, Map.of(), environment)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining(variable)
                .hasMessageNotContaining("two words");
    }

    @ParameterizedTest
    @CsvSource({
        "phone_number_id, +49 151 1",
        "port, 70000",
        "port, http",
        "path, webhook",
        "path, /a b",
        "bind, [x]",
        "bind, 192.0.2.1",
        "base_url, ftp://x",
        "api_version, 24",
        "answer_timeout, 0",
        "markdown, perhaps"
    })
    void aValueThatCannotBeIsRefusedInOneLineThatNamesTheSetting(String name, String value) {
        assertThatThrownBy(() -> WhatsAppCloudSettings.of(gateway.settings(home, Map.of(name, value))))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("platforms.whatsapp_cloud." + name)
                .hasMessageNotContaining("\n");
    }

    @Test
    void theNumbersIdMustBeSaid() {
        assertThatThrownBy(() -> WhatsAppCloudSettings.of(gateway.settings(home, Map.of("phone_number_id", ""))))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("platforms.whatsapp_cloud.phone_number_id is not set; ");
    }

    @Test
    void anAddressThatOthersReachIsWarnedOf() {
        WhatsAppCloudSettings.of(gateway.settings(home, Map.of("bind", "0.0.0.0")));

        assertThat(gateway.warnings()).singleElement().asString().contains("platforms.whatsapp_cloud.bind", "TLS");
    }
}
