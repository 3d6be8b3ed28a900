package dev.parley.application.spi;

/** The pieces of an answer that goes on. Asked by one reader at a time; woken from any thread. */
public interface WebStream {
    /**
     * Returns what there is to write now: everything since the last call, put together; empty where there is nothing. A reader that
     * was slow gets what is still of use, not what it missed.
     */
    String next();

    /**
     * Takes what is to be called when there may be more, each time until {@link #close}; it is called once at least for everything
     * that comes after this call. It returns at once.
     */
    void whenMore(Runnable wake);

    /** Lets go of the reader, who is gone or is sent away. Does nothing the second time. */
    void close();
}
