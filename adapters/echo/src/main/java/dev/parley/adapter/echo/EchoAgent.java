package dev.parley.adapter.echo;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Answers with what it was told. */
final class EchoAgent implements Agent {
    static final String NAME = "echo";

    private final ProviderSettings settings;
    private final Duration delay;

    EchoAgent(ProviderSettings settings, Duration delay) {
        this.settings = settings;
        this.delay = delay;
    }

    @Override
    public AgentRun start(AgentTurn turn, AgentEvents events) {
        EchoRun run = new EchoRun(
                settings, delay, Pieces.of(Reply.to(turn.input().content().plainText())), new EchoRun.Ending() {
                    @Override
                    public void said(String piece) {
                        events.streamed(piece);
                    }

                    @Override
                    public void complete(String text) {
                        events.answered(Reply.answer(turn, text));
                    }

                    @Override
                    public void interrupted(String text, String why) {
                        events.interrupted(Reply.answer(turn, text));
                    }

                    @Override
                    public void broken(Throwable fault) {
                        events.failed(AgentFailure.thrown(AgentFailure.Kind.MODEL, fault, TokenUsage.NONE, 0));
                    }
                });
        run.begin();
        return run;
    }

    @Override
    public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
        EchoRun run = new EchoRun(settings, Duration.ZERO, List.of(Extract.of(history, focus)), new EchoRun.Ending() {
            @Override
            public void said(String piece) {
                // A summary is told as a whole.
            }

            @Override
            public void complete(String text) {
                done.summarised(text);
            }

            @Override
            public void interrupted(String text, String why) {
                done.failed("The summary was interrupted: " + why);
            }

            @Override
            public void broken(Throwable fault) {
                done.failedWith(AgentFailure.thrown(AgentFailure.Kind.MODEL, fault, TokenUsage.NONE, 0));
            }
        });
        run.begin();
        return run;
    }

    @Override
    public void release() {
        // Holds nothing.
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
