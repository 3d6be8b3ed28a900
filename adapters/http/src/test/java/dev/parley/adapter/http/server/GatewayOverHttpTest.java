package dev.parley.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.ReplayCleaning;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.testing.MemoryMarkers;
import dev.parley.testing.memory.MemoryStorage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The platform before the real gateway. */
class GatewayOverHttpTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path home;

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(16);
    private final AtomicReference<GatewayInspection> inspected = new AtomicReference<>();
    private final Surroundings surroundings = new Surroundings();
    private final Parrots parrots = new Parrots();
    private final HttpClient client = HttpClient.newHttpClient();
    private ChatPlatform platform;
    private Gateway gateway;

    @BeforeEach
    void start() throws Exception {
        platform = new HttpProvider()
                .create(new ProviderSettings(
                        "platforms.http",
                        Map.of("port", "0"),
                        Map.of(),
                        home,
                        Instant::now,
                        surroundings,
                        surroundings,
                        threads,
                        warning -> {},
                        inspection()));
        gateway = Gateway.builder()
                .storage(new MemoryStorage())
                .agents(parrots)
                .platform(platform)
                .clock(Instant::now)
                .timers(surroundings)
                .ids(surroundings)
                .executor(threads)
                .markers(new MemoryMarkers())
                .build();
        inspected.set(gateway);
        gateway.start().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().get(60, TimeUnit.SECONDS);
        threads.shutdownNow();
    }

    @Test
    void fiftyLanesTalkAtOnceWithoutAnErrorOrAMessageOutOfOrder() throws Exception {
        List<CompletableFuture<List<String>>> talks = new ArrayList<>();
        for (int lane = 0; lane < 50; lane++) {
            talks.add(talk(lane, 0, List.of()));
        }
        for (int lane = 0; lane < 50; lane++) {
            assertThat(talks.get(lane).get(120, TimeUnit.SECONDS))
                    .containsExactly(
                            "lane " + lane + " message 0",
                            "lane " + lane + " message 1",
                            "lane " + lane + " message 2");
        }
        JsonNode lanes = get("/v1/lanes");
        assertThat(lanes).hasSize(50);
        for (JsonNode lane : lanes) {
            JsonNode messages = get("/v1/sessions/" + lane.get("session_id").asText() + "/messages");
            assertThat(messages).hasSize(6);
            for (int i = 0; i < 3; i++) {
                String text = messages.get(2 * i).get("content").asText();
                assertThat(text).endsWith("message " + i);
                assertThat(messages.get(2 * i + 1).get("content").asText()).isEqualTo(text);
            }
        }
    }

    private CompletableFuture<List<String>> talk(int lane, int message, List<String> heard) {
        if (message == 3) {
            return CompletableFuture.completedFuture(heard);
        }
        String body = "{\"chat_id\":\"c" + lane + "\",\"text\":\"lane " + lane + " message " + message + "\"}";
        return client.sendAsync(post(body).build(), HttpResponse.BodyHandlers.ofString())
                .thenCompose(response -> {
                    List<String> more = new ArrayList<>(heard);
                    more.add(json(response.body()).path("reply").asText(response.body()));
                    return talk(lane, message + 1, more);
                });
    }

    /** Otherwise a caller that waits for the answer would wait for one that waits for the caller. */
    @Test
    void aQuestionOfTheAgentIsToldToWhoWaitsForTheAnswer() throws Exception {
        JsonNode body = json(send("{\"chat_id\":\"c\",\"text\":\"clean up\"}").body());

        assertThat(body.get("status").asText()).isEqualTo("asked");
        assertThat(body.get("reply").asText()).isEqualTo("Which of the two?");
        assertThat(body.get("turn").asText()).isNotEmpty();
        assertThat(body.get("messages")).hasSize(1);
        assertThat(gateway.interruptLane(SessionKey.of(body.get("lane").asText())))
                .isTrue();
    }

    @Test
    void aMessageThatComesTwiceIsAnsweredOnce() throws Exception {
        String body = "{\"chat_id\":\"c\",\"text\":\"once\",\"message_id\":\"m1\"}";
        JsonNode first = json(send(body).body());
        JsonNode second = json(send(body).body());

        assertThat(first.get("status").asText()).isEqualTo("answered");
        assertThat(second.get("duplicate").asBoolean()).isTrue();
        assertThat(second.get("id")).isEqualTo(first.get("id"));
        assertThat(parrots.asked).hasSize(1);
    }

    @Test
    void aCommandIsAnsweredAndADoneEventComesAfterTheCommit() throws Exception {
        JsonNode status = json(send("{\"chat_id\":\"c\",\"text\":\"/status\"}").body());
        assertThat(status.get("status").asText()).isEqualTo("closed");
        assertThat(status.at("/messages/0/kind").asText()).isEqualTo("reply");
        assertThat(status.get("reply")).isEqualTo(status.at("/messages/0/text"));
        assertThat(status.get("reply").asText()).isNotBlank().doesNotContain("Unknown");

        HttpResponse<String> stream = client.send(
                post("{\"chat_id\":\"c\",\"text\":\"streamed\"}")
                        .header("Accept", "text/event-stream")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(stream.body().lines().filter(line -> line.startsWith("event: ")))
                .startsWith("event: admitted", "event: delta")
                .endsWith("event: done");
        String lane = json(stream.body()
                        .lines()
                        .filter(l -> l.startsWith("data: "))
                        .findFirst()
                        .orElseThrow()
                        .substring(6))
                .get("lane")
                .asText();
        JsonNode history = get("/v1/lanes/history?key=" + URLEncoder.encode(lane, StandardCharsets.UTF_8));
        assertThat(history.get(0).get("kind").asText()).isEqualTo("created");
        assertThat(get("/v1/search?q=streamed")).hasSize(2);
    }

    @Test
    void whatNobodyWaitedForCanBeAskedForLater() throws Exception {
        assertThat(send("{\"chat_id\":\"c\",\"text\":\"later\",\"wait\":false}").statusCode())
                .isEqualTo(202);
        JsonNode page = get("/v1/messages?chat_id=c");
        while (page.get("messages").isEmpty()) {
            page = get("/v1/messages?chat_id=c");
        }

        assertThat(page.at("/messages/0/text").asText()).isEqualTo("later");
        assertThat(get("/v1/messages?chat_id=c&after="
                                + page.at("/messages/0/id").asText())
                        .get("messages"))
                .isEmpty();
    }

    @Test
    void theClientTalksAsThePersonOfThisMachineAndInterrupts() throws Exception {
        GatewayClient parley = GatewayClient.of(home, threads).orElseThrow();
        LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
        Received message = new Received(
                SessionSource.builder(Platform.LOCAL, "alice").userId("alice").build(),
                "slowly",
                List.of(),
                Optional.empty());
        Receipt receipt = parley.receive(message, new AnswerListener() {
                    @Override
                    public void closed(String why) {
                        heard.add(why);
                    }

                    @Override
                    public void finished(dev.parley.domain.turn.TurnId turn, String text) {
                        heard.add(text);
                    }
                })
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        Receipt.Admitted admitted = (Receipt.Admitted) receipt;
        assertThat(admitted.lane().value()).isEqualTo("agent:main:local:dm:alice");
        parrots.slow.take();
        assertThat(parley.interrupt(admitted.lane())).isTrue();

        assertThat(heard.poll(60, TimeUnit.SECONDS)).isNotNull();
        assertThat(parley.interrupt(admitted.lane())).isFalse();
        assertThat(json(parley.health()).get("status").asText()).isEqualTo("ok");
    }

    @Test
    void whatAnOperatorDoesToALaneIsDoneAndTakenBack() throws Exception {
        GatewayClient parley = GatewayClient.of(home, threads).orElseThrow();
        send("{\"chat_id\":\"c\",\"text\":\"one\"}");
        SessionKey lane = SessionKey.of("agent:main:webhook:dm:c");
        String first = session();

        assertThat(parley.suspend(lane)).isTrue();
        assertThat(parley.unsuspend(lane)).isTrue();
        assertThat(parley.unsuspend(lane)).as("it is not suspended any more").isFalse();
        assertThat(parley.reset(lane)).isTrue();
        assertThat(session()).isNotEqualTo(first);
        assertThat(parley.unreset(lane)).isTrue();
        assertThat(session()).isEqualTo(first);
        assertThat(parley.reset(lane)).isTrue();
        assertThat(parley.resume(lane, SessionId.of(first))).isTrue();
        assertThat(session()).isEqualTo(first);
        assertThat(parley.resume(lane, SessionId.of("no-such-session"))).isFalse();
        assertThat(parley.drop(lane, new InboundId("no-such-message"))).isFalse();
        assertThat(parley.deliverNow(new OutgoingId("no-such-message"))).isFalse();
        assertThat(parley.giveUp(new OutgoingId("no-such-message"))).isFalse();
        assertThat(parley.unsuspend(SessionKey.of("agent:main:webhook:dm:nobody")))
                .isFalse();
    }

    private String session() throws Exception {
        return get("/v1/lanes").get(0).get("session_id").asText();
    }

    // ---- help

    private GatewayInspection inspection() {
        return (GatewayInspection) Proxy.newProxyInstance(
                GatewayInspection.class.getClassLoader(),
                new Class<?>[] {GatewayInspection.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(inspected.get(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private URI uri(String path) {
        return platform.address().orElseThrow().resolve(path);
    }

    private HttpRequest.Builder request(String path) {
        try {
            return HttpRequest.newBuilder(uri(path))
                    .header(
                            "Authorization",
                            "Bearer "
                                    + Files.readString(GatewayClient.tokenFile(home))
                                            .strip());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private HttpRequest.Builder post(String body) {
        return request("/v1/messages").POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpResponse<String> send(String body) throws Exception {
        return client.send(post(body).build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode get(String path) throws Exception {
        HttpResponse<String> response = client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return json(response.body());
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    private final class Surroundings implements Timers, Ids {
        private final AtomicLong next = new AtomicLong();

        @Override
        public Timer after(Duration delay, Runnable task) {
            var scheduled = threads.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
            return () -> scheduled.cancel(false);
        }

        @Override
        public String sessionSuffix() {
            return String.format("%08x", next.incrementAndGet());
        }

        @Override
        public String unique(String prefix) {
            return prefix + "-" + next.incrementAndGet();
        }

        @Override
        public Duration jitter(Duration least, Duration most) {
            return least;
        }
    }

    /** Agents that say what they were told; the slow ones only once they are interrupted. */
    private final class Parrots implements AgentFactory {
        private final LinkedBlockingQueue<String> asked = new LinkedBlockingQueue<>();
        private final LinkedBlockingQueue<String> slow = new LinkedBlockingQueue<>();

        @Override
        public String signature(AgentSpec spec) {
            return "parrot";
        }

        @Override
        public String model(AgentSpec spec) {
            return "parrot";
        }

        @Override
        public long contextLength(AgentSpec spec) {
            return 0;
        }

        @Override
        public Agent create(AgentSpec spec) {
            return new Agent() {
                @Override
                public AgentRun start(AgentTurn turn, AgentEvents events) {
                    String text =
                            ReplayCleaning.withoutNotes(turn.input().content().plainText());
                    asked.add(text);
                    if (text.equals("slowly")) {
                        slow.add(text);
                    } else if (text.equals("clean up")) {
                        threads.execute(() ->
                                events.asked(new AgentQuestion(AgentQuestion.Kind.CLARIFICATION, "Which of the two?")));
                    } else {
                        threads.execute(() -> {
                            events.streamed(text);
                            events.answered(AgentAnswer.text(text));
                        });
                    }
                    return new Run(() -> threads.execute(() -> events.interrupted(AgentAnswer.text(""))));
                }

                @Override
                public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
                    throw new AssertionError("nothing is summarised here");
                }

                @Override
                public void release() {}

                @Override
                public void close() {}
            };
        }
    }

    private record Run(Runnable interruption) implements AgentRun {
        @Override
        public void interrupt(String reason) {
            interruption.run();
        }

        @Override
        public boolean steer(String text) {
            return false;
        }

        @Override
        public Instant lastActivity() {
            return Instant.now();
        }

        @Override
        public Optional<String> activity() {
            return Optional.empty();
        }
    }
}
