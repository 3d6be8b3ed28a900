package dev.parley.adapter.whatsappcloud;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.net.URI;
import java.util.Optional;
import java.util.function.Consumer;

/** A platform whose address is told each time it is started, as a proxy before it would know it. */
record Found(ChatPlatform platform, Consumer<URI> told) implements ChatPlatform {
    @Override
    public Platform name() {
        return platform.name();
    }

    @Override
    public Traits traits() {
        return platform.traits();
    }

    @Override
    public void start(InboundListener listener) {
        platform.start(listener);
        told.accept(platform.address().orElseThrow());
    }

    @Override
    public void send(Outgoing message) {
        platform.send(message);
    }

    @Override
    public <T> Optional<T> as(Class<T> ability) {
        return platform.as(ability);
    }

    @Override
    public Optional<URI> address() {
        return platform.address();
    }

    @Override
    public boolean isShared() {
        return platform.isShared();
    }

    @Override
    public void stop() {
        platform.stop();
    }
}
