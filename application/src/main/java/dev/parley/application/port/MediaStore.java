package dev.parley.application.port;

import dev.parley.domain.turn.Attachment;
import java.io.InputStream;

/**
 * Keeps files that came with messages, and files that agents send along. What is kept is a file that only the gateway's user can read.
 * Its type is told by its first bytes, never by what its sender says. Safe for concurrent use; blocks while it reads and writes.
 */
public interface MediaStore {
    /**
     * Keeps what a stream holds, read to its end, and returns it as an attachment: its location is the file's absolute path, its kind
     * and media type follow from its first bytes, its size is the file's. The stream is not closed. Equal bytes are kept once. On
     * return the file is on disk.
     *
     * @param content the bytes
     * @param named what its sender calls it and the type they give it, both believed only where the bytes say nothing; its kind,
     *     location and size are not looked at
     * @throws InvalidRequest where it is larger than a file may be, or holds nothing
     * @throws StorageUnavailable where there is no room for it now, or it cannot be read or written
     */
    Attachment keep(InputStream content, Attachment named);

    /**
     * Opens a kept file; the caller closes it.
     *
     * @throws InvalidRequest where the attachment's location is none of this store, or it is not kept any more
     * @throws StorageUnavailable where it cannot be read now
     */
    InputStream open(Attachment attachment);

    /** Returns the most bytes a file may have. */
    long largest();

    /** A store that takes no file, for platforms and agents without a home. */
    MediaStore NONE = new MediaStore() {
        @Override
        public Attachment keep(InputStream content, Attachment named) {
            throw new InvalidRequest("No files are kept here; give the gateway a media store.");
        }

        @Override
        public InputStream open(Attachment attachment) {
            throw new InvalidRequest("No files are kept here; give the gateway a media store.");
        }

        @Override
        public long largest() {
            return 0;
        }
    };
}
