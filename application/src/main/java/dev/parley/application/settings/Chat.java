package dev.parley.application.settings;

import java.time.Duration;
import java.util.List;

/**
 * What people may do in a chat, and what prompts tell.
 *
 * @param confirmDestructive whether {@code /new}, {@code /reset} and {@code /undo} ask first while idle (Z12.1)
 * @param resetTriggers what begins a new session when it is all that is said; with a slash in front a command that takes a title
 * @param unresetWindow how long after an automatic reset {@code /unreset} goes back
 * @param redactIds whether ids are hidden in prompts (X9.7)
 * @param home the home directory as it is shown in prompts
 */
public record Chat(
        boolean confirmDestructive,
        List<String> resetTriggers,
        Duration unresetWindow,
        boolean redactIds,
        String home) {
    /** What holds where nothing is configured. */
    public static final Chat DEFAULT =
            new Chat(false, List.of("/new", "/reset"), Duration.ofDays(1), false, "~/.parley");

    public Chat {
        resetTriggers = List.copyOf(resetTriggers);
    }

    /** Returns this with another {@link #confirmDestructive()}. */
    public Chat withConfirmDestructive(boolean value) {
        return new Chat(value, resetTriggers, unresetWindow, redactIds, home);
    }

    /** Returns this with another {@link #resetTriggers()}. */
    public Chat withResetTriggers(List<String> value) {
        return new Chat(confirmDestructive, value, unresetWindow, redactIds, home);
    }

    /** Returns this with another {@link #unresetWindow()}. */
    public Chat withUnresetWindow(Duration value) {
        return new Chat(confirmDestructive, resetTriggers, value, redactIds, home);
    }

    /** Returns this with another {@link #redactIds()}. */
    public Chat withRedactIds(boolean value) {
        return new Chat(confirmDestructive, resetTriggers, unresetWindow, value, home);
    }

    /** Returns this with another {@link #home()}. */
    public Chat withHome(String value) {
        return new Chat(confirmDestructive, resetTriggers, unresetWindow, redactIds, value);
    }
}
