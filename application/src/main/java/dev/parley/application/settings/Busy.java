package dev.parley.application.settings;

import java.time.Duration;
import java.util.Optional;

/**
 * What messages do to a lane on which something runs, and how much may run and wait. Zero stands for "off" where nothing else is said.
 *
 * @param mode what a message does while the agent runs
 * @param textMode the same for text alone; absent follows {@code mode}
 * @param acknowledge whether messages that meet a running agent are acknowledged (Q8.12)
 * @param debounce how long text waits for more in queue-text mode (Q8.18)
 * @param debounceLimit how long it waits at most
 * @param followUpWindow how long after a turn began Telegram's texts count as part of what began it, and wait instead of
 *     interrupting; zero: never (Q8.11)
 * @param maxPending how many follow-ups may wait; {@code /queue} is not limited (Q8.17)
 * @param maxLanes how many lanes may run at once; absent for any number (Q8.35)
 */
public record Busy(
        BusyMode mode,
        Optional<BusyMode> textMode,
        boolean acknowledge,
        Duration debounce,
        Duration debounceLimit,
        Duration followUpWindow,
        int maxPending,
        Optional<Integer> maxLanes) {
    /** What holds where nothing is configured. */
    public static final Busy DEFAULT = new Busy(
            BusyMode.INTERRUPT,
            Optional.empty(),
            true,
            Duration.ofMillis(350),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            32,
            Optional.empty());

    /** Returns what a message does while the agent runs; {@code textOnly} where nothing came along with its text. */
    public BusyMode mode(boolean textOnly) {
        return textOnly ? textMode.orElse(mode) : mode;
    }

    /** Returns this with another {@link #mode()}. */
    public Busy withMode(BusyMode value) {
        return new Busy(value, textMode, acknowledge, debounce, debounceLimit, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #textMode()}. */
    public Busy withTextMode(Optional<BusyMode> value) {
        return new Busy(mode, value, acknowledge, debounce, debounceLimit, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #acknowledge()}. */
    public Busy withAcknowledge(boolean value) {
        return new Busy(mode, textMode, value, debounce, debounceLimit, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #debounce()}. */
    public Busy withDebounce(Duration value) {
        return new Busy(mode, textMode, acknowledge, value, debounceLimit, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #debounceLimit()}. */
    public Busy withDebounceLimit(Duration value) {
        return new Busy(mode, textMode, acknowledge, debounce, value, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #followUpWindow()}. */
    public Busy withFollowUpWindow(Duration value) {
        return new Busy(mode, textMode, acknowledge, debounce, debounceLimit, value, maxPending, maxLanes);
    }

    /** Returns this with another {@link #maxPending()}. */
    public Busy withMaxPending(int value) {
        return new Busy(mode, textMode, acknowledge, debounce, debounceLimit, followUpWindow, value, maxLanes);
    }

    /** Returns this with another {@link #maxLanes()}. */
    public Busy withMaxLanes(Optional<Integer> value) {
        return new Busy(mode, textMode, acknowledge, debounce, debounceLimit, followUpWindow, maxPending, value);
    }
}
