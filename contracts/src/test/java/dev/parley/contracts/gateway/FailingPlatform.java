package dev.parley.contracts.gateway;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;

/** A platform whose first starts fail. */
class FailingPlatform implements ChatPlatform {
    private final ChatPlatform real;
    private final RuntimeException failure;
    private int left;
    private int starts;

    FailingPlatform(ChatPlatform real, int times, RuntimeException failure) {
        this.real = real;
        this.left = times;
        this.failure = failure;
    }

    @Override
    public Platform name() {
        return real.name();
    }

    @Override
    public Traits traits() {
        return real.traits();
    }

    @Override
    public void start(InboundListener listener) {
        starts++;
        if (left > 0) {
            left--;
            throw failure;
        }
        real.start(listener);
    }

    @Override
    public void send(Outgoing message) {
        real.send(message);
    }

    @Override
    public void stop() {
        real.stop();
    }

    /** Returns how often it was started. */
    int starts() {
        return starts;
    }
}
