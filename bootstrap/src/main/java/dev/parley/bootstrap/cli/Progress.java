package dev.parley.bootstrap.cli;

import dev.parley.bootstrap.wiring.ProcessSurroundings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows how far long work has come: on a terminal one line that is drawn again, elsewhere a plain line now and then; nothing for work
 * of less than a second. Until the work says how much there is of it, only how long it has taken is shown. Safe for concurrent use.
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
    private final CountDownLatch closed = new CountDownLatch(1);
    private Instant shown;
    private long total;
    private long done;
    private boolean drawn;

    /** Shows something only when it is told of progress or asked to. */
    Progress(Workplace workplace, String what, long total) {
        this.workplace = workplace;
        this.what = what;
        this.total = total;
        this.clock = workplace.around().clock();
        this.began = clock.instant();
        this.shown = began;
    }

    /** Begins to show progress of {@code what}, also while the work says nothing; {@code total} is 0 where it is not known. */
    static Progress of(Workplace workplace, String what, long total) {
        Progress progress = new Progress(workplace, what, total);
        ProcessSurroundings.threads("progress")
                .newThread(progress::showUntilClosed)
                .start();
        return progress;
    }

    /** Does work that says nothing of itself, shows meanwhile how long it takes, and returns what it returns. */
    static <T> T during(Workplace workplace, String what, Supplier<T> work) {
        Progress progress = of(workplace, what, 0);
        try {
            return work.get();
        } finally {
            progress.close();
        }
    }

    private void showUntilClosed() {
        try {
            while (!closed.await(TERMINAL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                show();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One more is done. */
    synchronized void step() {
        at(done + 1, total);
    }

    /** So many of so many are done. */
    synchronized void at(long nowDone, long nowTotal) {
        done = nowDone;
        total = nowTotal;
        show();
    }

    /** Shows how things stand, unless that was shown just now. */
    synchronized void show() {
        Instant now = clock.instant();
        boolean terminal = workplace.around().terminal();
        Duration sinceShown = Duration.between(shown, now);
        if (closed.getCount() == 0
                || Duration.between(began, now).compareTo(QUIET) < 0
                || sinceShown.compareTo(terminal ? TERMINAL_INTERVAL : PLAIN_INTERVAL) < 0) {
            return;
        }
        shown = now;
        drawn = true;
        String figures = figures(Duration.between(began, now));
        if (terminal) {
            workplace.err().print("\r" + what + " " + bar() + figures + "   ");
            workplace.err().flush();
        } else {
            workplace.note(what + " " + figures);
        }
    }

    private String bar() {
        int filled = total == 0 ? 0 : (int) Math.min(WIDTH, done * WIDTH / total);
        return total == 0 ? "" : "[" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] ";
    }

    private String figures(Duration taken) {
        if (total == 0) {
            return minutes(taken.toSeconds());
        }
        double rate = done / Math.max(0.001, taken.toMillis() / 1000.0);
        long left = rate > 0 && total > done ? Math.round((total - done) / rate) : 0;
        return String.format(Locale.ROOT, "%d/%d, %.0f/s, %s left", done, total, rate, minutes(left));
    }

    private static String minutes(long seconds) {
        return String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
    }

    @Override
    public synchronized void close() {
        closed.countDown();
        if (drawn && workplace.around().terminal()) {
            workplace.err().println();
        }
    }
}
