package dev.parley.adapter.telegram;

import dev.parley.domain.source.Platform;
import dev.parley.fakes.gateway.FakeGateway;
import java.util.Map;

/** What tests of the adapter share. */
final class TelegramTesting {
    static final String TOKEN = "4711:telegram-secret";

    private TelegramTesting() {}

    /** Returns a gateway whose platform waits two seconds for something to happen. */
    static FakeGateway gateway() {
        return new FakeGateway(Platform.TELEGRAM, Map.of("poll_timeout", "2"), Map.of("TELEGRAM_BOT_TOKEN", TOKEN));
    }
}
