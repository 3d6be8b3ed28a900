package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Page;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.SessionSource;
import dev.parley.testing.TestGateway;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A search among more lanes than are looked at for a page says how far it has come. */
class SearchedLanesTest {
    private final TestGateway gateway = TestGateway.answering(said -> "heard");
    private final Visit visit =
            new Visit(gateway, (GatewayInspection) seen(GatewayInspection.class, gateway.gateway()));

    @AfterEach
    void close() {
        gateway.close();
    }

    /** A look into the gateway whose lanes are looked at one for a page, as a store does that has an index of times. */
    private static Object seen(Class<?> type, Object real) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (method.getName().equals("page") && arguments[0] instanceof LaneQuery query) {
                return one((Lanes) real, query);
            }
            try {
                Object answer = method.invoke(real, arguments);
                return method.getReturnType() == Lanes.class ? seen(Lanes.class, answer) : answer;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static Page<?> one(Lanes lanes, LaneQuery query) {
        assertThat(query.looks()).isEqualTo(LaneQuery.FEW_LOOKS);
        var all = lanes.page(LaneQuery.first(1).after(query.after()));
        Optional<Cursor> next = all.next();
        return new Page<>(all.rows().stream().filter(query::matches).toList(), next);
    }

    private void somebodyWrites(String name) {
        gateway.ask(
                SessionSource.builder(TestGateway.PLATFORM, name)
                        .userId(name)
                        .userName(name)
                        .build(),
                "hello");
        gateway.pass(java.time.Duration.ofMinutes(1));
    }

    @Test
    void whatIsNotFoundYetIsNotCalledMissing() {
        List.of("first", "second", "third").forEach(this::somebodyWrites);

        Document page = visit.page("/lanes?q=first");

        assertThat(page.select(".empty").text()).contains("No lane matches so far.");
        assertThat(page.text()).contains("Searched so far: lanes that were active at ");
        assertThat(page.select("a[rel=next]").text()).isEqualTo("Search further");

        Document further = visit.page(page.select("a[rel=next]").attr("href").replace("/console", ""));
        Document last = visit.page(further.select("a[rel=next]").attr("href").replace("/console", ""));
        assertThat(last.select("tbody tr")).hasSize(1);
        assertThat(last.select("a[rel=next]")).isEmpty();
        assertThat(last.text()).doesNotContain("so far");
    }

    @Test
    void aDirectChatWithoutANameIsNamedAfterItsPerson() {
        gateway.ask(
                SessionSource.builder(TestGateway.PLATFORM, "4712")
                        .userId("4712")
                        .userName("Eve <b>bold</b>")
                        .build(),
                "hello");

        Document page = visit.page("/lanes");

        assertThat(page.select("td a").first().text()).isEqualTo("Eve <b>bold</b> (telegram dm 4712)");
        assertThat(page.select("td b")).isEmpty();
        assertThat(page.select("[title=agent:main:telegram:dm:4712]")).hasSize(1);
    }

    @Test
    void aRoomWithoutANameIsNotNamedAfterWhoWroteFirst() {
        gateway.ask(
                SessionSource.builder(TestGateway.PLATFORM, "4713")
                        .chatType(ChatType.of("group"))
                        .userId("eve")
                        .userName("Eve")
                        .build(),
                "hello");

        assertThat(visit.page("/lanes").select("td a").first().text()).isEqualTo("telegram group 4713");
    }

    @Test
    void aLongNameLeavesRoomForWhatTellsItsLaneFromOthers() {
        gateway.ask(
                SessionSource.builder(TestGateway.PLATFORM, "4711")
                        .userId("4711")
                        .chatName("Donaudampfschifffahrtsgesellschaft ".repeat(9))
                        .build(),
                "hello");

        assertThat(visit.page("/lanes").select("td a").first().text())
                .startsWith("Donaudampfschifffahrtsgesellschaft")
                .endsWith("(telegram dm 4711)");
    }

    @Test
    void aSearchThatHasSeenAllSaysThatNothingMatches() {
        List.of("first", "second").forEach(this::somebodyWrites);

        assertThat(visit.page("/lanes?q=nobody&after="
                                + visit.page("/lanes?q=nobody")
                                        .select("a[rel=next]")
                                        .attr("href")
                                        .replaceAll(".*after=", ""))
                        .select(".empty")
                        .text())
                .contains("No lane matches.");
    }
}
