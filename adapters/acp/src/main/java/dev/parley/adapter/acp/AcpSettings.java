package dev.parley.adapter.acp;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of the agent.
 *
 * @param command the program and its arguments
 * @param directory where it works
 * @param permissions what it is told when it asks for permission
 * @param log where its standard error goes; absent where it is thrown away
 */
record AcpSettings(List<String> command, Path directory, Permissions permissions, Optional<Path> log) {
    private static final String COMMAND = "command";
    private static final String DIRECTORY = "directory";
    private static final String PERMISSIONS = "permissions";
    private static final String LOG = "log";
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    static final Set<String> NAMES = Set.of(COMMAND, DIRECTORY, PERMISSIONS, LOG);

    AcpSettings {
        command = List.copyOf(command);
    }

    /** What a program is told when it asks for permission. */
    enum Permissions {
        /** What the people in the chat say. */
        ASK,
        /** Yes, each time. */
        ALLOW,
        /** No, each time. */
        DENY
    }

    /** Returns the program's name without its directories, which are not for people. */
    String name() {
        return String.valueOf(Path.of(command.get(0)).getFileName());
    }

    static AcpSettings of(ProviderSettings settings) {
        List<String> command = words(settings.value(COMMAND)
                .orElseThrow(() -> new InvalidRequest(settings.nameOf(COMMAND)
                        + " is missing; write the program that speaks the Agent Client Protocol, and its arguments.")));
        return new AcpSettings(
                command,
                settings.home().resolve(settings.value(DIRECTORY).orElse("acp")),
                permissions(settings),
                settings.value(LOG).map(settings.home()::resolve));
    }

    private static Permissions permissions(ProviderSettings settings) {
        String word = settings.value(PERMISSIONS).orElse("ask");
        try {
            return Permissions.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new InvalidRequest(settings.nameOf(PERMISSIONS) + " is \"" + word + "\"; write ask, allow or deny.");
        }
    }

    /** Splits a command at blanks that stand in no quotation marks. */
    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        for (Matcher word = WORD.matcher(command); word.find(); ) {
            words.add(Optional.ofNullable(word.group(1))
                    .or(() -> Optional.ofNullable(word.group(2)))
                    .orElseGet(() -> word.group(3)));
        }
        return words;
    }
}
