package dev.parley.application.degrade;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.TranscriptSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The search of the primary, which needs all of it. */
final class DegradingTranscriptSearch implements TranscriptSearch {
    private final Reading reading;

    DegradingTranscriptSearch(Reading reading) {
        this.reading = reading;
    }

    @Override
    public boolean isOffered() {
        return reading.either(s -> s.search().isOffered(), spill -> true);
    }

    @Override
    public List<SearchHit> search(SearchQuery query) {
        return reading.whole("Search results", s -> s.search().search(query));
    }

    @Override
    public List<SearchHit> search(SearchQuery query, Consumer<String> notes) {
        List<String> told = new ArrayList<>();
        List<SearchHit> hits = reading.whole("Search results", s -> s.search().search(query, told::add));
        told.forEach(notes);
        return hits;
    }

    @Override
    public Optional<String> note() {
        return reading.whole("Search results", s -> s.search().note());
    }
}
