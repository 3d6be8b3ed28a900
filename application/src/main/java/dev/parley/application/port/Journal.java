package dev.parley.application.port;

import dev.parley.domain.change.Batch;
import java.util.List;

/** The fallback's batches in the order they were committed: what healing reads. Used by one gateway at a time. */
public interface Journal extends AutoCloseable {
    /**
     * Appends a batch. Durable on return.
     *
     * @return the batch's place, rising by one from 1
     * @throws StorageUnavailable where the journal cannot take it either
     */
    long append(Batch batch);

    /** Returns up to {@code limit} batches behind the place {@code after}, in order; 0 begins at the first. */
    List<Entry> read(long after, int limit);

    /** Returns how many batches there are. */
    long size();

    /** Puts everything up to and including the place {@code upTo} aside, kept for retention but no longer read. */
    void putAside(long upTo);

    /** Lets go of the journal; does nothing the second time. */
    @Override
    void close();

    /**
     * A batch and its place.
     *
     * @param place its place
     * @param batch the batch
     */
    record Entry(long place, Batch batch) {}
}
