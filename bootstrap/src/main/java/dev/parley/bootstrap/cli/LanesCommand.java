package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.application.store.LaneReader;
import dev.parley.application.store.SessionStore;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.home.GatewayLock;
import dev.parley.home.GatewayThreads;
import dev.parley.home.WhatsAppAliasFiles;
import java.util.Optional;
import java.util.function.BiPredicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Looks at lanes and their history. */
@Command(
        name = "lanes",
        description = "list lanes, show one, say why it changed, begin it anew, ask what another reset policy would do")
final class LanesCommand extends CommandGroup {
    private LanesCommand(ParleyCommand root) {
        super(root);
    }

    /** Returns this command with its own ones. */
    static CommandLine of(ParleyCommand root) {
        LanesCommand lanes = new LanesCommand(root);
        return lanes.with(
                new LanesListCommand(lanes),
                new LanesShowCommand(lanes),
                new LanesWhyCommand(lanes),
                new LanesResetCommand(lanes),
                new LanesSuspendCommand(lanes),
                new LanesWhatIfCommand(lanes),
                new LanesExportScenarioCommand(lanes));
    }

    /** Opens the storage for looking at it. */
    Storage look() {
        return workplace().open(Optional.empty(), Mode.READ_ONLY);
    }

    /** Says that there is no such lane, and returns the exit code of that answer. */
    int notFound(SessionKey key) {
        workplace().note("parley: there is no lane " + key.value() + "; see `parley lanes list`.");
        return ExitCode.NO.code();
    }

    /** Changes a lane: asks the gateway where one runs on the home, since it holds the lanes then; else does it itself. */
    int change(
            SessionKey lane, BiPredicate<GatewayClient, SessionKey> asked, BiPredicate<SessionStore, SessionKey> done) {
        Workplace w = workplace();
        w.home().create();
        Optional<GatewayLock> lock = GatewayLock.tryTake(w.home());
        boolean found;
        if (lock.isEmpty()) {
            try (GatewayThreads threads = new GatewayThreads()) {
                found = asked.test(
                        RunningGateway.on(w.home(), threads.executor())
                                .orElseThrow(() -> new InvalidRequest("A gateway runs on the home "
                                        + w.home().path() + " and does not listen over HTTP; stop it first.")),
                        lane);
            }
        } else {
            GatewayLock held = lock.get();
            try (held;
                    Storage storage = w.open(Optional.empty(), Mode.READ_WRITE)) {
                found = done.test(store(w, storage), lane);
            }
        }
        return found ? ExitCode.DONE.code() : notFound(lane);
    }

    private static SessionStore store(Workplace w, Storage storage) {
        Configuration c = w.configuration();
        KeyRules rules = new KeyRules(c.isolation(), new WhatsAppAliasFiles(w.home()));
        LaneReader reader = new LaneReader(
                storage, rules, c.resets(), ProcessActivity.NONE, w.around().clock(), c.zone());
        return new SessionStore(storage, rules, reader, w.around().clock(), c.zone(), ProcessSurroundings.ids());
    }
}
