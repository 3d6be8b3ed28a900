package dev.parley.application.port;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Finds messages by their text. Its own port, because a build may bring another engine. Safe for concurrent use. */
public interface TranscriptSearch {
    /**
     * Returns the search of a store that offers none: it refuses each query, a blank one too, and says so.
     *
     * @param location where the store lies, as {@code Storage.location} says
     */
    static TranscriptSearch none(String location) {
        return new TranscriptSearch() {
            @Override
            public boolean isOffered() {
                return false;
            }

            @Override
            public List<SearchHit> search(SearchQuery query) {
                throw new InvalidRequest(
                        "The store " + location
                                + " offers no search; copy it into one that does with `parley storage copy` to look through what was said.");
            }
        };
    }

    /** Returns whether the store can search; the same for as long as it is open, and reads nothing. */
    default boolean isOffered() {
        return true;
    }

    /**
     * Returns the messages that match and that the viewer may see; empty for a blank query. Messages taken back are never found.
     *
     * @throws InvalidRequest where no search is offered
     * @throws StorageUnavailable where the store cannot be read
     * @throws StorageCorrupt where the store or its index is damaged
     */
    List<SearchHit> search(SearchQuery query);

    /**
     * Returns what {@link #search(SearchQuery)} does, and tells what to know of this very answer, one line each: what {@link #note} says,
     * and whether the search was stopped because it cost too much.
     */
    default List<SearchHit> search(SearchQuery query, Consumer<String> notes) {
        List<SearchHit> hits = search(query);
        note().ifPresent(notes);
        return hits;
    }

    /**
     * Returns what whoever searches now should know of the answers, in one line, such as that an index is being rebuilt and every
     * message is read meanwhile; absent where there is nothing to say. Throws what {@link #search} throws.
     */
    default Optional<String> note() {
        return Optional.empty();
    }
}
