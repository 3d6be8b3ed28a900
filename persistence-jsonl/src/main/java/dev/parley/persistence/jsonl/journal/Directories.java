package dev.parley.persistence.jsonl.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes names durable. */
public final class Directories {
    private static final boolean WINDOWS = System.getProperty("os.name", "").startsWith("Windows");

    private Directories() {}

    /** Makes the names in the directory that holds {@code file} durable, where the system can. */
    public static void sync(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || WINDOWS) {
            return;
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
