package dev.parley.application.spi;

import java.util.Optional;

/** The pieces of a long answer. Asked by one reader, one call at a time, from any thread. */
@FunctionalInterface
public interface WebPieces {
    /**
     * Returns the next piece; absent behind the last. May block. An exception breaks the answer off; before the first piece it is
     * answered as one of {@link WebSurface#answer} is.
     */
    Optional<String> next();
}
