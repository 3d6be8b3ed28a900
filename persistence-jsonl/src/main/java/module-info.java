import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.TranscriptFileReader;
import dev.parley.persistence.jsonl.JsonlStorageProvider;
import dev.parley.persistence.jsonl.JsonlTranscriptFileReader;
import org.jspecify.annotations.NullMarked;

/** Storage in append-only JSON Lines files, found by the application as a service. */
@NullMarked
module dev.parley.persistence.jsonl {
    requires com.fasterxml.jackson.databind;
    requires dev.parley.application;
    requires static org.jspecify;

    provides StorageProvider with
            JsonlStorageProvider;
    provides TranscriptFileReader with
            JsonlTranscriptFileReader;
}
