package dev.parley.adapter.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.Started;
import dev.parley.adapter.whatsapp.bridge.Bridge;
import dev.parley.adapter.whatsapp.bridge.LinkState;
import dev.parley.adapter.whatsapp.inbound.Intake;
import dev.parley.adapter.whatsapp.outbound.Sender;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.ability.Typing;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Sent;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A WhatsApp account, by a bridge that runs as a process of its own. The bridge keeps what it receives until the gateway has stored it; what
 * is sent twice under one id WhatsApp shows once. Safe for concurrent use.
 */
final class WhatsAppPlatform implements SendingInParts, Typing, Diagnosing {
    /** How long a start waits to learn how the link stands. */
    private static final Duration START = Duration.ofSeconds(5);

    private final ProviderSettings settings;
    private final WhatsAppSettings whatsApp;
    private final Started<Running> running = new Started<>("WhatsApp");

    private record Running(Bridge bridge, Sender sender, LinkState state) {}

    WhatsAppPlatform(ProviderSettings settings, WhatsAppSettings whatsApp) {
        this.settings = settings;
        this.whatsApp = whatsApp;
    }

    @Override
    public Platform name() {
        return Platform.WHATSAPP;
    }

    @Override
    public Traits traits() {
        return new Traits(false, true, true).carryingFiles();
    }

    @Override
    public void start(InboundListener listener) {
        LinkState state = new LinkState(listener, this::warn);
        Intake intake = new Intake(whatsApp.groups(), whatsApp.observes(), settings, listener, this::warn);
        Bridge bridge = new Bridge(
                whatsApp.installation(),
                settings,
                whatsApp.phone(),
                whatsApp.selfChat(),
                state,
                (from, word) -> take(intake, from, word));
        running.begin(new Running(bridge, new Sender(bridge, whatsApp.markdown()), state));
        bridge.start();
        try {
            state.first().get(START.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException slow) {
            // It connects later.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void take(Intake intake, Bridge bridge, JsonNode word) {
        String name = word.path("name").asText();
        intake.take(word)
                .thenAccept(settlement -> settlement
                        .again()
                        .ifPresentOrElse(pause -> bridge.later(name, pause), () -> bridge.settled(name)));
    }

    private void warn(String line) {
        settings.warnings().accept(settings.path() + ": " + line);
    }

    @Override
    public Sent sendPart(Outgoing message) {
        return running.get().sender().send(message);
    }

    @Override
    public Duration typingLasts() {
        return Duration.ofSeconds(10);
    }

    @Override
    public void typing(Address where, boolean on) {
        running.get().sender().typing(where, on);
    }

    @Override
    public Optional<Ailment> ailment() {
        return running.found().flatMap(now -> now.state().ailment());
    }

    @Override
    public void stop() {
        running.end().ifPresent(last -> last.bridge().stop());
    }
}
