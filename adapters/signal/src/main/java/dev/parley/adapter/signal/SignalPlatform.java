package dev.parley.adapter.signal;

import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.Overheard;
import dev.parley.adapter.kit.flow.Started;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.signal.api.Daemon;
import dev.parley.adapter.signal.api.RpcError;
import dev.parley.adapter.signal.inbound.Contacts;
import dev.parley.adapter.signal.inbound.EnvelopeReader;
import dev.parley.adapter.signal.inbound.Files;
import dev.parley.adapter.signal.inbound.Intake;
import dev.parley.adapter.signal.inbound.Listening;
import dev.parley.adapter.signal.inbound.SpoolDirectory;
import dev.parley.adapter.signal.outbound.Echoes;
import dev.parley.adapter.signal.outbound.Sender;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.ability.Typing;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Sent;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * An account in Signal, by a signal-cli daemon. What the daemon hands over it does not keep, so it is kept here until the gateway has
 * stored it; what is sent Signal does not recognise when it is sent twice. Safe for concurrent use.
 */
final class SignalPlatform implements SendingInParts, Typing, Diagnosing {
    static final Platform NAME = Platform.of("signal");

    private final ProviderSettings settings;
    private final SignalSettings signal;
    private final Daemon daemon;
    private final Echoes echoes = new Echoes();
    private final Sender sender;
    private final Started<Running> running = new Started<>("The account in Signal");

    /** What a started platform has. */
    private record Running(Listening listening, Intake intake, Connection connection, Sender sender) {}

    SignalPlatform(ProviderSettings settings, SignalSettings signal) {
        this.settings = settings;
        this.signal = signal;
        this.daemon = new Daemon(settings.executor(), signal.base(), signal.account(), signal.answerTimeout());
        this.sender = new Sender(
                daemon, signal.account(), echoes, settings.clock(), signal.markdown(), signal.quotes(), this::warn);
    }

    @Override
    public Platform name() {
        return NAME;
    }

    @Override
    public Traits traits() {
        return new Traits(false, true, false).carryingFiles();
    }

    @Override
    public void start(InboundListener listener) {
        checkAccount();
        Path directory = SpoolDirectory.made(settings.home());
        Connection connection = new Connection(NAME, "signal-cli", listener, this::warn);
        Intake intake = new Intake(
                new EnvelopeReader(
                        signal.account(),
                        new Contacts(signal.account(), settings.cursors()),
                        echoes,
                        new Gate(signal.gate())),
                directory.resolve("spool-" + signal.account().substring(1) + ".jsonl"),
                new FileFetch(new Files(daemon, directory), Files.LARGEST, settings.media(), this::warn),
                listener,
                new Overheard(signal.observe(), listener, settings.clock()),
                settings,
                this::warn);
        Listening listening = new Listening(daemon, intake, settings.ids(), settings.timers(), connection, this::warn);
        intake.start(listening);
        running.begin(new Running(listening, intake, connection, sender));
        listening.start();
    }

    /** A daemon that is away is reached later; one that does not have the account is not the right one. */
    private void checkAccount() {
        try {
            if (daemon.hasAccount(ApiClient.FIRST_ANSWER) == Daemon.Having.NO) {
                throw new InvalidRequest("signal-cli does not have the account in " + settings.nameOf("account")
                        + "; register or link it with signal-cli, or correct the number, and check "
                        + settings.nameOf("base_url") + " where that is set.");
            }
        } catch (RpcError | ApiFailure e) {
            // It is told where listening begins, which asks again.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
        return Duration.ofSeconds(8);
    }

    @Override
    public void typing(Address where, boolean on) {
        running.get().sender().typing(where, on);
    }

    @Override
    public Optional<Ailment> ailment() {
        return running.found().flatMap(now -> now.connection().ailment());
    }

    @Override
    public void stop() {
        running.end().ifPresent(last -> {
            last.listening().stop();
            last.intake().stop();
        });
    }
}
