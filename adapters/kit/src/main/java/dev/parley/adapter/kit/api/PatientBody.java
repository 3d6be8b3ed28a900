package dev.parley.adapter.kit.api;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * An answer's body that fails where nothing comes of it for too long: at the latest after twice the time it may be silent. What its reader
 * does in between takes as long as it takes. Read by one thread; may be closed by another.
 */
final class PatientBody extends InputStream {
    private final InputStream body;
    private final Executor looking;
    /** Counts the beginnings and the ends of reads: odd while one waits. */
    private volatile long reads;

    private volatile long seen;
    private volatile boolean silent;
    private volatile boolean closed;

    PatientBody(InputStream body, Duration silence, Executor executor) {
        this.body = body;
        this.looking = CompletableFuture.delayedExecutor(silence.toMillis(), TimeUnit.MILLISECONDS, executor);
        looking.execute(this::look);
    }

    private void look() {
        if (closed) {
            return;
        }
        long now = reads;
        if (now == seen && now % 2 == 1) {
            silent = true;
            end();
            return;
        }
        seen = now;
        looking.execute(this::look);
    }

    private void end() {
        try {
            body.close();
        } catch (IOException closed) {
            // It has ended either way, which its reader is told.
        }
    }

    private interface Read {
        int run() throws IOException;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread reads.
    private int watched(Read read) throws IOException {
        reads++;
        try {
            return read.run();
        } catch (IOException e) {
            if (silent) {
                HttpTimeoutException late = new HttpTimeoutException("the answer stopped half-way");
                late.initCause(e);
                throw late;
            }
            throw e;
        } finally {
            reads++;
        }
    }

    @Override
    public int read() throws IOException {
        return watched(body::read);
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        return watched(() -> body.read(into, from, most));
    }

    @Override
    public void close() throws IOException {
        closed = true;
        body.close();
    }
}
