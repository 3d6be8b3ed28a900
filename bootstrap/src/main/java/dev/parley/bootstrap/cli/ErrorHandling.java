package dev.parley.bootstrap.cli;

import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns each failure into one line and an exit code; the stack trace is shown only with {@code --verbose}. */
final class ErrorHandling implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private final Surroundings around;
    private final ParleyCommand root;

    ErrorHandling(Surroundings around, ParleyCommand root) {
        this.around = around;
        this.root = root;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String suggestion = "";
        if (e instanceof UnmatchedArgumentException unmatched) {
            suggestion = unmatched.getSuggestions().stream()
                    .findFirst()
                    .map(s -> unmatched.getUnmatched().contains(s)
                            ? "; options stand before --"
                            : "; did you mean \"" + s + "\"?")
                    .orElse("");
        }
        around.err()
                .println("parley: " + oneLine(e) + suggestion + " (see `"
                        + command.getCommandSpec().qualifiedName() + " --help`)");
        return ExitCode.USAGE.code();
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
        if (e instanceof Workplace.HeldByGateway held) {
            Optional<Integer> told = LookSurface.takes(command.getCommandSpec().qualifiedName())
                    ? root.workplace().askGateway(result.originalArgs())
                    : Optional.empty();
            return told.orElseGet(() -> handleExecutionException(held.why(), command, result));
        }
        if (e instanceof Workplace.Declined) {
            around.err().println("parley: nothing was done.");
            return ExitCode.NO.code();
        }
        boolean known = e instanceof ParleyException || e instanceof IllegalArgumentException;
        around.err()
                .println("parley: "
                        + (known
                                ? Optional.ofNullable(e.getMessage()).orElse(e.toString())
                                : "unexpected " + e.getClass().getSimpleName() + ": " + oneLine(e)
                                        + (root.verbose() ? "" : " (run again with --verbose for the details)")));
        if (root.verbose()) {
            e.printStackTrace(around.err());
        }
        return code(e).code();
    }

    private static ExitCode code(Exception e) {
        if (e instanceof StorageUnavailable) {
            return ExitCode.UNAVAILABLE;
        }
        if (e instanceof StorageCorrupt) {
            return ExitCode.CORRUPT;
        }
        return e instanceof ParleyException || e instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.NO;
    }

    private static String oneLine(Exception e) {
        return Optional.ofNullable(e.getMessage()).orElse("").strip().split("\\R", 2)[0];
    }
}
