package dev.parley.persistence.jsonl;

import dev.parley.application.port.Journal;
import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import dev.parley.persistence.jsonl.journal.JsonlJournal;
import dev.parley.persistence.jsonl.journal.JsonlKnowledgeLog;
import dev.parley.persistence.jsonl.state.OpenStore;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Opens directories of session files: {@code jsonl:DIRECTORY}. */
public final class JsonlStorageProvider implements StorageProvider {
    private static final String AGENT = "agent";

    /** Made by the service loader. */
    public JsonlStorageProvider() {}

    @Override
    public String scheme() {
        return "jsonl";
    }

    @Override
    public int changeVersion() {
        return Change.VERSION;
    }

    /** {@code agent}: the agent's name in the names of the files, {@code main} unless given. */
    @Override
    public Set<String> options() {
        return Set.of(AGENT);
    }

    @Override
    public Storage open(StorageSettings settings) {
        Path directory = directory(settings);
        OpenStore store = OpenStore.open(directory, settings, settings.options().getOrDefault(AGENT, "main"));
        return new JsonlStorage(scheme() + ":" + settings.address(), store);
    }

    @Override
    public Optional<Journal> openJournal(StorageSettings settings) {
        return Optional.of(new JsonlJournal(directory(settings)));
    }

    @Override
    public Optional<KnowledgeLog> openKnowledgeLog(StorageSettings settings) {
        return Optional.of(new JsonlKnowledgeLog(directory(settings), JsonlKnowledgeLog.MOST_BYTES));
    }

    @Override
    public long waitingBatches(StorageSettings settings) {
        return JsonlJournal.waiting(directory(settings));
    }

    private static Path directory(StorageSettings settings) {
        return settings.home().resolve(settings.address()).normalize();
    }
}
