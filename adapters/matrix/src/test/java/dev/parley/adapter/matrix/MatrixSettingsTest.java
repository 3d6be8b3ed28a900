package dev.parley.adapter.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.fakes.gateway.FakeGateway;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixSettingsTest {
    private static final String HOMESERVER = "https://matrix.example.org";

    private final FakeGateway around = MatrixTesting.gateway();

    @AfterEach
    void close() {
        around.close();
    }

    private MatrixSettings read(Map<String, String> values, Map<String, String> environment) {
        return MatrixSettings.of(around.settings(Path.of("home"), values, environment));
    }

    private MatrixSettings read(String name, String value) {
        Map<String, String> values = new HashMap<>(Map.of("homeserver", HOMESERVER));
        values.put(name, value);
        return read(values, Map.of("MATRIX_ACCESS_TOKEN", "syt_secret"));
    }

    @Test
    void theHomeserverAndTheTokenAreEnough() {
        MatrixSettings settings = read("homeserver", HOMESERVER + "/");

        assertThat(settings.homeserver()).hasToString(HOMESERVER);
        assertThat(settings.gate().requireMention()).isTrue();
        assertThat(settings.previews()).isFalse();
        assertThat(settings.autoThread()).isFalse();
        assertThat(settings.toString()).doesNotContain("syt_secret");
    }

    @Test
    void whatIsMissingIsSaidInOneLineThatNamesIt() {
        assertThatThrownBy(() -> read(Map.of(), Map.of("MATRIX_ACCESS_TOKEN", "syt_secret")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("platforms.matrix.homeserver is not set; write the address");
        assertThatThrownBy(() -> read(Map.of("homeserver", HOMESERVER), Map.of()))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("The environment variable MATRIX_ACCESS_TOKEN is not set;");
        assertThatThrownBy(() -> read(
                        Map.of("homeserver", HOMESERVER, "access_token_env", "OTHER"), Map.of("OTHER", "two words")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("The environment variable OTHER holds no access token")
                .hasMessageNotContaining("two words");
    }

    @ParameterizedTest
    @CsvSource({
        "join,anybody",
        "sync_timeout,0",
        "answer_timeout,soon",
        "backfill_limit,0",
        "markdown,maybe",
        "auto_thread,7",
        "homeserver,matrix.example.org"
    })
    void whatCannotBeIsRefusedByItsName(String name, String value) {
        assertThatThrownBy(() -> read(name, value))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("platforms.matrix." + name);
    }

    @Test
    void whoMayTalkMayInvite() {
        assertThat(read("allow", "@ada:example.org").invitations().isAccepted("@ada:example.org", "!r", false))
                .isTrue();
        assertThat(read("allow", "@ada:example.org").invitations().isAccepted("@bob:example.org", "!r", true))
                .isFalse();
        assertThat(read("allow", "chat:!r").invitations().isAccepted("@bob:example.org", "!r", false))
                .isTrue();
        assertThat(read("pairing", "true").invitations().isAccepted("@bob:example.org", "!r", true))
                .isTrue();
        assertThat(read("pairing", "true").invitations().isAccepted("@bob:example.org", "!r", false))
                .isFalse();
        assertThat(read("join", "all").invitations().isAccepted("@bob:example.org", "!r", false))
                .isTrue();
        assertThat(read("join", "none").invitations().isAccepted("@bob:example.org", "!r", true))
                .isFalse();
    }
}
