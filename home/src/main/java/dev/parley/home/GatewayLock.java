package dev.parley.home;

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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One live gateway for each home: a lock of the operating system, released when the process ends however it ends. The process
 * id in the file is only for the message.
 */
public final class GatewayLock implements AutoCloseable {
    private static final String NAME = "gateway.lock";
    private static final int MOST_BYTES = 64;

    private static final String ADDRESS = "http-address";

    /** The byte whose lock is the right to the home. */
    private static final long RIGHT = 0;
    /** The byte whose lock shows that the home is held; only this one is looked at. */
    private static final long SIGN = 1;
    /** The homes this process holds: closing any other channel of a locked file would lose the process's lock. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;
    private final List<FileLock> locks;

    private GatewayLock(Path file, FileChannel channel, List<FileLock> locks) {
        this.file = file;
        this.channel = channel;
        this.locks = locks;
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

    /**
     * Takes the home, or returns nothing where a live process holds it. What a killed gateway left behind of where it listened is
     * deleted: nobody must be sent there any more.
     */
    public static Optional<GatewayLock> tryTake(HomeDirectory home) {
        Path file = file(home);
        if (!HELD.add(file)) {
            return Optional.empty();
        }
        FileChannel channel = null;
        boolean taken = false;
        try {
            channel = PrivateFiles.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            @Nullable FileLock lock = channel.tryLock(RIGHT, 1, false);
            if (lock == null) {
                return Optional.empty();
            }
            // A process that looks at the sign holds it for a moment only.
            FileLock sign = channel.lock(SIGN, 1, false);
            nameOwner(channel);
            Files.deleteIfExists(home.path().resolve(ADDRESS));
            taken = true;
            return Optional.of(new GatewayLock(file, channel, List.of(lock, sign)));
        } catch (OverlappingFileLockException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The lock " + file + " cannot be taken (" + HomeDirectory.reason(e)
                            + "); check the permissions of the home.",
                    e);
        } finally {
            if (!taken) {
                closeQuietly(channel);
                HELD.remove(file);
            }
        }
    }

    /** The process id is only for messages: a full disk does not cost the lock. */
    private static void nameOwner(FileChannel channel) throws IOException {
        try {
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
        } catch (IOException e) {
            if (!HomeDirectory.isOutOfSpace(e)) {
                throw e;
            }
        }
    }

    /** Returns true where a live process holds the home. Changes nothing, and is in nobody's way who takes it meanwhile. */
    public static boolean isHeld(HomeDirectory home) {
        Path file = file(home);
        if (HELD.contains(file)) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                @Nullable FileLock seen = channel.tryLock(SIGN, 1, true)) {
            return seen == null;
        } catch (OverlappingFileLockException e) {
            return HELD.contains(file);
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns when the home was taken last; absent where that is not known. Changes nothing. */
    public static Optional<Instant> takenAt(HomeDirectory home) {
        try {
            return Optional.of(Files.getLastModifiedTime(file(home)).toInstant());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the process id of the last holder of the home. */
    public static OptionalLong owner(HomeDirectory home) {
        if (HELD.contains(file(home))) {
            return OptionalLong.of(ProcessHandle.current().pid());
        }
        try (FileChannel channel = FileChannel.open(file(home), StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
            channel.read(bytes, 0);
            String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII).strip();
            return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns the lock file; a home is the same by whichever link it is named. */
    private static Path file(HomeDirectory home) {
        return home.realPath().resolve(NAME);
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
            for (FileLock each : locks) {
                each.release();
            }
            channel.close();
        } catch (IOException e) {
            // The operating system releases the lock at the end of the process at the latest.
        } finally {
            HELD.remove(file);
        }
    }
}
