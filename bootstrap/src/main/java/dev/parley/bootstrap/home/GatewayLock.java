package dev.parley.bootstrap.home;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One live gateway for each home: a lock of the operating system, released when the process ends however it ends. The process
 * id in the file is only for the message.
 */
public final class GatewayLock implements AutoCloseable {
    private static final String NAME = "gateway.lock";
    private static final int MOST_BYTES = 64;

    private final FileChannel channel;
    private final FileLock lock;

    private GatewayLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Takes the home for a gateway, or for a command that changes things.
     *
     * @throws InvalidRequest where a live process holds it, naming its process id
     * @throws StorageUnavailable where the lock file cannot be written
     */
    public static GatewayLock take(HomeDirectory home) {
        return tryTake(home).orElseThrow(() -> {
            OptionalLong pid = owner(home);
            String who = pid.isPresent() ? "process " + pid.getAsLong() : "another process";
            return new InvalidRequest("The home " + home.path() + " is in use by a live gateway (" + who
                    + "); stop it first, or name another home with --home.");
        });
    }

    /** Takes the home, or returns nothing where a live process holds it. */
    public static Optional<GatewayLock> tryTake(HomeDirectory home) {
        Path file = home.path().resolve(NAME);
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            @Nullable FileLock lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                return Optional.empty();
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
            return Optional.of(new GatewayLock(channel, lock));
        } catch (IOException e) {
            closeQuietly(channel);
            throw new StorageUnavailable(
                    "The lock " + file + " cannot be taken (" + HomeDirectory.reason(e)
                            + "); check the permissions of the home.",
                    e);
        }
    }

    /** Returns true where a live process holds the home. Changes nothing. */
    public static boolean isHeld(HomeDirectory home) {
        try (FileChannel channel = FileChannel.open(home.path().resolve(NAME), StandardOpenOption.WRITE)) {
            return tryLock(channel) == null;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns when the home was taken last; absent where that is not known. Changes nothing. */
    public static Optional<Instant> takenAt(HomeDirectory home) {
        try {
            return Optional.of(
                    Files.getLastModifiedTime(home.path().resolve(NAME)).toInstant());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the process id of whoever holds or held the home last. */
    public static OptionalLong owner(HomeDirectory home) {
        try (FileChannel channel = FileChannel.open(home.path().resolve(NAME), StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
            channel.read(bytes, 0);
            String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII).strip();
            return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // The lock could not be taken; that is reported, and this adds nothing.
            }
        }
    }

    @Override
    public void close() {
        try {
            lock.release();
            channel.close();
        } catch (IOException e) {
            // The operating system releases the lock at the end of the process at the latest.
        }
    }
}
