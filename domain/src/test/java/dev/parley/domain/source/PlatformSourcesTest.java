package dev.parley.domain.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlatformSourcesTest {
    @ParameterizedTest
    @MethodSource
    @DisplayName("S1.14 ids become text; what platforms send for none is absent")
    void idsBecomeText(@Nullable Object raw, @Nullable String id) {
        assertThat(PlatformSources.id(raw)).isEqualTo(Optional.ofNullable(id));
    }

    static Stream<Arguments> idsBecomeText() {
        return Stream.of(
                Arguments.of(null, null),
                Arguments.of("", null),
                Arguments.of(0, null),
                Arguments.of(0L, null),
                Arguments.of(false, null),
                Arguments.of("0", "0"),
                Arguments.of(-10012345L, "-10012345"),
                Arguments.of("U1", "U1"));
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("S1.14 topics are trimmed; a blank one is absent")
    void topicsAreTrimmed(@Nullable String raw, @Nullable String topic) {
        assertThat(PlatformSources.topic(raw)).isEqualTo(Optional.ofNullable(topic));
    }

    static Stream<Arguments> topicsAreTrimmed() {
        return Stream.of(
                Arguments.of(null, null),
                Arguments.of(" \n", null),
                Arguments.of(" On call \n", "On call"),
                Arguments.of("Ops", "Ops"));
    }

    @Test
    @DisplayName("S1.15 the adapter's transform is applied to the chat id, not to a missing one")
    void theTransformIsAppliedToTheChatId() {
        PlatformSources sources = PlatformSources.of(Platform.of("sms"), raw -> "n" + Long.parseLong(raw));

        assertThat(sources.inChat("007").build().chatId()).isEqualTo("n7");
        assertThat(sources.inChat(null).build().chatId()).isEmpty();
        assertThat(PlatformSources.of(Platform.SLACK).inChat("007").build())
                .isEqualTo(SessionSource.builder(Platform.SLACK, "007").build());
    }
}
