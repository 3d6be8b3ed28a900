package dev.parley.persistence.jsonl.journal;

import java.io.IOException;
import java.nio.file.Path;

/** A file does not hold what was written to it. */
public final class DamagedFileException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says which file, and what is wrong with it. */
    public DamagedFileException(Path file, String what) {
        super(file + ": " + what);
    }
}
