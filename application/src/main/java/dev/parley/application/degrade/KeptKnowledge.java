package dev.parley.application.degrade;

import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.port.ParleyException;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Lane;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What is kept beside the primary for a later start: the knowledge log of the fallback. What cannot be kept is less to know then
 * and no reason to refuse a message now: it is told once, and tried again. Safe for concurrent use.
 */
final class KeptKnowledge implements AutoCloseable {
    private static final Duration OPENED_EVERY = Duration.ofSeconds(5);

    private final Fallback fallback;
    private final InstantSource clock;
    private final BiConsumer<String, Throwable> trouble;
    private Optional<KnowledgeLog> log = Optional.empty();
    private boolean opened;
    private boolean closed;
    private boolean failing;
    private Instant nextOpening = Instant.MIN;

    /** {@code trouble} is told what cannot be kept, and why. */
    KeptKnowledge(Fallback fallback, InstantSource clock, BiConsumer<String, Throwable> trouble) {
        this.fallback = fallback;
        this.clock = clock;
        this.trouble = trouble;
    }

    /** Notes what of a batch is worth knowing later. */
    void note(List<Change> changes) {
        List<Change> kept = EarlierKnowledge.memorable(changes);
        if (kept.isEmpty()) {
            return;
        }
        Optional<Throwable> failure = tryToNote(kept);
        boolean first;
        synchronized (this) {
            first = failure.isPresent() && !failing;
            failing = failure.isPresent();
        }
        if (first) {
            failure.ifPresent(why ->
                    trouble.accept("what was received is not remembered beside the storage: " + why.getMessage(), why));
        }
    }

    private Optional<Throwable> tryToNote(List<Change> kept) {
        try {
            log().ifPresent(l -> l.note(kept));
            return Optional.empty();
        } catch (RuntimeException | Error e) {
            return Optional.of(e);
        }
    }

    /** Gathers what earlier processes kept. */
    EarlierKnowledge recall(Optional<List<Lane>> mirror) {
        Optional<KnowledgeLog> there = Optional.empty();
        try {
            there = log();
        } catch (ParleyException e) {
            // Less is known then; noting tells it.
        }
        return EarlierKnowledge.of(mirror, there, clock.instant());
    }

    /** A log that cannot be opened is tried now and then. */
    private synchronized Optional<KnowledgeLog> log() {
        if (!opened && !closed && !clock.instant().isBefore(nextOpening)) {
            nextOpening = clock.instant().plus(OPENED_EVERY);
            log = fallback.openKnowledgeLog();
            opened = true;
        }
        return log;
    }

    @Override
    public synchronized void close() {
        closed = true;
        log.ifPresent(KnowledgeLog::close);
    }
}
