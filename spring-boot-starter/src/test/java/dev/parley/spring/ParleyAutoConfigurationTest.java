package dev.parley.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.springai.SpringAiAgents;
import dev.parley.adapter.springai.TranscriptChatMemory;
import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.PlatformState;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import dev.parley.home.access.Pairing;
import dev.parley.testing.RecordingPlatform;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.reflect.OperationMethod;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;

/** A gateway of an application's beans and properties. */
class ParleyAutoConfigurationTest {
    private static final SessionSource ADA =
            SessionSource.builder(Platform.LOCAL, "1").userId("ada").build();

    @TempDir
    Path home;

    private ApplicationContextRunner runner = new ApplicationContextRunner();
    private final RecordingPlatform chat = new RecordingPlatform(Platform.LOCAL);
    private int messages;

    @BeforeEach
    void theStarter() {
        runner = runner.withConfiguration(AutoConfigurations.of(
                        SpringAiAutoConfiguration.class,
                        ParleyAutoConfiguration.class,
                        ActuatorAutoConfiguration.class))
                .withPropertyValues("parley.home=" + home.resolve("home"));
    }

    private ApplicationContextRunner answering() {
        return runner.withBean(
                        BlockingAgents.Answering.class,
                        () -> turn -> AgentAnswer.text(
                                "You said " + lastLine(turn.input().content().plainText())))
                .withBean(ChatPlatform.class, () -> chat);
    }

    /** Notes of the gateway stand before what somebody said. */
    private static String lastLine(String text) {
        return text.substring(text.lastIndexOf('\n') + 1);
    }

    private List<String> sent() {
        return chat.texts("1");
    }

    private void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting, with %s sent", sent()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private void say(String text) {
        chat.say(ADA, text, "m" + messages++);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void theFilesOfAStorageThatLiesElsewhereAreMadeTheirOwnersOnly() throws Exception {
        Path stored = Files.createFile(home.resolve("talk.db"));
        Files.setPosixFilePermissions(stored, PosixFilePermissions.fromString("rw-r--r--"));

        answering()
                .withPropertyValues("parley.storage.url=sqlite:" + stored)
                .run(application -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(stored)))
                        .isEqualTo("rw-------"));
    }

    @Test
    void aFunctionOfTheApplicationAnswersAndIsRememberedByTheNextStart() {
        for (String text : List.of("hello", "again")) {
            answering().run(context -> {
                assertThat(context).hasNotFailed();
                say(text);
                until(() -> sent().contains("You said " + text));
            });
        }
        answering()
                .run(context -> assertThat(
                                context.getBean(Storage.class).transcripts().countAll())
                        .isEqualTo(4));
        assertThat(home.resolve("home/state.db")).isRegularFile();
    }

    @Test
    void aModelOfSpringAiAnswersAndItsMemoryIsInTheTranscripts() {
        runner.withBean(ChatModel.class, Model::new)
                .withBean(ChatPlatform.class, () -> chat)
                .withPropertyValues("parley.agent.model=small")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    say("hello");
                    until(() -> !sent().isEmpty());
                    assertThat(sent()).containsExactly("From the model.");
                    ChatMemoryRepository memory = context.getBean(ChatMemoryRepository.class);
                    assertThat(memory).isInstanceOf(TranscriptChatMemory.class);
                    assertThat(memory.findByConversationId(
                                    memory.findConversationIds().get(0)))
                            .hasSize(2);
                    assertThat(context.getBean(AgentFactory.class)
                                    .model(new AgentSpec(
                                            SessionKey.of("agent:main:local:dm:1"),
                                            SessionId.of("s"),
                                            ADA,
                                            "",
                                            Optional.empty())))
                            .isEqualTo("small");
                });
    }

    /** A model that says one thing. */
    /** As the starters of models have them: configured behind everything else. */
    @AutoConfiguration
    @AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
    static class LateModel {
        @Bean
        ChatModel lateModel() {
            return new Model();
        }
    }

    @Test
    void aModelThatAnAutoConfigurationMakesLateAnswersToo() {
        runner.withConfiguration(AutoConfigurations.of(LateModel.class))
                .withBean(ChatPlatform.class, () -> chat)
                .run(application -> assertThat(application)
                        .hasNotFailed()
                        .getBean(AgentFactory.class)
                        .isInstanceOf(SpringAiAgents.class));
    }

    private static final class Model implements ChatModel {
        @Override
        public ChatResponse call(Prompt prompt) {
            return new ChatResponse(List.of(new Generation(new AssistantMessage("From the model."))));
        }

        @Override
        public Flux<ChatResponse> stream(Prompt prompt) {
            return Flux.just(call(prompt));
        }
    }

    @Test
    void anApplicationWithoutSpringAiActuatorOrMetricsHasAGatewayToo() {
        answering()
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.ai", "org.springframework.boot.actuate", "io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Gateway.class));
    }

    @Test
    void withoutAnAgentTheStartFailsAndSaysWhatToDo() {
        runner.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("BlockingAgents.Answering")
                .hasMessageContaining("parley.agent.provider"));
    }

    @Test
    void itCanBeSwitchedOff() {
        runner.withPropertyValues("parley.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Gateway.class));
        assertThat(home.resolve("home")).doesNotExist();
    }

    @Test
    void aPlatformOnTheClassPathIsConfiguredByPropertiesHoweverTheyAreWritten() {
        answering()
                .withPropertyValues(
                        "parley.platforms.telegram.allow=1,2",
                        "parley.platforms.telegram.base-url=http://127.0.0.1:1",
                        "parley.platforms.telegram.pollTimeout=1",
                        "TELEGRAM_BOT_TOKEN=1:secret")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Gateway gateway = context.getBean(Gateway.class);
                    assertThat(gateway.platforms())
                            .extracting(state -> state.platform().name())
                            .contains("telegram", "local");
                    Authorization lists = context.getBean(Platforms.class).authorization();
                    assertThat(lists.mayTalk(SessionSource.builder(Platform.TELEGRAM, "9")
                                    .userId("2")
                                    .build()))
                            .isTrue();
                    assertThat(lists.mayTalk(SessionSource.builder(Platform.TELEGRAM, "9")
                                    .userId("3")
                                    .build()))
                            .isFalse();
                    assertThat(lists.mayTalk(ADA)).isTrue();
                });
    }

    @Test
    void aPlatformThatAnybodyCanWriteToNeedsAList() {
        answering()
                .withPropertyValues("parley.platforms.telegram.enabled=true", "TELEGRAM_BOT_TOKEN=1:secret")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("parley.platforms.telegram.allow"));
    }

    @Test
    void aStrangerIsLetInByTheCodeTheyWereGiven() {
        SessionSource stranger =
                SessionSource.builder(Platform.TELEGRAM, "9").userId("9").build();
        answering()
                .withPropertyValues(
                        "parley.platforms.telegram.pairing=true",
                        "parley.platforms.telegram.base-url=http://127.0.0.1:1",
                        "management.endpoints.web.exposure.include=pairing",
                        "TELEGRAM_BOT_TOKEN=1:secret")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Authorization lists = context.getBean(Platforms.class).authorization();
                    PairingEndpoint endpoint = new PairingEndpoint(context.getBean(Pairing.class));
                    assertThat(lists.mayTalk(stranger)).isFalse();
                    String told = lists.invitation(stranger).orElseThrow();
                    String code =
                            told.substring(told.indexOf("telegram: ") + "telegram: ".length(), told.indexOf('\n'));
                    assertThat(endpoint.people().get("waiting"))
                            .singleElement()
                            .satisfies(row -> assertThat(row).containsEntry("user", "9"));
                    assertThat(endpoint.people().toString()).doesNotContain(code);
                    assertThat(endpoint.approve("telegram", "wrong")).containsKey("refused");
                    assertThat(endpoint.approve("telegram", code)).containsEntry("letIn", "9");
                    assertThat(lists.mayTalk(stranger)).isTrue();
                    assertThat(endpoint.revoke("telegram", "9")).isTrue();
                    assertThat(lists.mayTalk(stranger)).isFalse();
                });
    }

    @Test
    void theActuatorFindsTheParametersOfEachOperationByTheirNames() {
        Map<String, OperationType> operations =
                Map.of("people", OperationType.READ, "approve", OperationType.WRITE, "revoke", OperationType.DELETE);
        List<String> found = Stream.of(PairingEndpoint.class.getDeclaredMethods())
                .filter(method -> operations.containsKey(method.getName()))
                .map(method -> new OperationMethod(method, operations.get(method.getName())))
                .flatMap(operation -> operation.getParameters().stream())
                .map(OperationParameter::getName)
                .toList();

        assertThat(found).containsExactlyInAnyOrder("platform", "code", "platform", "user");
    }

    @Test
    void theFallbackTakesWhatComesWhileTheStorageCannotBeOpened() {
        answering().run(context -> assertThat(context).hasNotFailed());
        Path database = home.resolve("home/state.db");
        assertThat(database.toFile().renameTo(home.resolve("aside").toFile())).isTrue();
        assertThat(database.toFile().mkdir()).isTrue();

        answering().run(context -> {
            assertThat(context).hasNotFailed();
            say("hello");
            until(() -> sent().stream().anyMatch(text -> text.contains("You said hello")));
            assertThat(context.getBean(HealthIndicator.class).health().getStatus())
                    .isEqualTo(Status.UP);
            assertThat(context.getBean(Gateway.class).health().rows()).containsEntry("status", "degraded");
        });
        answering()
                .withPropertyValues("parley.storage.fallback=none")
                .run(context -> assertThat(context).getFailure().rootCause().isInstanceOf(ParleyException.class));
    }

    @Test
    void filesThatComeWithMessagesAreKeptInTheHome() {
        answering().run(context -> {
            Attachment kept = context.getBean(MediaStore.class)
                    .keep(
                            new ByteArrayInputStream("a list".getBytes(StandardCharsets.UTF_8)),
                            new Attachment(
                                    "document",
                                    "",
                                    Optional.of("list.txt"),
                                    Optional.of("text/plain"),
                                    Optional.empty(),
                                    Optional.empty()));
            assertThat(Path.of(kept.location()))
                    .startsWith(home.resolve("home/media").toAbsolutePath())
                    .content()
                    .isEqualTo("a list");
        });
    }

    @Test
    void whatIsNotThereOrNoSettingIsNamedWithWhatIs() {
        answering()
                .withPropertyValues("parley.platforms.pigeon.enabled=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("\"pigeon\"")
                        .hasMessageContaining("telegram"));
        answering()
                .withPropertyValues("parley.platforms.telegram.bas-url=x", "parley.platforms.telegram.allow=*")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("parley.platforms.telegram.bas-url")
                        .hasMessageContaining("base_url"));
        answering()
                .withPropertyValues("parley.storage.url=somewhere")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("SCHEME:ADDRESS"));
    }

    @Test
    void aPlatformThatIsSwitchedOffIsNotMade() {
        answering()
                .withPropertyValues("parley.platforms.telegram.enabled=false")
                .run(context -> assertThat(context.getBean(Gateway.class).platforms())
                        .extracting(PlatformState::platform)
                        .containsExactly(Platform.LOCAL));
    }

    @Test
    void theHealthIsThatOfTheGateway() {
        answering().run(context -> {
            HealthIndicator health = context.getBean(HealthIndicator.class);
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            assertThat(health.health().getDetails())
                    .containsEntry("gateway", "ok")
                    .containsKey("platforms");
            context.getBean(Gateway.class)
                    .stop(StopMode.SHUTDOWN)
                    .toCompletableFuture()
                    .join();
            assertThat(health.health().getStatus()).isNotEqualTo(Status.UP);
        });
    }

    @Test
    void metricsAreInTheApplicationsRegistry() {
        answering().withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            say("hello");
            until(() -> !sent().isEmpty());
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            until(() -> registry.get("parley.turns").counters().stream()
                            .mapToDouble(each -> each.count())
                            .sum()
                    == 1);
        });
    }

    @Test
    void theApplicationsEndDrainsTheTurnThatRuns() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        runner.withBean(BlockingAgents.Answering.class, () -> turn -> {
                    begun.countDown();
                    goOn.await();
                    return AgentAnswer.text("done in the end");
                })
                .withBean(ChatPlatform.class, () -> chat)
                .withBean(
                        GatewaySettings.class,
                        () -> GatewaySettings.DEFAULT.turns(turns -> turns.withDrain(Duration.ofSeconds(60))))
                .run(context -> {
                    say("work");
                    begun.await();
                    Thread ends = new Thread(
                            () -> context.getSourceApplicationContext().close());
                    ends.start();
                    until(() -> context.getBean(Gateway.class).health().state() == GatewayHealth.State.DRAINING);
                    goOn.countDown();
                    ends.join();
                });
        assertThat(sent()).contains("done in the end");
        answering().run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Storage.class).transcripts().countAll()).isEqualTo(2);
        });
    }

    @Test
    void aGatewayThatStopsByItselfEndsTheApplicationWithItsCode() {
        answering().run(context -> {
            GatewayLifecycle lifecycle = context.getBean(GatewayLifecycle.class);
            context.getBean(Gateway.class)
                    .stop(StopMode.RESTART)
                    .toCompletableFuture()
                    .join();
            until(() -> !context.getSourceApplicationContext().isActive());
            assertThat(lifecycle.getExitCode()).isEqualTo(75);
        });
    }

    @Test
    void aCustomizerHasTheLastWord() {
        CountDownLatch refused = new CountDownLatch(1);
        answering()
                .withBean("one", GatewayCustomizer.class, () -> gateway -> gateway.authorization(nobody(refused)))
                .run(context -> {
                    say("hello");
                    until(() -> refused.getCount() == 0);
                    assertThat(sent()).isEmpty();
                });
    }

    private static Authorization nobody(CountDownLatch asked) {
        return new Authorization() {
            @Override
            public boolean mayTalk(SessionSource source) {
                asked.countDown();
                return false;
            }

            @Override
            public boolean isAdmin(SessionSource source) {
                return false;
            }
        };
    }
}
