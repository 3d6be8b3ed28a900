package dev.parley.adapter.kit.api;

import java.io.FileNotFoundException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;

/** A file as the whole body of a call. It is read while it is sent. */
public final class WholeFile implements Form {
    private final String mediaType;
    private final BodyPublisher content;

    /**
     * A file.
     *
     * @throws FileNotFoundException where it is not there or cannot be read
     */
    public WholeFile(Path file, String mediaType) throws FileNotFoundException {
        this.mediaType = mediaType.replaceAll("[\\r\\n]", "");
        this.content = BodyPublishers.ofFile(file);
    }

    @Override
    public String contentType() {
        return mediaType;
    }

    @Override
    public BodyPublisher body() {
        return content;
    }
}
