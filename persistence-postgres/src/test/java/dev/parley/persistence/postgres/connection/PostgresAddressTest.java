package dev.parley.persistence.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresAddressTest {
    @Test
    void anAddressNamesHostsDatabaseAndSchema() {
        PostgresAddress address = PostgresAddress.parse("//me@a:5433,b/chats?schema=bot&sslmode=verify-full");

        assertThat(address.hosts()).isEqualTo("a:5433,b");
        assertThat(address.database()).isEqualTo("chats");
        assertThat(address.schema()).isEqualTo("bot");
        assertThat(address.properties()).containsEntry("user", "me").containsEntry("sslmode", "verify-full");
        assertThat(address).hasToString("postgres://a:5433,b/chats?schema=bot");
        assertThat(address.isLocal()).isFalse();
        assertThat(PostgresAddress.parse("//localhost/chats").isLocal()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"//me:secret@a/b", "//a/b?password=secret", "//a/b?user=x&Password=secret"})
    void aPasswordInAnAddressIsRefusedAndNotRepeated(String text) {
        assertThatThrownBy(() -> PostgresAddress.parse(text))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageMatching("[^\n]+")
                .hasMessageContaining("password_env")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a/b",
                "//",
                "//a",
                "//a/",
                "//a/b/c",
                "//a b/c",
                "//a/b?nonsense=1",
                "//a/b?user",
                "//a/b?user=%zz",
                "//a/b?schema=no-word",
                "//a/b?schema=a;drop"
            })
    void whatIsNoAddressIsRefusedInOneLine(String text) {
        assertThatThrownBy(() -> PostgresAddress.parse(text))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageMatching("[^\n]+");
    }

    @Test
    void aLoginIsShownWithoutItsPassword() {
        assertThat(new Login(Optional.of("me"), Optional.of("secret"))).hasToString("me with a password");
    }
}
