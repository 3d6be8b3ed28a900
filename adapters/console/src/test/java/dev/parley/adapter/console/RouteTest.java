package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.spi.WebRole;
import dev.parley.testing.TestGateway;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may ask for which address, and what an address that is asked in the wrong way answers. */
class RouteTest {
    private final TestGateway gateway = TestGateway.answering(said -> "heard");
    private final Visit visit = new Visit(gateway);

    @AfterEach
    void close() {
        gateway.close();
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void whatChangesSomethingIsForOperatorsAlone(Route route) {
        boolean asksOnly = route == Route.WHAT_IF || route == Route.WHAT_IF_CANCEL;

        assertThat(visit.needed("POST", route.place())).isEqualTo(asksOnly ? WebRole.READER : WebRole.OPERATOR);
        assertThat(visit.needed("PUT", route.place())).isNotEqualTo(WebRole.NOBODY);
        assertThat(visit.needed("GET", route.place()))
                .isEqualTo(route.isForOperatorsOnly() ? WebRole.OPERATOR : WebRole.READER);
        if (route.isActedAt() && !asksOnly) {
            assertThat(route.isForOperatorsOnly()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void whatIsOnlyLookedAtCannotBeSentAForm(Route route) {
        if (!route.isActedAt()) {
            assertThat(visit.post(route.place(), "key=x&id=x&epoch=1", WebRole.OPERATOR)
                            .status())
                    .isEqualTo(405);
        }
        assertThat(visit.acts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/no-such-page", "/lane/", "/lane/reset/", "/lane/forget", "/LANES", "/lanes/../audit", "x"})
    void whatIsNotInTheListIsNotThere(String place) {
        assertThat(visit.get(place, WebRole.OPERATOR).status()).isEqualTo(404);
        assertThat(visit.post(place, "key=x&epoch=1", WebRole.OPERATOR).status())
                .isEqualTo(404);
    }

    @Test
    void aFormOfAnotherPageIsNoPage() {
        var answer = visit.get(Route.WHAT_IF_CANCEL.place(), WebRole.READER);

        assertThat(answer.status()).isEqualTo(405);
        assertThat(Jsoup.parse(answer.body()).select("main").text()).contains("a button of the page What-if");
    }
}
