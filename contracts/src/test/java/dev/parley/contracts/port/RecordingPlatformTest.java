package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Receipt;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.testing.RecordingPlatform;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RecordingPlatformTest implements ChatPlatformContract {
    @Override
    public PlatformUnderTest platform() {
        return of(new RecordingPlatform(Platform.TELEGRAM));
    }

    /** The other side: a platform that recognises repeated sends. */
    @Nested
    class RecognisingRepeats implements ChatPlatformContract {
        @Override
        public PlatformUnderTest platform() {
            return of(new RecordingPlatform(Platform.TELEGRAM, new ChatPlatform.Traits(false, false, true)));
        }
    }

    /** The other side: a platform of lines. */
    @Nested
    class CarryingNoLineBreak implements ChatPlatformContract {
        @Override
        public PlatformUnderTest platform() {
            return of(new RecordingPlatform(Platform.TELEGRAM), Optional.of(text -> text.replace("\n", " / ")));
        }
    }

    private static PlatformUnderTest of(RecordingPlatform platform) {
        return of(platform, Optional.empty());
    }

    /** A platform that shows a text as {@code asOneLine} makes it, or as it is. */
    static PlatformUnderTest of(RecordingPlatform platform, Optional<UnaryOperator<String>> asOneLine) {
        return new PlatformUnderTest() {
            @Override
            public boolean carriesLineBreaks() {
                return asOneLine.isEmpty();
            }

            @Override
            public ChatPlatform platform() {
                return platform;
            }

            @Override
            public String chat() {
                return "chat-1";
            }

            @Override
            public CompletionStage<Boolean> write(String text, String messageId) {
                SessionSource source = SessionSource.builder(platform.name(), chat())
                        .userId("u")
                        .build();
                return platform.say(source, text, messageId)
                        .thenApply(
                                receipt -> receipt instanceof Receipt.Admitted || receipt instanceof Receipt.Duplicate);
            }

            @Override
            public List<String> shown() {
                return platform.texts(chat()).stream()
                        .map(asOneLine.orElse(UnaryOperator.identity()))
                        .toList();
            }

            @Override
            public boolean disconnect() {
                platform.disconnect();
                return true;
            }

            @Override
            public void close() {
                platform.stop();
            }
        };
    }

    @Test
    void aConnectionThatComesBackSendsAgain() {
        RecordingPlatform platform = new RecordingPlatform(Platform.TELEGRAM);
        platform.start(ChatPlatformContract.Inbox.admitting());
        platform.disconnect();
        platform.connect();

        assertThat(platform.isStarted()).isTrue();
        assertThat(platform.tried()).isEmpty();
    }
}
