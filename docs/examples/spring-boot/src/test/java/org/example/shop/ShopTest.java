package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.fakes.telegram.FakeTelegram;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.health.HealthEndpoint;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The shop is asked over Telegram, and remembers across its own restart. */
class ShopTest {
    private static final long ADA = 7;

    @TempDir
    Path home;

    @Test
    void answersOverTelegramAndRemembersAcrossARestart() throws Exception {
        try (FakeTelegram telegram = new FakeTelegram("123:abc", "shop_bot", Clock.systemUTC())) {
            telegram.privateChat(ADA, "Ada");
            try (ConfigurableApplicationContext shop = start(telegram)) {
                assertEquals("3 of lamp (0 messages before)", ask(telegram, "Is there a lamp?", 1));
                assertEquals(Status.UP, health(shop));
            }
            try (ConfigurableApplicationContext shop = start(telegram)) {
                assertEquals("0 of chair (2 messages before)", ask(telegram, "And a chair?", 2));
                assertEquals(Status.UP, health(shop));
            }
        }
    }

    private ConfigurableApplicationContext start(FakeTelegram telegram) {
        return new SpringApplicationBuilder(ShopApplication.class)
                .run(
                        "--parley.home=" + home.resolve("parley"),
                        "--parley.platforms.telegram.base-url=" + telegram.address(),
                        "--TELEGRAM_BOT_TOKEN=123:abc");
    }

    private static Status health(ConfigurableApplicationContext shop) {
        return shop.getBean(HealthEndpoint.class).health().getStatus();
    }

    private static String ask(FakeTelegram telegram, String text, int answers) throws InterruptedException {
        telegram.write(ADA, ADA, text);
        return telegram.awaitShown(ADA, answers, Duration.ofSeconds(60))
                .get(answers - 1)
                .text();
    }
}
