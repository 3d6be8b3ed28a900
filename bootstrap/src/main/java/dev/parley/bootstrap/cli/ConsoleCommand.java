package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.home.GatewayThreads;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints an address that lets its opener into the running gateway's console, once and within a minute. */
@Command(
        name = "console",
        description = "print an address that opens the running gateway's console, once and within a minute")
final class ConsoleCommand implements Callable<Integer> {
    private final ParleyCommand root;

    ConsoleCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        Workplace w = root.workplace();
        try (GatewayThreads threads = new GatewayThreads()) {
            GatewayClient gateway =
                    RunningGateway.on(w.home(), threads.executor()).orElseThrow(() -> RunningGateway.missing(w.home()));
            w.out().println(gateway.consoleAddress());
        }
        return ExitCode.DONE.code();
    }
}
