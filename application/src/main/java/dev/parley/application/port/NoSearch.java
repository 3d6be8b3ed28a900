package dev.parley.application.port;

import java.util.List;

/**
 * The search of a store that offers none.
 *
 * @param location where the store lies
 */
record NoSearch(String location) implements TranscriptSearch {
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
}
