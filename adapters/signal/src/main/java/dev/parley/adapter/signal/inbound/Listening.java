package dev.parley.adapter.signal.inbound;

import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.ReadingThread;
import dev.parley.adapter.signal.api.Daemon;
import dev.parley.adapter.signal.api.EventStream;
import dev.parley.adapter.signal.api.RpcError;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.Ids;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the daemon's stream of events, in a thread of its own. The daemon receives from Signal while it believes that somebody
 * listens, and notices a closed stream only when it has written to it twice; so a stream is closed only where no more can be kept. Goes on whatever fails: where the daemon is away it is asked again ever less often, up to
 * every minute; a stream without a sign of life is closed and opened again.
 */
public final class Listening implements Intake.Flow {
    /** The daemon gives a sign of life every 15 seconds. */
    private static final Duration SILENCE = Duration.ofSeconds(45);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration HELD = Duration.ofMinutes(1);
    private static final Duration QUIET = Duration.ofMillis(200);
    private static final int MOST_QUIETS = 10;
    private static final long LAST_LOOK_MILLIS = 1_000;
    private static final int LONGEST_EVENT = 8 << 20;
    private static final Backoff AWAY = new Backoff(Duration.ofSeconds(2), 5);
    private static final Backoff NO_ACCOUNT = new Backoff(Duration.ofSeconds(15), 2);
    private static final String NOT_THERE =
            "Register or link the account with signal-cli, or correct the setting account.";

    private final Daemon daemon;
    private final Intake intake;
    private final Ids ids;
    private final Timers timers;
    private final Connection connection;
    private final Consumer<String> warnings;
    private final ReadingThread thread;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable EventStream stream;
    private volatile boolean held;
    private volatile boolean ending;
    private volatile boolean deaf;
    private final AtomicLong lines = new AtomicLong();
    private int failures;

    /**
     * Listens to a daemon; does not run yet.
     *
     * @param daemon the daemon
     * @param intake takes its events
     * @param ids chance
     * @param timers end pauses and silent streams
     * @param connection told how the connection stands
     * @param warnings takes one line for everything else an operator should know
     */
    public Listening(
            Daemon daemon, Intake intake, Ids ids, Timers timers, Connection connection, Consumer<String> warnings) {
        this.daemon = daemon;
        this.intake = intake;
        this.ids = ids;
        this.timers = timers;
        this.connection = connection;
        this.warnings = warnings;
        this.thread = new ReadingThread("signal-events", timers, ids, connection::readingFailed);
    }

    /** Begins. */
    public void start() {
        thread.start(this::run);
    }

    /** Ends within three seconds; what is on its way is taken first. */
    public void stop() {
        ending = true;
        hold();
        try {
            over.await(LAST_LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.stop();
        close();
    }

    @Override
    public void hold() {
        if (!held) {
            held = true;
            if (!ending) {
                warnings.accept("No more can be kept of what Signal hands over; nothing is received until some of it"
                        + " is stored.");
            }
            closeWhenQuiet(lines.get(), 1);
        }
    }

    @Override
    public void resume() {
        if (held && !ending) {
            held = false;
            thread.wake();
        }
    }

    private void closeWhenQuiet(long before, int looks) {
        timers.after(QUIET, () -> {
            if (!held) {
                return;
            }
            if (lines.get() == before || looks == MOST_QUIETS) {
                close();
            } else {
                closeWhenQuiet(lines.get(), looks + 1);
            }
        });
    }

    private void run() {
        while (!thread.isStopped() && !ending) {
            if (held) {
                thread.pause(HELD);
            } else if (isThere()) {
                listen();
            }
        }
        over.countDown();
    }

    /** Asks the daemon for the account, which tells that messages can be sent; waits where it has no good answer. */
    private boolean isThere() {
        try {
            if (daemon.hasAccount(PATIENCE) == Daemon.Having.NO) {
                connection.trouble("signal-cli does not have the account", NOT_THERE, true);
                thread.pause(NO_ACCOUNT.pause(failures++, ids));
                return false;
            }
            if (!deaf) {
                connection.up();
            }
            return true;
        } catch (RpcError e) {
            failed(String.valueOf(e.getMessage()), "Look at what signal-cli says.", true);
        } catch (ApiFailure e) {
            failed(
                    String.valueOf(e.getMessage()),
                    "Start it: signal-cli daemon --http --receive-mode=on-connection.",
                    e instanceof ApiFailure.NotSent || failures > 0);
        } catch (InterruptedException e) {
            // Only stopping interrupts; the loop looks.
        } catch (RuntimeException e) {
            connection.readingFailed(e);
            thread.pause(AWAY.pause(failures++, ids));
        }
        return false;
    }

    private void failed(String what, String advice, boolean down) {
        connection.trouble(what, advice, down);
        thread.pause(AWAY.pause(failures++, ids));
    }

    private void listen() {
        long before = lines.get();
        Taking taking = new Taking();
        EventStream events = new EventStream(LONGEST_EVENT, taking);
        stream = events;
        if (held) {
            closeWhenQuiet(before, 1);
        }
        taking.expect();
        try {
            int status = daemon.events(SILENCE, events).get();
            if (status != 200) {
                refused(status);
            }
        } catch (InterruptedException | ExecutionException | CancellationException e) {
            // Opened again below, as where it ends.
        } finally {
            events.close();
            taking.end();
        }
        if (events.isWithinEvent()) {
            warnings.accept("The connection to signal-cli broke within an event: a message may be lost.");
        }
        if (!held && !thread.isStopped()) {
            again(lines.get() > before);
        }
    }

    private void again(boolean heard) {
        if (heard) {
            failures = 0;
        } else if (failures > 1 && !deaf) {
            deaf = true;
            connection.trouble("signal-cli hands nothing over", "Look at what signal-cli says.", false);
        }
        thread.pause(AWAY.pause(failures++, ids));
    }

    private void refused(int status) {
        deaf = true;
        connection.trouble(
                "signal-cli answered events with status " + status,
                status == 400 ? NOT_THERE : "It must be signal-cli 0.12 or newer, started with daemon --http.",
                false);
    }

    private void close() {
        EventStream open = stream;
        if (open != null) {
            open.close();
        }
    }

    /** Takes what comes, and closes a stream that gives no sign of life. */
    private final class Taking implements EventStream.Events {
        private Timers.@Nullable Timer patience;
        private boolean over;

        /** Gives the stream another while to show a sign of life. */
        synchronized void expect() {
            if (patience != null) {
                patience.cancel();
            }
            if (!over) {
                patience = timers.after(SILENCE, Listening.this::close);
            }
        }

        synchronized void end() {
            over = true;
            if (patience != null) {
                patience.cancel();
            }
        }

        @Override
        public synchronized void line() {
            lines.incrementAndGet();
            expect();
            if (deaf) {
                deaf = false;
                connection.up();
            }
        }

        @Override
        public void event(String data) {
            try {
                if (!intake.take(data)) {
                    hold();
                }
            } catch (Throwable e) {
                warnings.accept(
                        "An event of signal-cli was left out: taking it failed (" + StrippedFailure.line(e) + ").");
            }
        }

        @Override
        public void tooLong() {
            warnings.accept("An event of signal-cli was left out: it is longer than may be.");
        }
    }
}
