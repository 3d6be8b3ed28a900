package dev.parley.bootstrap.cli;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.parley.adapter.terminal.TerminalPlatform;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ParleyException;
import dev.parley.application.spi.Storage;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.wiring.Closer;
import dev.parley.bootstrap.wiring.GatewayParts;
import dev.parley.bootstrap.wiring.GatewayWiring;
import dev.parley.bootstrap.wiring.GatewayWiring.Assembled;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** The main job: runs the gateway in the foreground until it is asked to stop. */
@Command(
        name = "gateway",
        description = "run the gateway with the configured platforms and agent",
        footer = {
            "",
            "Without any configuration it answers over HTTP on this machine, and in the terminal if there is one, as an offline "
                    + "echo; conversations are kept in state.db in the home. SIGTERM or Ctrl-C stop it once running turns have ended."
        })
final class GatewayCommand implements Callable<Integer> {
    private final ParleyCommand root;

    GatewayCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        Workplace w = warningAsTheLogDoes(root.workplace());
        Configuration configuration = w.configuration();
        for (String problem : w.providers().problems()) {
            if (configuration.pluginsStrict()) {
                throw new InvalidRequest(problem + " To start without it, set plugins.on_error to warn.");
            }
            w.warn(problem);
        }
        try (Closer closer = new Closer()) {
            closer.add(w.lock());
            w.home().makePrivate(w::warn);
            w.home().makeStoragePrivate(configuration.storage().url(), w::warn);
            configuration.storage().fallback().ifPresent(url -> w.home().makeStoragePrivate(url, w::warn));
            CompletableFuture<Storage> storage = new CompletableFuture<>();
            Assembled assembled = GatewayWiring.assemble(new GatewayParts(
                    configuration,
                    w.home(),
                    w.around().userHome(),
                    w.providers(),
                    w.around().environment(),
                    w.around().clock(),
                    w.around().terminal(),
                    Optional.empty(),
                    closer,
                    w::warn,
                    Optional.of(new FileExports(configuration)),
                    List.of(new LookSurface(w, storage))));
            storage.complete(assembled.storage());
            return run(assembled.gateway(), assembled, w, closer);
        }
    }

    /** Returns a workplace whose warnings are lines of the log where a program reads standard error. */
    private static Workplace warningAsTheLogDoes(Workplace w) {
        if (!"json".equals(w.around().environment().get("PARLEY_LOG_FORMAT"))) {
            return w;
        }
        Logger log = LoggerFactory.getLogger("parley.gateway");
        return w.warning(warning -> log.atWarn().addKeyValue("event", "warning").log("{}", warning));
    }

    private static int run(Gateway gateway, Assembled assembled, Workplace w, Closer closer) {
        CountDownLatch closed = new CountDownLatch(1);
        Thread onSignal = new Thread(
                () -> {
                    if (closed.getCount() == 0) {
                        return;
                    }
                    gateway.stop(StopMode.SHUTDOWN);
                    Uninterruptibles.awaitUninterruptibly(closed);
                    // A process that a signal ends would report the signal; this one was asked to stop and has stopped.
                    Runtime.getRuntime().halt(ExitCode.DONE.code());
                },
                "parley-stop");
        try {
            gateway.start().toCompletableFuture().join();
            Runtime.getRuntime().addShutdownHook(onSignal);
            for (ChatPlatform platform : assembled.platforms()) {
                platform.address().ifPresent(address -> w.out().println(address));
                if (platform instanceof TerminalPlatform terminal) {
                    terminal.left().thenAccept(how -> {
                        if (how == TerminalPlatform.Leaving.PERSON) {
                            gateway.stop(StopMode.SHUTDOWN);
                        }
                    });
                }
            }
            w.out().flush();
            return gateway.whenStopped().toCompletableFuture().join().code();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ParleyException known) {
                throw known;
            }
            throw e;
        } finally {
            closer.close();
            closed.countDown();
        }
    }
}
