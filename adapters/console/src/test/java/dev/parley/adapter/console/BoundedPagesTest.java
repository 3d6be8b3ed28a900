package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.testing.RecordingPlatform;
import dev.parley.testing.TestGateway;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a page reads and shows is bounded, however many lanes and sessions there are. */
class BoundedPagesTest {
    private static final Set<Class<?>> READS = Set.of(Lanes.class, Sessions.class, TurnQueue.class, Transcripts.class);

    /** Reads of everything that there is. */
    private static final Set<String> ALL =
            Set.of("forEach", "forEachEvent", "forEachMessage", "lanes", "load", "loadAll", "statistics");

    private final TestGateway gateway = TestGateway.builder()
            .answering(said -> "heard")
            .settings(s -> s.operation(o -> o.withMaintenanceCheck(Duration.ofSeconds(1))))
            .start();
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
    void noPageReadsAllThatThereIsOrIsLong() throws IOException {
        for (int i = 0; i < 60; i++) {
            gateway.ask("hello " + i + ", is the report of last week finished, and who looks at it before it is sent?");
            gateway.ask("/new");
            gateway.ask(
                    SessionSource.builder(TestGateway.PLATFORM, "51823041" + i)
                            .userId("51823041" + i)
                            .userName("Somebody with a name " + i)
                            .build(),
                    "hello " + i);
        }
        gateway.platform().behave(RecordingPlatform.Behaviour.FAIL);
        gateway.say("who is away");
        gateway.settle();
        gateway.markers().hold(true);
        gateway.pass(Duration.ofSeconds(2));
        gateway.say("wait");
        gateway.settle();
        Visit visit = new Visit(gateway, (GatewayInspection) watched(GatewayInspection.class, gateway.gateway()));
        List<String> pages = new ArrayList<>(Stream.of(Route.values())
                .filter(Route::isShown)
                .map(this::address)
                .toList());
        pages.addAll(List.of(
                "/lanes?state=suspended&q=alice",
                "/lane?of=why&key=" + gateway.lane(TestGateway.ALICE).value(),
                "/sessions?order=start",
                "/search?q=hello",
                "/usage?days=30&by=day",
                "/deliveries?state=all",
                "/events?all=1",
                "/settings?all=1",
                "/sessions/prune?days=7"));
        for (String page : pages) {
            read.clear();
            WebResponse.Whole answer = visit.get(page, WebRole.OPERATOR);
            assertThat(answer.status()).as(page).isEqualTo(200);
            assertThat(answer.body().length()).as("the budget of %s", page).isLessThan(60 * 1024);
            assertThat(pressed(answer.body()))
                    .as("the budget of %s, as it is sent", page)
                    .isLessThan(10 * 1024);

            assertThat(read).as("what %s reads", page).hasSizeLessThan(150);
            assertThat(read)
                    .as("what %s reads", page)
                    .noneMatch(each -> ALL.contains(each.substring(each.indexOf('.') + 1)));
        }
    }

    private static int pressed(String page) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(page.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.size();
    }

    /** Returns where a page is shown. */
    private String address(Route route) {
        SessionKey key = gateway.lane(TestGateway.ALICE);
        TurnQueue queue = gateway.storage().queue();
        String lane = "?key=" + key.value();
        String session = "id="
                + gateway.storage()
                        .lanes()
                        .find(key)
                        .orElseThrow()
                        .entry()
                        .sessionId()
                        .value();
        return route.place()
                + switch (route) {
                    case LANE, LANE_RESET, LANE_UNRESET, LANE_SUSPEND, LANE_UNSUSPEND, LANE_INTERRUPT -> lane;
                    case LANE_RESUME -> lane + "&" + session;
                    case LANE_DROP ->
                        lane + "&id=" + queue.admitted(key).get(0).id().value();
                    case DELIVERY_TRY, DELIVERY_GIVE_UP ->
                        "?id=" + queue.undelivered().get(0).id().value();
                    case SESSION, SESSION_TITLE, SESSION_END, SESSION_REOPEN, SESSION_DELETE -> "?" + session;
                    default -> "";
                };
    }
}
