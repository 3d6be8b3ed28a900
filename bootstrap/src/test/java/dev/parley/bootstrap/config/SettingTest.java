package dev.parley.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code config show} shows of a setting. */
class SettingTest {
    @ParameterizedTest
    @CsvSource({
        "platforms.http.bridge_tokens.telegram, 0123456789abcdef, (hidden)",
        "platforms.http.callback_secret, 0123456789abcdef, (hidden)",
        "platforms.other.bot_token, 123:abc, (hidden)",
        "platforms.http.callback_url, https://me:hunter2@example.org/hook, https://(hidden)@example.org/hook",
        "platforms.http.callback_url, https://example.org/hook, https://example.org/hook",
        "agents.openai.max_tokens, 100, 100",
        "agents.openai.api_key_env, OPENAI_API_KEY, OPENAI_API_KEY",
        "group_sessions_per_user, true, true",
    })
    void secretsAreNotShown(String path, String value, String shown) {
        assertThat(new Setting(path, value, "default").shown()).isEqualTo(shown);
    }
}
