package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.WebRole;
import dev.parley.testing.TestGateway;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a page reads is bounded, however many lanes and sessions there are. */
class BoundedPagesTest {
    private static final Set<Class<?>> READS = Set.of(Lanes.class, Sessions.class, TurnQueue.class, Transcripts.class);

    /** Reads of everything that there is. */
    private static final Set<String> ALL =
            Set.of("forEach", "forEachEvent", "forEachMessage", "lanes", "load", "loadAll", "statistics");

    private final TestGateway gateway = TestGateway.answering(said -> "heard");
    private final List<String> read = new ArrayList<>();

    @AfterEach
    void close() {
        gateway.close();
    }

    /** Returns the same, of which every read is written down, also of what it returns. */
    private Object watched(Class<?> type, Object real) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            read.add(type.getSimpleName() + "." + method.getName());
            try {
                Object answer = method.invoke(real, arguments);
                return READS.contains(method.getReturnType()) ? watched(method.getReturnType(), answer) : answer;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    @Test
    void noPageReadsAllThatThereIs() {
        for (int i = 0; i < 60; i++) {
            gateway.ask("hello " + i);
            gateway.ask("/new");
        }
        Visit visit = new Visit(gateway, (GatewayInspection) watched(GatewayInspection.class, gateway.gateway()));
        String lane = gateway.lane(TestGateway.ALICE).value();
        String session = gateway.storage()
                .lanes()
                .find(gateway.lane(TestGateway.ALICE))
                .orElseThrow()
                .entry()
                .sessionId()
                .value();
        for (String page : List.of(
                "/",
                "/lanes",
                "/lanes?state=suspended&q=alice",
                "/lane?key=" + lane,
                "/lane/reset?key=" + lane,
                "/sessions",
                "/sessions?order=start",
                "/session?id=" + session,
                "/search?q=hello",
                "/usage?days=30&by=day",
                "/deliveries?state=all",
                "/failures",
                "/events?all=1",
                "/storage",
                "/recovery",
                "/settings?all=1",
                "/audit",
                "/what-if",
                "/sessions/prune?days=7",
                "/gateway/hold")) {
            read.clear();
            assertThat(visit.get(page, WebRole.OPERATOR).status()).as(page).isEqualTo(200);

            assertThat(read).as("what %s reads", page).hasSizeLessThan(150);
            assertThat(read)
                    .as("what %s reads", page)
                    .noneMatch(each -> ALL.contains(each.substring(each.indexOf('.') + 1)));
        }
    }
}
