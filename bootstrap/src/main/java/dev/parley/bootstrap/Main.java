package dev.parley.bootstrap;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of the {@code parley} program. */
@Command(
        name = "parley",
        mixinStandardHelpOptions = true,
        version = "parley 0.1.0",
        description = "Sessions that survive: a gateway for messaging-platform agents.")
public final class Main implements Runnable {

    /**
     * Runs the command named by the arguments and exits with its code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        // Guice would otherwise generate classes into modules that are not open to it.
        System.setProperty("guice_bytecode_gen_option", "DISABLED");
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }
}
