package dev.parley.domain.turn;

import java.util.Optional;

/**
 * Something sent along with a message, received or to be sent.
 *
 * @param kind what it is: photo, document, voice, ...
 * @param location where it is kept
 * @param name its file name
 * @param mediaType its media type
 * @param description what it shows, in words, for those who cannot see it
 * @param bytes its size; absent where it is not known
 */
public record Attachment(
        String kind,
        String location,
        Optional<String> name,
        Optional<String> mediaType,
        Optional<String> description,
        Optional<Long> bytes) {
    /** The kind of pictures: they never interrupt a running turn (D9). */
    public static final String PHOTO = "photo";

    /** An attachment that nobody described and whose size is not known. */
    public Attachment(String kind, String location, Optional<String> name, Optional<String> mediaType) {
        this(kind, location, name, mediaType, Optional.empty(), Optional.empty());
    }

    /** Returns true for pictures. */
    public boolean isPhoto() {
        return kind.equals(PHOTO);
    }

    /** Returns this with words for those who cannot see it. */
    public Attachment described(String words) {
        return new Attachment(kind, location, name, mediaType, Optional.of(words), bytes);
    }

    /** Returns this with its size. */
    public Attachment sized(long size) {
        return new Attachment(kind, location, name, mediaType, description, Optional.of(size));
    }
}
