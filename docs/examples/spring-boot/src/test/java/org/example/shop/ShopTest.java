package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.parley.domain.source.Platform;
import dev.parley.fakes.telegram.FakeTelegram;
import dev.parley.home.access.Pairing;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.health.HealthEndpoint;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The shop is asked over Telegram, and remembers across its own restart. */
class ShopTest {
    private static final long ADA = 7;
    private static final long BEA = 8;

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

    @Test
    void somebodyOnNoListIsLetInByTheCodeTheyAreGiven() throws Exception {
        try (FakeTelegram telegram = new FakeTelegram("123:abc", "shop_bot", Clock.systemUTC())) {
            telegram.privateChat(BEA, "Bea");
            try (ConfigurableApplicationContext shop = start(
                    telegram, "--parley.platforms.telegram.allow=" + ADA, "--parley.platforms.telegram.pairing=true")) {
                telegram.write(BEA, BEA, "Is there a lamp?");
                String told = telegram.awaitShown(BEA, 1, Duration.ofSeconds(60))
                        .get(0)
                        .text();
                String code = told.replaceFirst("(?s).*telegram: (\\S+).*", "$1");
                assertInstanceOf(
                        Pairing.Approval.LetIn.class,
                        shop.getBean(Pairing.class).approve(Platform.TELEGRAM, code));
                telegram.write(BEA, BEA, "Is there a lamp?");
                assertEquals(
                        "3 of lamp (0 messages before)",
                        telegram.awaitShown(BEA, 2, Duration.ofSeconds(60))
                                .get(1)
                                .text());
            }
        }
    }

    private ConfigurableApplicationContext start(FakeTelegram telegram, String... more) {
        return new SpringApplicationBuilder(ShopApplication.class)
                .run(Stream.concat(
                                Stream.of(more),
                                Stream.of(
                                        "--parley.home=" + home.resolve("parley"),
                                        "--parley.platforms.telegram.base-url=" + telegram.address(),
                                        "--TELEGRAM_BOT_TOKEN=123:abc"))
                        .toArray(String[]::new));
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
