package dev.parley.application.port;

import java.util.List;
import java.util.Optional;

/** Finds messages by their text. Its own port, because a build may bring another engine. Safe for concurrent use. */
public interface TranscriptSearch {
    /**
     * Returns the messages that match and that the viewer may see; empty for a blank query. Messages taken back are never found.
     *
     * @throws StorageUnavailable where the store cannot be read
     * @throws StorageCorrupt where the store or its index is damaged
     */
    List<SearchHit> search(SearchQuery query);

    /**
     * Returns what whoever searches now should know of the answers, in one line, such as that an index is being rebuilt and every
     * message is read meanwhile; absent where there is nothing to say. Throws what {@link #search} throws.
     */
    default Optional<String> note() {
        return Optional.empty();
    }
}
