package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.testing.TestGateway;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another reset policy would have done, asked in the console. */
class WhatIfTest {
    private static final String HOURLY = "mode-all=idle&idle-all=60&days=30";

    private final TestGateway gateway = TestGateway.builder()
            .settings(settings -> settings.withResetPolicies(ResetPolicies.of(
                    ResetPolicy.DEFAULT.withMode(ResetMode.IDLE).withIdle(Duration.ofHours(5)))))
            .start();
    private final Visit visit = new Visit(gateway);

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void aReaderAsksAndIsToldWhichSessionsWouldHaveEndedWhenAndWhy() {
        gateway.ask("one");
        gateway.pass(Duration.ofHours(2));
        gateway.ask("two");

        WebResponse.Whole begun = visit.post("/what-if", HOURLY, WebRole.READER);
        visit.settle();
        Document page = visit.page("/what-if");

        assertThat(begun.status()).isEqualTo(303);
        assertThat(visit.needed("POST", "/what-if")).isEqualTo(WebRole.READER);
        assertThat(page.select("#job").text()).contains("Replayed the last 30 days of 1 lane");
        assertThat(fact(page, "Sessions that ended")).isEqualTo("0");
        assertThat(fact(page, "Would have ended, and did not")).isEqualTo("1");
        Element row = page.selectFirst("tbody tr");
        assertThat(row).isNotNull();
        assertThat(page.select("tbody details").text())
                .contains("would have ended: idle, last active 2026-03-10 09:00");
        assertThat(page.select("tbody details a").attr("href")).startsWith("/console/session?id=");
        assertThat(page.select("pre").text()).contains("mode: idle").contains("idle_minutes: 60");
        assertThat(visit.acts()).contains("reader what-if begun");
    }

    @Test
    void aPolicyOfATypeGoesBeforeThatOfAllLanesAndOneOfAPlatformBeforeBoth() {
        SessionSource room = SessionSource.builder(Platform.TELEGRAM, "-5")
                .chatType(ChatType.GROUP)
                .userId("1")
                .build();
        gateway.ask("one");
        gateway.ask(room, "one");
        gateway.pass(Duration.ofHours(2));
        gateway.ask("two");
        gateway.ask(room, "two");

        visit.post("/what-if", HOURLY + "&mode-type-group=none", WebRole.OPERATOR);
        visit.settle();
        Document byType = visit.page("/what-if");
        visit.post("/what-if", HOURLY + "&mode-type-group=none&mode-platform-telegram=none", WebRole.OPERATOR);
        visit.settle();
        Document byPlatform = visit.page("/what-if");

        assertThat(fact(byType, "Would have ended")).isEqualTo("1");
        assertThat(byType.select("option[selected]").eachText())
                .contains("idle: after inactivity", "none: never by itself");
        assertThat(byType.select("pre").text()).contains("reset_by_type:").contains("group:");
        assertThat(fact(byPlatform, "Would have ended")).isEqualTo("0");
        assertThat(byPlatform.select("pre").text()).contains("reset_by_platform:");
        assertThat(byPlatform.select(".empty").text()).contains("No session would have ended earlier or later");
    }

    @Test
    void itGoesOnInPiecesShowsHowFarItIsAndStopsWhenItIsCancelled() {
        people(300);
        visit.post("/what-if", HOURLY, WebRole.READER);
        visit.settle();

        Document under = visit.page("/what-if");
        assertThat(under.select("#job").text()).contains("200 of 300 lanes looked at");
        assertThat(under.select("progress").attr("value")).isEqualTo("200");
        assertThat(under.select("progress").attr("max")).isEqualTo("300");
        assertThat(gateway.ask("is anybody there")).as("turns run meanwhile").isNotEmpty();
        assertThat(visit.post("/what-if", HOURLY, WebRole.READER).status())
                .as("another one")
                .isEqualTo(409);

        String job = under.select("input[name=job]").attr("value");
        WebResponse.Whole cancelled = visit.post("/what-if/cancel", "job=" + job, WebRole.READER);
        visit.pass(Duration.ofSeconds(1));
        Document over = visit.page("/what-if");

        assertThat(cancelled.status()).isEqualTo(303);
        assertThat(over.select("#job").text()).contains("Cancelled after 200 of 300 lanes");
        assertThat(fact(over, "Lanes written to")).isEqualTo("200");
        assertThat(visit.post("/what-if/cancel", "job=" + job, WebRole.READER).status())
                .isEqualTo(409);
        assertThat(visit.acts()).contains("reader what-if refused", "reader what-if cancel done");
    }

    @Test
    void oneThatBreaksIsToldByTypeAndPlaceAndNotByWhatItQuotes() {
        Visit broken = breaking(any -> {
            throw new IllegalStateException("my secret words");
        });
        broken.post("/what-if", HOURLY, WebRole.READER);
        broken.settle();

        assertThat(broken.page("/what-if").select("#job").text())
                .contains("Something went wrong in the gateway; its log tells more.");
        assertThat(broken.warnings())
                .singleElement()
                .asString()
                .startsWith("A what-if of the console failed: java.lang.IllegalStateException at ")
                .contains(getClass().getName())
                .doesNotContain("my secret words");
    }

    @Test
    void oneThatBreaksOfAClassThatIsGoneIsOverAndAnotherMayBegin() {
        Visit broken = breaking(any -> {
            throw new NoClassDefFoundError("org/acme/Gone");
        });
        broken.post("/what-if", HOURLY, WebRole.READER);
        broken.settle();

        assertThat(broken.warnings()).singleElement().asString().contains("NoClassDefFoundError", "org/acme/Gone");
        assertThat(broken.post("/what-if", HOURLY, WebRole.READER).status()).isEqualTo(303);
    }

    private Visit breaking(Function<Object[], Object> lanes) {
        return new Visit(
                gateway, Answering.but(GatewayInspection.class, gateway.gateway(), Map.of("laneReads", lanes)));
    }

    @Test
    void whatWasFoundIsForgottenTenMinutesAfterTheEnd() {
        gateway.ask("one");
        visit.post("/what-if", HOURLY, WebRole.READER);
        visit.settle();

        visit.pass(Duration.ofMinutes(10));
        assertThat(visit.page("/what-if").select("#job")).isNotEmpty();
        visit.pass(Duration.ofSeconds(1));

        assertThat(visit.page("/what-if").select("#job")).isEmpty();
        assertThat(visit.get("/what-if.csv", WebRole.READER).status()).isEqualTo(400);
    }

    @Test
    void theResultIsSavedAsATableThatNoSpreadsheetTakesForFormulas() {
        SessionSource hostile =
                SessionSource.builder(Platform.TELEGRAM, "1;\"2").userId("1").build();
        gateway.ask(hostile, "one");
        gateway.pass(Duration.ofHours(2));
        gateway.ask(hostile, "two");
        visit.post("/what-if", HOURLY, WebRole.READER);
        visit.settle();

        WebResponse.Whole saved = visit.get("/what-if.csv", WebRole.READER);

        assertThat(saved.headers())
                .containsEntry("Content-Disposition", "attachment; filename=\"what-if-30-days.csv\"")
                .containsEntry("Content-Type", "text/csv; charset=utf-8");
        assertThat(saved.body().lines()).hasSize(2).first().asString().startsWith("lane,policy,session,at,reason");
        assertThat(saved.body()).contains("1;\"\"2\",session_reset,", ",idle,", ",no,yes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "days=30",
                "mode-all=sometimes",
                "mode-all=idle&idle-all=0",
                "mode-all=idle&idle-all=-1",
                "mode-all=idle&idle-all=99999999999999999999",
                "mode-all=daily&hour-all=24",
                "mode-all=daily&hour-all=x",
                "mode-all=none&mode-type-dm=idle&idle-type-dm=a"
            })
    void aFormThatCannotBeMeantIsRefusedInOneLineAndNothingBegins(String form) {
        WebResponse.Whole answer = visit.post("/what-if", form, WebRole.OPERATOR);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(visit.page("/what-if").select("#job")).isEmpty();
    }

    @Test
    void theFormBeginsWithThePolicyThatHolds() {
        Document page = visit.page("/what-if");

        assertThat(page.select("select[name=mode-all] option[selected]").attr("value"))
                .isEqualTo("idle");
        assertThat(page.select("input[name=idle-all]").attr("value")).isEqualTo("300");
        assertThat(page.select("select[name=mode-platform-telegram] option[selected]")
                        .attr("value"))
                .isEmpty();
    }

    private void people(int count) {
        for (int i = 0; i < count; i++) {
            gateway.ask(
                    SessionSource.builder(Platform.TELEGRAM, "p" + i)
                            .userId("p" + i)
                            .build(),
                    "one");
        }
    }

    private static String fact(Document page, String name) {
        return page.select(".facts > div").stream()
                .filter(each -> each.select("dt").text().equals(name))
                .map(each -> each.select("dd").text())
                .findFirst()
                .orElse("");
    }
}
