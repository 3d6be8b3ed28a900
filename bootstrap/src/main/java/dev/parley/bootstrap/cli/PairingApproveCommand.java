package dev.parley.bootstrap.cli;

import dev.parley.home.access.Pairing;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lets in whoever was given a code. */
@Command(name = "approve", description = "let in the person who was given this code")
final class PairingApproveCommand implements Callable<Integer> {
    private final PairingCommand group;

    @Parameters(index = "0", paramLabel = "PLATFORM", description = "where they wrote, such as telegram")
    private String platform = "";

    @Parameters(index = "1", paramLabel = "CODE", description = "the code they were given")
    private String code = "";

    PairingApproveCommand(PairingCommand group) {
        this.group = group;
    }

    @Override
    public Integer call() {
        Workplace w = group.workplace();
        Pairing.Approval answer = group.pairing().approve(PairingCommand.platform(platform), code);
        if (answer instanceof Pairing.Approval.LetIn in) {
            w.out()
                    .println(PairingCommand.shown(in.who()) + " may talk on "
                            + in.who().platform() + " now.");
            return ExitCode.DONE.code();
        }
        if (answer instanceof Pairing.Approval.Locked locked) {
            w.note("parley: too many wrong codes for " + platform + "; codes are taken again from "
                    + w.when(locked.until()) + " on.");
        } else if (answer instanceof Pairing.Approval.Unknown unknown) {
            w.note("parley: nobody on " + platform + " waits with this code, or it is older than an hour; "
                    + unknown.left() + " more tries. See `parley pairing list`.");
        }
        return ExitCode.NO.code();
    }
}
