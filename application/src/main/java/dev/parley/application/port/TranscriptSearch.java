package dev.parley.application.port;

import java.util.List;

/** Finds messages by their text. Its own port, because a build may bring another engine. Safe for concurrent use. */
public interface TranscriptSearch {
    /**
     * Returns the messages that match and that the viewer may see; empty for a blank query. Messages taken back are never found.
     *
     * @throws StorageUnavailable where the store cannot be read
     * @throws StorageCorrupt where the store or its index is damaged
     */
    List<SearchHit> search(SearchQuery query);
}
