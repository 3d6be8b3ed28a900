package dev.parley.fakes.network;

/** What happens to one connection that goes through a {@link FaultyProxy}. Bytes are counted from the connection's beginning. */
public sealed interface Fault {
    /** Nothing. */
    record None() implements Fault {}

    /** The connection is refused: closed before a byte has passed. */
    record Refused() implements Fault {}

    /**
     * The connection is reset once so many bytes of what the client sends have reached the server; the rest never arrives.
     *
     * @param bytes how many bytes arrive
     */
    record CutRequest(long bytes) implements Fault {}

    /**
     * The connection is reset once so many bytes of what the server answers have reached the client; the server has carried out what
     * it was asked.
     *
     * @param bytes how many bytes arrive
     */
    record CutAnswer(long bytes) implements Fault {}

    /**
     * The connection stays open and silent once so many bytes of the answer have passed, until the proxy is told to close it.
     *
     * @param bytes how many bytes arrive
     */
    record HalfOpen(long bytes) implements Fault {}
}
