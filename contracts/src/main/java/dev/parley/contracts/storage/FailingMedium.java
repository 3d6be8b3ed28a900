package dev.parley.contracts.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes the medium under a directory fail for real, as far as this system and this user can: a small disk of its own that fills up
 * ({@code mount}), and files that nobody may change ({@code chattr}, which also holds for files that are open already). What cannot be
 * done here is not offered. Used by one thread.
 */
public final class FailingMedium implements AutoCloseable {
    private static final String BALLAST = "ballast";

    private final Path directory;
    private final boolean mounted;
    private boolean frozen;

    private FailingMedium(Path directory, boolean mounted) {
        this.directory = directory;
        this.mounted = mounted;
    }

    /**
     * Takes an empty directory and gives it a disk of its own, where that can be done.
     *
     * @param mebibytes how much the disk holds
     */
    public static FailingMedium under(Path directory, int mebibytes) {
        boolean mounted = mountImage(directory, mebibytes)
                || run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", directory.toString());
        return new FailingMedium(directory, mounted);
    }

    /** A file system in a file of its own knows both failures; one in memory can only be full. */
    private static boolean mountImage(Path directory, int mebibytes) {
        Path image = directory.resolveSibling(directory.getFileName() + ".image");
        try {
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength((long) mebibytes << 20);
            }
            boolean mounted =
                    run("mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", "-O", "^has_journal", image.toString())
                            && run("mount", "-o", "loop", image.toString(), directory.toString());
            // Mounted, the file lives on without a name until it is unmounted.
            Files.delete(image);
            if (mounted) {
                Files.deleteIfExists(directory.resolve("lost+found"));
            }
            return mounted;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether the disk can be filled. */
    public boolean canFill() {
        return mounted;
    }

    /** Returns whether the files can be made unchangeable, those that are open included. */
    public boolean canFreeze() {
        Path probe = directory.resolve("probe");
        try {
            Files.createFile(probe);
            try (FileChannel open = FileChannel.open(probe, StandardOpenOption.WRITE)) {
                if (!run("chattr", "+i", probe.toString())) {
                    return false;
                }
                open.write(ByteBuffer.wrap(new byte[] {1}));
                return false;
            } catch (IOException refused) {
                return true;
            } finally {
                run("chattr", "-i", probe.toString());
                Files.delete(probe);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fills the disk to the last byte. */
    public void fill() {
        Path ballast = directory.resolve(BALLAST);
        for (int block = 1 << 16; block > 0; block /= 16) {
            append(ballast, new byte[block]);
        }
    }

    private static void append(Path file, byte[] block) {
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            // That is what was wanted; smaller blocks may still fit.
        }
    }

    /** Gives the room back. */
    public void free() {
        try {
            Files.deleteIfExists(directory.resolve(BALLAST));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the directory and everything in it unchangeable, but for memory that processes share through a file. */
    public void freeze() {
        frozen = true;
        change("+i");
    }

    /** Makes it changeable again. */
    public void thaw() {
        change("-i");
        frozen = false;
    }

    /** Writing to the memory that is mapped from an unchangeable file would end the process, which no medium does by itself. */
    private void change(String mode) {
        try (Stream<Path> all = Files.walk(directory)) {
            List<String> command = new ArrayList<>(List.of("chattr", mode));
            all.map(Path::toString).filter(name -> !name.endsWith("-shm")).forEach(command::add);
            run(command.toArray(String[]::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the failures that can be made here. */
    public List<StorageHarness.Fault> faults() {
        List<StorageHarness.Fault> faults = new ArrayList<>();
        if (canFill()) {
            faults.add(fault("disk full", this::fill, this::free));
        }
        if (canFreeze()) {
            faults.add(fault("read-only", this::freeze, this::thaw));
        }
        return faults;
    }

    /** Returns a failure that begins and ends so. */
    public static StorageHarness.Fault fault(String name, Runnable begin, Runnable end) {
        return new StorageHarness.Fault() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void begin() {
                begin.run();
            }

            @Override
            public void end() {
                end.run();
            }
        };
    }

    /** Takes the disk away, with everything on it. */
    @Override
    public void close() {
        if (frozen) {
            thaw();
        }
        if (mounted) {
            run("umount", "-l", directory.toString());
        }
    }

    private static boolean run(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchCommand) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
