package dev.parley.adapter.kit.media;

import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.turn.Attachment;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Fetches the files of messages into the media store. A file that cannot be had is left out with a warning, and what it was is said in
 * its attachment's description: a message is never lost for its file. Safe for concurrent use; blocks while it fetches.
 */
public final class FileFetch {
    private static final int TRIES = 3;

    private final Download download;
    private final long largest;
    private final MediaStore store;
    private final Consumer<String> warnings;

    /** How a platform's files are fetched. */
    public interface Download {
        /**
         * Begins to fetch a file; the caller closes the stream.
         *
         * @throws NotThere where the platform says that it will never give the file
         * @throws IOException where it did not work this time
         */
        InputStream open(RemoteFile file) throws NotThere, IOException, InterruptedException;
    }

    /** A platform does not give a file; its message says why, in words for the operator. */
    public static final class NotThere extends Exception {
        private static final long serialVersionUID = 1L;

        /** Says why. */
        public NotThere(String why) {
            super(why);
        }
    }

    /**
     * Fetches into a store.
     *
     * @param download how
     * @param largest the most bytes that the platform gives
     * @param store where files are kept
     * @param warnings takes one line for each file that cannot be had
     */
    public FileFetch(Download download, long largest, MediaStore store, Consumer<String> warnings) {
        this.download = download;
        this.largest = largest;
        this.store = store;
        this.warnings = warnings;
    }

    /** Returns the files as attachments, in order; of one that cannot be had, what it was. */
    public List<Attachment> fetch(List<RemoteFile> files) {
        List<Attachment> attachments = new ArrayList<>();
        for (RemoteFile file : files) {
            attachments.add(fetch(file));
        }
        return attachments;
    }

    private Attachment fetch(RemoteFile file) {
        if (file.bytes()
                .filter(size -> size > Math.min(largest, store.largest()))
                .isPresent()) {
            return missing(file, "it is larger than may be fetched");
        }
        String why = "";
        for (int i = 0; i < TRIES; i++) {
            try {
                return kept(file);
            } catch (NotThere | InvalidRequest | StorageUnavailable e) {
                return missing(file, String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return missing(file, "the gateway stops");
            } catch (IOException e) {
                why = e instanceof ApiFailure ? String.valueOf(e.getMessage()) : "the connection broke";
            }
        }
        return missing(file, why);
    }

    private Attachment kept(RemoteFile file) throws NotThere, IOException, InterruptedException {
        try (Coming content = new Coming(download.open(file))) {
            Attachment kept = content.keptIn(store, described(file));
            // What people sent it as counts for voices and pictures; the bytes say the rest.
            return new Attachment(
                    file.kind(), kept.location(), kept.name(), kept.mediaType(), kept.description(), kept.bytes());
        }
    }

    /** What comes of a file: where that breaks off, it was not the store that failed. */
    private static final class Coming extends FilterInputStream {
        private Optional<IOException> broken = Optional.empty();

        Coming(InputStream content) {
            super(content);
        }

        Attachment keptIn(MediaStore store, Attachment named) throws IOException {
            try {
                return store.keep(this, named);
            } catch (StorageUnavailable e) {
                if (broken.isPresent()) {
                    throw broken.get();
                }
                throw e;
            }
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (IOException e) {
                broken = Optional.of(e);
                throw e;
            }
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            try {
                return super.read(into, from, most);
            } catch (IOException e) {
                broken = Optional.of(e);
                throw e;
            }
        }
    }

    private Attachment missing(RemoteFile file, String why) {
        warnings.accept("A " + file.kind() + " was left out of its message: " + why + ".");
        return described(file).described("The " + file.kind() + " could not be fetched.");
    }

    private static Attachment described(RemoteFile file) {
        return new Attachment(file.kind(), "", file.name(), file.mediaType(), Optional.empty(), file.bytes());
    }
}
