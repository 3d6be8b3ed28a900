package dev.parley.fakes.chaos;

import dev.parley.application.spi.Storage;
import java.io.IOException;
import java.util.Set;

/** A gateway as a run starts it, and the store that it leaves. */
public interface Program {
    /**
     * Returns how it is started, for the first time and after each end. Its sessions end by {@code /new} and {@code /stop} alone: no policy
     * resets them. It writes the address at which its HTTP platform listens to its standard output once it takes messages, and ends with 0
     * or 143 after SIGTERM. What it writes to its standard error is kept; its standard input is empty.
     *
     * @throws IOException where what it is configured by cannot be written
     */
    ProcessBuilder start(Around around) throws IOException;

    /** Opens its store to be read: while it runs where it is {@link Ability#READ_BESIDE_WRITER}, otherwise while it does not. */
    Storage stored(Around around);

    /** Returns what it has beside HTTP and a store. */
    Set<Ability> abilities();
}
