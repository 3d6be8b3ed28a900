package dev.parley.application.settings;

import java.time.Duration;
import java.util.Optional;

/**
 * What messages do to a lane on which something runs, and how much may run and wait. Zero stands for "off" where nothing else is said.
 *
 * @param mode what a message does while the agent runs
 * @param textMode the same for text alone; absent follows {@code mode}
 * @param acknowledge whether messages that meet a running agent are acknowledged (Q8.12)
 * @param detail whether acknowledgements say for how long the task has run and what it does
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
        Detail detail,
        Duration debounce,
        Duration debounceLimit,
        Duration followUpWindow,
        int maxPending,
        Optional<Integer> maxLanes) {
    /** Where acknowledgements say more than what became of the message. */
    public enum Detail {
        /** Everywhere but on Telegram, whose chats are mostly read on small screens. */
        AUTO,
        /** Everywhere. */
        ALWAYS,
        /** Nowhere. */
        NEVER
    }

    /** What holds where nothing is configured. */
    public static final Busy DEFAULT = new Busy(
            BusyMode.INTERRUPT,
            Optional.empty(),
            true,
            Detail.AUTO,
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
        return new Busy(
                value, textMode, acknowledge, detail, debounce, debounceLimit, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #textMode()}. */
    public Busy withTextMode(Optional<BusyMode> value) {
        return new Busy(
                mode, value, acknowledge, detail, debounce, debounceLimit, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #acknowledge()}. */
    public Busy withAcknowledge(boolean value) {
        return new Busy(mode, textMode, value, detail, debounce, debounceLimit, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #detail()}. */
    public Busy withDetail(Detail value) {
        return new Busy(
                mode, textMode, acknowledge, value, debounce, debounceLimit, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #debounce()}. */
    public Busy withDebounce(Duration value) {
        return new Busy(
                mode, textMode, acknowledge, detail, value, debounceLimit, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #debounceLimit()}. */
    public Busy withDebounceLimit(Duration value) {
        return new Busy(mode, textMode, acknowledge, detail, debounce, value, followUpWindow, maxPending, maxLanes);
    }

    /** Returns this with another {@link #followUpWindow()}. */
    public Busy withFollowUpWindow(Duration value) {
        return new Busy(mode, textMode, acknowledge, detail, debounce, debounceLimit, value, maxPending, maxLanes);
    }

    /** Returns this with another {@link #maxPending()}. */
    public Busy withMaxPending(int value) {
        return new Busy(mode, textMode, acknowledge, detail, debounce, debounceLimit, followUpWindow, value, maxLanes);
    }

    /** Returns this with another {@link #maxLanes()}. */
    public Busy withMaxLanes(Optional<Integer> value) {
        return new Busy(
                mode, textMode, acknowledge, detail, debounce, debounceLimit, followUpWindow, maxPending, value);
    }
}
