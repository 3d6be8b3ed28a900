package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.home.HomeDirectory;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program: global options and all commands. */
@Command(
        name = "parley",
        description = "Sessions that survive: a gateway for messaging-platform agents.",
        versionProvider = VersionText.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done (also a gateway that was asked to stop)",
            "75:planned restart",
            "1:the answer is no: not found, an expectation differs, a check failed; also an unexpected error",
            "2:wrong usage or configuration, or a home that is in use",
            "3:the storage cannot be used now",
            "4:the storage is damaged",
            "130:interrupted"
        })
public final class ParleyCommand implements Runnable {
    private final Surroundings around;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--home",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "the directory everything is kept in; else PARLEY_HOME, else ~/.parley")
    private @Nullable Path home;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "the configuration; else PARLEY_CONFIG, else parley.yaml in the home")
    private @Nullable Path config;

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "show the stack trace of an error")
    private boolean verbose;

    private @Nullable Workplace workplace;

    private ParleyCommand(Surroundings around) {
        this.around = around;
    }

    /** Runs the command that the arguments name and returns the program's exit code. */
    public static int run(Surroundings around, String... args) {
        return line(new ParleyCommand(around), List.of(args)).execute(args);
    }

    /** Runs a command that looks into the storage, on a workplace that is there already; refuses others. */
    static int look(Workplace workplace, Surroundings around, String... args) {
        ParleyCommand root = new ParleyCommand(around);
        root.workplace = workplace;
        return line(root, List.of(args))
                .setExecutionStrategy(result -> {
                    List<CommandLine> named = result.asCommandLineList();
                    CommandLine command = named.get(named.size() - 1);
                    String name = command.getCommandSpec().qualifiedName();
                    if (!LookSurface.takes(name)) {
                        throw new ParameterException(command, "`" + name + "` is not run by a gateway");
                    }
                    return new RunLast().execute(result);
                })
                .execute(args);
    }

    /** Makes the command line that these words are read with; a command that none of them names has none below it. */
    private static CommandLine line(ParleyCommand root, List<String> words) {
        Surroundings around = root.around;
        CommandLine line = new CommandLine(root);
        for (Object command : commands(root)) {
            CommandLine below = new CommandLine(command);
            if (command instanceof CommandParent parent
                    && (words.contains(below.getCommandName()) || words.contains(CompletionCommand.NAME))) {
                parent.commands().forEach(below::addSubcommand);
            }
            line.addSubcommand(below);
        }
        ErrorHandling errors = new ErrorHandling(around, root);
        return line.setExpandAtFiles(false)
                .setOut(new PrintWriter(around.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(around.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false);
    }

    private static List<Object> commands(ParleyCommand root) {
        return List.of(
                new GatewayCommand(root),
                new TalkCommand(root),
                new KeyCommand(root),
                new ReplayCommand(root),
                new LanesCommand(root),
                new SessionsCommand(root),
                new NodesCommand(root),
                new DeliveriesCommand(root),
                new PairingCommand(root),
                new PlatformsCommand(root),
                new StorageCommand(root),
                new ConfigCommand(root),
                new ConsoleCommand(root),
                new DoctorCommand(root),
                new CompletionCommand());
    }

    @Override
    public void run() {
        CommandLine.usage(spec().commandLine(), around.out());
    }

    /** Returns what the commands work with. */
    Workplace workplace() {
        Workplace w = workplace;
        if (w == null) {
            w = new Workplace(around, named("--home", home), named("--config", config));
            workplace = w;
        }
        return w;
    }

    /** Returns the home that was named on the command line. */
    Optional<HomeDirectory> givenHome() {
        return named("--home", home)
                .map(h -> new HomeDirectory(h.toAbsolutePath().normalize()));
    }

    /** Returns the configuration that was named on the command line. */
    Optional<Path> givenConfig() {
        return named("--config", config);
    }

    /** An empty name is that of a variable that is not set, and never the current directory. */
    private static Optional<Path> named(String option, @Nullable Path path) {
        if (path != null && path.toString().isBlank()) {
            throw new InvalidRequest(option + " is empty; leave it out, or name a path.");
        }
        return Optional.ofNullable(path);
    }

    boolean verbose() {
        return verbose;
    }

    private CommandSpec spec() {
        CommandSpec s = spec;
        if (s == null) {
            throw new IllegalStateException("The command line was not set up");
        }
        return s;
    }

    /** Prints a completion script. */
    @Command(
            name = CompletionCommand.NAME,
            description = "print a script that completes commands and options in a shell")
    static final class CompletionCommand implements Runnable {
        static final String NAME = "completion";

        enum Shell {
            BASH,
            ZSH
        }

        @Spec
        private @Nullable CommandSpec spec;

        @CommandLine.Parameters(paramLabel = "bash|zsh", description = "the shell")
        private @Nullable Shell shell;

        @Override
        public void run() {
            CommandSpec s = spec;
            if (s == null || shell == null) {
                throw new IllegalStateException("The command line was not set up");
            }
            CommandLine top = s.root().commandLine();
            // The script serves both: it loads bash's completion functions itself where it runs in zsh.
            top.getOut().print(AutoComplete.bash("parley", top));
            top.getOut().flush();
        }
    }
}
