package dev.parley.adapter.echo;

import dev.parley.application.actor.SerialTasks;
import dev.parley.application.port.AgentRun;
import dev.parley.application.spi.ProviderSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says pieces one after the other on the executor, until all are said or the run is interrupted. Each step is a serial task. A step
 * that throws, the report of the end too, ends the run as a failure. Safe for concurrent use.
 */
final class EchoRun implements AgentRun {
    private final ProviderSettings settings;
    private final Duration delay;
    private final List<String> pieces;
    private final Ending ending;
    private final SerialTasks steps;
    private final StringBuilder said = new StringBuilder();
    private int next;
    private boolean ended;
    private volatile @Nullable String interruptedBy;
    private volatile Instant lastActivity;

    EchoRun(ProviderSettings settings, Duration delay, List<String> pieces, Ending ending) {
        this.settings = settings;
        this.delay = delay;
        this.pieces = List.copyOf(pieces);
        this.ending = ending;
        this.lastActivity = settings.clock().instant();
        this.steps = new SerialTasks(settings.executor(), this::broken);
    }

    /** Told what is said and how it ends; never from within {@link #begin}. */
    interface Ending {
        void said(String piece);

        void complete(String text);

        void interrupted(String text, String why);

        void broken(Throwable fault);
    }

    private void broken(Throwable fault) {
        if (!ended) {
            ended = true;
            ending.broken(fault);
        }
    }

    void begin() {
        sayNext();
    }

    private void sayNext() {
        if (delay.isZero()) {
            proceed();
        } else {
            settings.timers().after(delay, this::proceed);
        }
    }

    private void proceed() {
        steps.execute(this::step);
    }

    private void step() {
        if (ended) {
            return;
        }
        lastActivity = settings.clock().instant();
        String why = interruptedBy;
        if (why != null) {
            ending.interrupted(said.toString(), why);
            ended = true;
        } else if (next < pieces.size()) {
            String piece = pieces.get(next++);
            said.append(piece);
            ending.said(piece);
            if (next < pieces.size()) {
                sayNext();
            } else {
                proceed();
            }
        } else {
            ending.complete(said.toString());
            ended = true;
        }
    }

    @Override
    public void interrupt(String reason) {
        interruptedBy = reason;
        proceed();
    }

    @Override
    public boolean steer(String text) {
        return false;
    }

    @Override
    public Instant lastActivity() {
        return lastActivity;
    }

    @Override
    public Optional<String> activity() {
        return Optional.empty();
    }
}
