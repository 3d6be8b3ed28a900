package dev.parley.home.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.Received;
import dev.parley.application.replay.VirtualClock;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.turn.Outgoing;
import dev.parley.testing.TestGateway;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What foreign code throws is told by type and place, so that nothing is in the log that people have written. */
class GatewayLogTest {
    private static final String SAID = "xylophone-of-marked-text";
    private static final SessionSource MARKED = SessionSource.builder(TestGateway.PLATFORM, "3")
            .userId("3")
            .userName(SAID)
            .build();

    private final List<LogLine> lines = new ArrayList<>();
    private final LogLine.Sink sink = new LogLine.Sink() {
        @Override
        public boolean takes(System.Logger.Level level) {
            return true;
        }

        @Override
        public void write(LogLine line) {
            lines.add(line);
        }
    };
    private final VirtualClock clock = new VirtualClock(TestGateway.BEGIN);
    private final GatewayLog log = new GatewayLog(sink, clock);

    private String written() {
        StringWriter all = new StringWriter();
        PrintWriter writer = new PrintWriter(all);
        for (LogLine line : lines) {
            writer.println(line.level() + " " + line.pairs() + " " + line.text());
            line.cause().ifPresent(cause -> cause.printStackTrace(writer));
        }
        return all.toString();
    }

    private String logOf(TestGateway gateway) {
        gateway.events().all().forEach(log::on);
        return written();
    }

    private static RuntimeException quoting(Object quoted) {
        return new IllegalStateException("cannot parse " + quoted, new IOException("near \"" + quoted + "\""));
    }

    private static void assertTold(String log, String what) {
        assertThat(log)
                .contains(what, "java.lang.IllegalStateException at ", ", caused by java.io.IOException at ")
                .contains(GatewayLogTest.class.getSimpleName() + ".java:")
                .doesNotContain(SAID);
    }

    @Test
    void ofACommandThatThrows() {
        ChatCommand command = new ChatCommand() {
            @Override
            public String name() {
                return "weather";
            }

            @Override
            public String usage() {
                return "/weather CITY";
            }

            @Override
            public String summary() {
                return "tells the weather";
            }

            @Override
            public When when() {
                return When.ALWAYS;
            }

            @Override
            public CommandOutcome run(CommandContext context) {
                throw quoting(context.arguments());
            }
        };
        try (TestGateway gateway = TestGateway.builder().command(command).start()) {
            gateway.ask("/weather " + SAID);
            assertTold(logOf(gateway), "The command /weather failed. [");
        }
    }

    @Test
    void ofAnAgentThatThrows() {
        AgentFactory agents = new AgentFactory() {
            @Override
            public String signature(AgentSpec spec) {
                return "1";
            }

            @Override
            public Agent create(AgentSpec spec) {
                return new QuotingAgent();
            }

            @Override
            public String model(AgentSpec spec) {
                return "none";
            }

            @Override
            public long contextLength(AgentSpec spec) {
                return 0;
            }
        };
        try (TestGateway gateway = TestGateway.with(agents)) {
            gateway.ask(SAID);
            assertTold(logOf(gateway), "The agent could not begin. [");
        }
    }

    private static final class QuotingAgent implements Agent {
        @Override
        public AgentRun start(AgentTurn turn, AgentEvents events) {
            throw quoting(turn.input().content().plainText());
        }

        @Override
        public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
            throw quoting(history);
        }

        @Override
        public void release() {}

        @Override
        public void close() {}
    }

    @Test
    void ofHooksThatThrow() {
        LifecycleHooks hooks = new LifecycleHooks() {
            @Override
            public List<Message> beforeRun(SessionKey lane, SessionId session, Message input) {
                throw quoting(input.content().plainText());
            }
        };
        try (TestGateway gateway =
                TestGateway.builder().answering(said -> "yes").hooks(hooks).start()) {
            gateway.ask(SAID);
            assertTold(logOf(gateway), "A hook failed; the turn runs without what it would have added. [");
        }
    }

    @Test
    void ofAnAuthorizationThatThrows() {
        Authorization authorization = new Authorization() {
            @Override
            public boolean mayTalk(SessionSource source) {
                throw quoting(source);
            }

            @Override
            public boolean isAdmin(SessionSource source) {
                return false;
            }
        };
        try (TestGateway gateway = TestGateway.builder()
                .answering(said -> "yes")
                .authorization(authorization)
                .start()) {
            gateway.say(MARKED, SAID);
            gateway.settle();
            assertTold(logOf(gateway), "");
        }
    }

    @Test
    void ofAPlatformThatThrows() {
        ChatPlatform platform = new ChatPlatform() {
            @Override
            public Platform name() {
                return Platform.of("carrier");
            }

            @Override
            public Traits traits() {
                return new Traits(false, true, false);
            }

            @Override
            public void start(InboundListener listener) {
                listener.connected(name());
            }

            @Override
            public void send(Outgoing message) {
                throw quoting(message.text());
            }

            @Override
            public Set<Platform> bridges() {
                return Set.of();
            }

            @Override
            public void stop() {}
        };
        try (TestGateway gateway =
                TestGateway.builder().answering(said -> said).platform(platform).start()) {
            SessionSource ada =
                    SessionSource.builder(platform.name(), "1").userId("1").build();
            gateway.say(new Received(ada, SAID, List.of(), Optional.of("1")), AnswerListener.NONE);
            gateway.pass(Duration.ofDays(2));
            assertTold(logOf(gateway), "");
            assertThat(gateway.storage().queue().undelivered()).isEmpty();
            gateway.storage()
                    .queue()
                    .forEach(
                            Instant.EPOCH,
                            in -> {},
                            turn -> {},
                            out -> assertThat(out.toString()).doesNotContain("cannot parse"));
        }
    }

    @Test
    void ofARequestThatAPlugInRefused() {
        InvalidRequest foreign = new InvalidRequest("there is no " + SAID);
        foreign.setStackTrace(
                new StackTraceElement[] {new StackTraceElement("org.acme.Weather", "run", "Weather.java", 12)});
        log.on(new GatewayEvent.Trouble(Optional.empty(), "It failed.", Optional.of(foreign)));

        assertThat(written())
                .contains(" [dev.parley.application.port.InvalidRequest at org.acme.Weather.run(Weather.java:12)]")
                .doesNotContain(SAID);
    }

    @Test
    void whatParleyItselfThrowsIsToldByItsMessage() {
        log.on(new GatewayEvent.Trouble(
                Optional.of(SessionKey.of("agent:main:telegram:dm:1")),
                "It failed.",
                Optional.of(new IllegalStateException("wrapped", new InvalidRequest("set HOME.\nNow.")))));

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).text()).isEqualTo("agent:main:telegram:dm:1: It failed. [set HOME.]");
        assertThat(written()).contains("InvalidRequest: set HOME.").doesNotContain("wrapped");
    }

    @Test
    void theSameTroubleIsWrittenOnceInAMinuteAndThenWithHowOftenItCame() {
        GatewayEvent trouble = new GatewayEvent.Trouble(Optional.empty(), "The disk is full.", Optional.empty());
        for (int i = 0; i < 100; i++) {
            log.on(trouble);
        }
        clock.set(TestGateway.BEGIN.plusSeconds(60));
        log.on(trouble);

        assertThat(lines)
                .extracting(LogLine::text)
                .containsExactly("The disk is full.", "The disk is full. (and 99 times before this)");
    }
}
