package dev.parley.adapter.telegram.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.telegram.api.BotApi;
import dev.parley.fakes.telegram.FakeTelegram;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BotFilesTest {
    private static final String TOKEN = "4711:telegram-secret";

    private final FakeTelegram telegram = new FakeTelegram(TOKEN, "parley_bot", () -> Instant.EPOCH);
    private final BotFiles files = new BotFiles(new BotApi(Runnable::run, telegram.address(), TOKEN));

    @AfterEach
    void close() {
        telegram.close();
    }

    private static RemoteFile file(String id) {
        return new RemoteFile(id, "document", Optional.empty(), Optional.empty(), Optional.empty());
    }

    @Test
    void aFileIsFetched() throws Exception {
        try (InputStream content = files.open(file(telegram.file("bytes".getBytes(StandardCharsets.UTF_8))))) {
            assertThat(content).hasContent("bytes");
        }
    }

    @Test
    void aFileThatTelegramHasNoMoreIsNotABrokenConnection() {
        String id = telegram.file(new byte[1]);
        telegram.lose(id);

        assertThatThrownBy(() -> files.open(file(id)))
                .isInstanceOf(FileFetch.NotThere.class)
                .hasMessage("Telegram does not have it any more (status 404)");
    }
}
