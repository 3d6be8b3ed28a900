package dev.parley.bootstrap.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/**
 * Shows how far long work has come: on a terminal a bar on one line that is drawn again, elsewhere a plain line now and then;
 * nothing for work of less than a second.
 */
final class Progress implements AutoCloseable {
    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final Duration TERMINAL_INTERVAL = Duration.ofMillis(200);
    private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(5);
    private static final int WIDTH = 30;

    private final Workplace workplace;
    private final String what;
    private final InstantSource clock;
    private final Instant began;
    private Instant shown;
    private long total;
    private long done;
    private boolean drawn;

    private Progress(Workplace workplace, String what, long total) {
        this.workplace = workplace;
        this.what = what;
        this.total = total;
        this.clock = workplace.around().clock();
        this.began = clock.instant();
        this.shown = began;
    }

    static Progress of(Workplace workplace, String what, long total) {
        return new Progress(workplace, what, total);
    }

    /** One more is done. */
    void step() {
        at(done + 1, total);
    }

    /** So many of so many are done. */
    void at(long nowDone, long nowTotal) {
        done = nowDone;
        total = nowTotal;
        Instant now = clock.instant();
        boolean terminal = workplace.around().terminal();
        Duration sinceShown = Duration.between(shown, now);
        if (Duration.between(began, now).compareTo(QUIET) < 0
                || sinceShown.compareTo(terminal ? TERMINAL_INTERVAL : PLAIN_INTERVAL) < 0) {
            return;
        }
        shown = now;
        drawn = true;
        double seconds = Math.max(0.001, Duration.between(began, now).toMillis() / 1000.0);
        double rate = done / seconds;
        long left = rate > 0 && total > done ? Math.round((total - done) / rate) : 0;
        String figures =
                String.format(Locale.ROOT, "%d/%d, %.0f/s, %d:%02d left", done, total, rate, left / 60, left % 60);
        if (terminal) {
            int filled = total == 0 ? WIDTH : (int) Math.min(WIDTH, done * WIDTH / total);
            workplace
                    .err()
                    .print("\r" + what + " [" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + figures
                            + "   ");
            workplace.err().flush();
        } else {
            workplace.note(what + " " + figures);
        }
    }

    @Override
    public void close() {
        if (drawn && workplace.around().terminal()) {
            workplace.err().println();
        }
    }
}
