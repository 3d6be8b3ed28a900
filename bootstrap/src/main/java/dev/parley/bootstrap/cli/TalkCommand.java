package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.adapter.terminal.TerminalPlatform;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ParleyException;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.bootstrap.config.PlatformConfiguration;
import dev.parley.bootstrap.wiring.Closer;
import dev.parley.bootstrap.wiring.GatewayParts;
import dev.parley.bootstrap.wiring.GatewayWiring;
import dev.parley.bootstrap.wiring.GatewayWiring.Assembled;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.home.DeferredInspection;
import dev.parley.home.GatewayLock;
import dev.parley.home.GatewayThreads;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A conversation in the terminal: with the gateway that runs on this home where one does, otherwise with one of its own that ends
 * with the conversation. Sessions and commands are the same.
 */
@Command(name = "chat", description = "talk to the agent in this terminal; Ctrl-C interrupts it, Ctrl-D leaves")
final class TalkCommand implements Callable<Integer> {
    private static final String LOCAL = "local";
    private static final String LOG_LEVEL = "PARLEY_LOG";

    private final ParleyCommand root;

    @Option(names = "--as", paramLabel = "NAME", description = "who is talking; else the user's name")
    private @Nullable String name;

    TalkCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        Workplace w = root.workplace();
        if (!w.around().environment().containsKey(LOG_LEVEL)) {
            // What an operator's log tells would stand between the lines of the conversation.
            System.setProperty(LOG_LEVEL, "WARN");
        }
        Map<String, String> settings = new LinkedHashMap<>();
        Optional.ofNullable(w.configuration().platforms().get(LOCAL))
                .map(PlatformConfiguration::settings)
                .ifPresent(settings::putAll);
        Optional.ofNullable(name).map(String::strip).filter(n -> !n.isEmpty()).ifPresent(n -> settings.put("name", n));
        w.home().create();
        try (Closer closer = new Closer()) {
            Optional<GatewayLock> lock = GatewayLock.tryTake(w.home());
            if (lock.isEmpty()) {
                return withRunningGateway(w, settings, closer);
            }
            closer.add(lock.get());
            return withOwnGateway(w, settings, closer);
        } catch (CompletionException e) {
            if (e.getCause() instanceof ParleyException known) {
                throw known;
            }
            throw e;
        }
    }

    private static int withOwnGateway(Workplace w, Map<String, String> settings, Closer closer) {
        Assembled assembled = GatewayWiring.assemble(new GatewayParts(
                w.configuration(),
                w.home(),
                w.around().userHome(),
                w.providers(),
                w.around().environment(),
                w.around().clock(),
                true,
                Optional.of(Map.of(LOCAL, settings)),
                closer,
                warning -> w.note("warning: " + warning)));
        assembled.gateway().start().toCompletableFuture().join();
        for (ChatPlatform platform : assembled.platforms()) {
            if (platform instanceof TerminalPlatform terminal) {
                terminal.left().toCompletableFuture().join();
            }
        }
        return assembled
                .gateway()
                .stop(StopMode.SHUTDOWN)
                .toCompletableFuture()
                .join()
                .code();
    }

    private static int withRunningGateway(Workplace w, Map<String, String> settings, Closer closer) {
        GatewayThreads threads = closer.add(new GatewayThreads());
        GatewayClient client = RunningGateway.on(w.home(), threads.executor())
                .orElseThrow(
                        () -> new InvalidRequest(
                                "A gateway runs on the home " + w.home().path()
                                        + " and does not listen over HTTP; talk to it on its own platforms, or set platforms.http.enabled."));
        client.health();
        TerminalPlatform terminal = TerminalPlatform.of(
                new ProviderSettings(
                        "platforms." + LOCAL,
                        settings,
                        w.around().environment(),
                        w.home().path(),
                        w.around().clock(),
                        ProcessSurroundings.ids(),
                        threads,
                        threads.executor(),
                        warning -> w.note("warning: " + warning),
                        new DeferredInspection()),
                client::interrupt);
        terminal.start(client);
        terminal.left().toCompletableFuture().join();
        terminal.stop();
        return ExitCode.DONE.code();
    }
}
