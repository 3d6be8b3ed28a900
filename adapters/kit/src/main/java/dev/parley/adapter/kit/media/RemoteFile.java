package dev.parley.adapter.kit.media;

import java.util.Optional;

/**
 * A file that lies with a platform.
 *
 * @param id what it is fetched by
 * @param kind what it is: {@code photo}, {@code document}, {@code voice}, …
 * @param name its file name; absent where the sender gave none
 * @param mediaType its media type, as the sender says; absent where it is not said
 * @param bytes its size; absent where it is not said
 */
public record RemoteFile(
        String id, String kind, Optional<String> name, Optional<String> mediaType, Optional<Long> bytes) {}
