package dev.parley.adapter.kit.api;

import java.io.FileNotFoundException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A form with files, as {@code multipart/form-data}. Files are read while they are sent. Written here because the JDK's client has
 * none and a library for it would bring a client of its own.
 */
public final class Multipart implements Form {
    private final String boundary;
    private final List<BodyPublisher> parts = new ArrayList<>();

    /**
     * An empty form.
     *
     * @param boundary what stands between its parts; letters and digits that no part contains
     */
    public Multipart(String boundary) {
        this.boundary = boundary;
    }

    /** Adds a field. */
    public Multipart field(String name, String value) {
        parts.add(text("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + quoted(name) + "\"\r\n\r\n"
                + value + "\r\n"));
        return this;
    }

    /**
     * Adds a file.
     *
     * @throws FileNotFoundException where it is not there or cannot be read
     */
    public Multipart file(String name, Path file, String fileName, String mediaType) throws FileNotFoundException {
        parts.add(text("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + quoted(name)
                + "\"; filename=\"" + quoted(fileName) + "\"\r\nContent-Type: " + mediaType.replaceAll("[\\r\\n]", "")
                + "\r\n\r\n"));
        parts.add(BodyPublishers.ofFile(file));
        parts.add(text("\r\n"));
        return this;
    }

    @Override
    public String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    @Override
    public BodyPublisher body() {
        List<BodyPublisher> all = new ArrayList<>(parts);
        all.add(text("--" + boundary + "--\r\n"));
        return BodyPublishers.concat(all.toArray(BodyPublisher[]::new));
    }

    private static BodyPublisher text(String text) {
        return BodyPublishers.ofString(text, StandardCharsets.UTF_8);
    }

    private static String quoted(String name) {
        return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }
}
