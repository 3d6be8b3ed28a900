package dev.parley.persistence.jsonl.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Makes files durable, many of them at the same time, so that the file system can write them together. */
final class FileSync {
    private static final int MOST_THREADS = 16;
    private static final int FILES_PER_THREAD = 32;

    private final ThreadFactory threads;

    FileSync(ThreadFactory threads) {
        this.threads = threads;
    }

    /** Syncs files; those that are gone are passed over. Throws the first failure, once no thread is at work any more. */
    void sync(List<Path> files) throws IOException {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
        Runnable work = () -> {
            for (int i = next.getAndIncrement();
                    i < files.size() && failure.get() == null;
                    i = next.getAndIncrement()) {
                try {
                    sync(files.get(i));
                } catch (IOException e) {
                    failure.compareAndSet(null, e);
                }
            }
        };
        List<Thread> helping = new ArrayList<>();
        for (int i = Math.min(MOST_THREADS, files.size() / FILES_PER_THREAD); i > 0; i--) {
            Thread thread = threads.newThread(work);
            helping.add(thread);
            thread.start();
        }
        work.run();
        helping.forEach(FileSync::await);
        IOException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    private static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(false);
        } catch (NoSuchFileException deletedMeanwhile) {
            // Its session was deleted, or its file has another name now and is synced under that.
        }
    }

    private static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
