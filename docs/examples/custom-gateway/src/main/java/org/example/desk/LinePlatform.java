package org.example.desk;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Received;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One chat over lines of text. */
final class LinePlatform implements ChatPlatform {
    private final PrintStream out;
    private volatile Optional<InboundListener> listener = Optional.empty();

    LinePlatform(PrintStream out) {
        this.out = out;
    }

    /** Hands in a line; returns once it is answered. */
    void say(String line) {
        SessionSource source = SessionSource.builder(name(), "desk").build();
        CompletableFuture<Void> done = new CompletableFuture<>();
        AnswerListener answer = new AnswerListener() {
            @Override
            public void finished(TurnId turn, String text) {
                done.complete(null);
            }

            @Override
            public void closed(String why) {
                done.complete(null);
            }
        };
        listener.ifPresent(inbound -> {
            inbound.receive(new Received(source, line, List.of(), Optional.empty()), answer);
            done.join();
        });
    }

    @Override
    public Platform name() {
        return Platform.LOCAL;
    }

    @Override
    public Traits traits() {
        return new Traits(false, true, false);
    }

    @Override
    public void start(InboundListener inbound) {
        listener = Optional.of(inbound);
        inbound.connected(name());
    }

    @Override
    public void send(Outgoing message) {
        if (listener.isEmpty()) {
            throw new DeliveryFailed("The desk is closed.", false, null);
        }
        out.println(message.text());
    }

    @Override
    public void stop() {
        listener = Optional.empty();
    }
}
