package dev.parley.persistence.jsonl.journal;

import dev.parley.application.port.StorageUnavailable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says in words why a file operation failed. */
public final class Reasons {
    private Reasons() {}

    /** Returns that something cannot be used, telling a full disk from other reasons. */
    public static StorageUnavailable unavailable(String message, IOException cause) {
        return isOutOfSpace(cause)
                ? StorageUnavailable.outOfSpace(message, cause)
                : new StorageUnavailable(message, cause);
    }

    /** Java tells a full disk from other failures by the system's words alone. */
    private static boolean isOutOfSpace(IOException e) {
        String words = String.valueOf(e.getMessage());
        return words.contains("No space left")
                || words.contains("Disk quota exceeded")
                || words.contains("not enough space");
    }

    /** Returns the reason on one line. */
    public static String of(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "no permission for " + e.getMessage();
        }
        if (e instanceof NoSuchFileException) {
            return e.getMessage() + " is not there";
        }
        if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
            return e.getMessage() + " is a file";
        }
        if (e instanceof FileSystemException f && f.getReason() != null) {
            return f.getReason() + " (" + f.getFile() + ")";
        }
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message.replace('\n', ' ');
    }
}
