package dev.parley.adapter.whatsappcloud.webhook;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Reads the bodies of requests without holding threads, each within a size and a time, all together within a budget. Safe for concurrent
 * use.
 */
final class Bodies {
    private final int largest;
    private final long budget;
    private final Duration patience;
    private final AtomicLong held = new AtomicLong();
    private final Set<Body> coming = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /**
     * Bodies of one server.
     *
     * @param largest the most bytes of one
     * @param budget the most bytes of all that are coming in
     * @param patience how long one may take
     */
    Bodies(int largest, long budget, Duration patience) {
        this.largest = largest;
        this.budget = budget;
        this.patience = patience;
    }

    /** Reads a request's body; fails with {@link Refused} where it is too large, too slow, or comes while too much or nothing is read. */
    CompletableFuture<byte[]> read(Request request) {
        Body body = new Body(request);
        coming.add(body);
        Scheduler.Task late = request.getComponents()
                .getScheduler()
                .schedule(
                        () -> body.refuse(408, "The body did not come within " + patience.toSeconds() + " seconds."),
                        patience.toMillis(),
                        TimeUnit.MILLISECONDS);
        CompletableFuture<byte[]> read = body.whole.whenComplete((bytes, failure) -> {
            late.cancel();
            coming.remove(body);
            body.letGo();
        });
        if (stopped) {
            body.refuse(503, Door.STOPPING);
        }
        body.run();
        return read;
    }

    /** Refuses what is still coming in, and everything after. */
    void stop() {
        stopped = true;
        coming.forEach(body -> body.refuse(503, Door.STOPPING));
    }

    private final class Body implements Runnable {
        final CompletableFuture<byte[]> whole = new CompletableFuture<>();
        private final Request request;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private long mine;

        Body(Request request) {
            this.request = request;
        }

        void refuse(int status, String why) {
            whole.completeExceptionally(new Refused(status, why));
        }

        synchronized void letGo() {
            held.addAndGet(-mine);
            mine = 0;
        }

        /** Takes what has arrived, and is called again when more has. */
        @Override
        public void run() {
            try {
                while (!whole.isDone()) {
                    Content.Chunk chunk = request.read();
                    if (chunk == null) {
                        request.demand(this);
                        return;
                    }
                    if (Content.Chunk.isFailure(chunk)) {
                        whole.completeExceptionally(chunk.getFailure());
                        return;
                    }
                    boolean last = chunk.isLast();
                    take(chunk);
                    if (last) {
                        whole.complete(bytes.toByteArray());
                    }
                }
            } catch (RuntimeException e) {
                whole.completeExceptionally(e);
            }
        }

        private synchronized void take(Content.Chunk chunk) {
            try {
                int more = chunk.remaining();
                if (whole.isDone()) {
                    return;
                }
                if (bytes.size() + (long) more > largest) {
                    throw new Refused(413, Door.TOO_LARGE);
                }
                mine += more;
                if (held.addAndGet(more) > budget) {
                    throw new Refused(503, "Too much comes in at once; post it again.");
                }
                byte[] copy = new byte[more];
                chunk.get(copy, 0, more);
                bytes.writeBytes(copy);
            } finally {
                chunk.release();
            }
        }
    }
}
