package dev.parley.bootstrap.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lets somebody in no longer. */
@Command(name = "revoke", description = "let somebody in no longer")
final class PairingRevokeCommand implements Callable<Integer> {
    private final PairingCommand group;

    @Parameters(index = "0", paramLabel = "PLATFORM", description = "the platform, such as telegram")
    private String platform = "";

    @Parameters(index = "1", paramLabel = "USER", description = "their id there, as `parley pairing list` shows it")
    private String user = "";

    PairingRevokeCommand(PairingCommand group) {
        this.group = group;
    }

    @Override
    public Integer call() {
        Workplace w = group.workplace();
        if (group.pairing().revoke(PairingCommand.platform(platform), user)) {
            w.out().println(user + " may not talk on " + platform + " any more.");
            return ExitCode.DONE.code();
        }
        w.note("parley: nobody called " + user + " was let in on " + platform + "; see `parley pairing list`.");
        return ExitCode.NO.code();
    }
}
