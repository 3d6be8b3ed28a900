package dev.parley.domain.turn;

import java.util.Optional;

/**
 * Something sent along with a message.
 *
 * @param kind what it is: photo, document, voice, ...
 * @param location where it is kept
 * @param name its file name
 * @param mediaType its media type
 */
public record Attachment(String kind, String location, Optional<String> name, Optional<String> mediaType) {
    /** The kind of pictures: they never interrupt a running turn (D9). */
    public static final String PHOTO = "photo";

    /** Returns true for pictures. */
    public boolean isPhoto() {
        return kind.equals(PHOTO);
    }
}
