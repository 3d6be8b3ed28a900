package org.example.batchlog;

import dev.parley.application.codec.RecordCodec;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.scan.ScannedLanes;
import dev.parley.application.scan.ScannedQueue;
import dev.parley.application.scan.ScannedSearch;
import dev.parley.application.scan.ScannedSessions;
import dev.parley.application.scan.ScannedTranscripts;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.source.CursorName;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The state that the log's batches lead to, held in memory, and the log. One lock around both: a read sees whole batches. */
final class BatchLogStorage implements Storage, Ledger {
    private static final RecordCodec<Batch> BATCHES = RecordCodec.of(Batch.class);

    private final BatchLogSettings settings;
    private final LogFile log;
    private final State state = new State();
    private boolean closed;

    private BatchLogStorage(BatchLogSettings settings, LogFile log) {
        this.settings = settings;
        this.log = log;
    }

    static BatchLogStorage open(BatchLogSettings settings, Mode mode) {
        LogFile log = mode == Mode.READ_WRITE ? LogFile.write(settings) : LogFile.read(settings);
        BatchLogStorage storage = new BatchLogStorage(settings, log);
        try {
            log.forEachRecord(storage::replay);
            return storage;
        } catch (RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /** Returns the batch as the log will give it back, so that a store that is opened again is the same. */
    private Batch decoded(byte[] record) {
        try {
            return BATCHES.read(record);
        } catch (IOException e) {
            throw new IllegalStateException("A batch cannot be read back.", e);
        }
    }

    /** The preconditions held when the batch was committed, and its changes were taken: both need no second look. */
    private void replay(byte[] record) {
        try {
            state.stage(BATCHES.read(record));
            state.keep();
        } catch (IOException | InvalidRequest e) {
            throw new StorageCorrupt(
                    location() + " holds a batch that this version cannot read (" + e.getMessage()
                            + "); open it with the version that wrote it, or restore a copy.",
                    e);
        }
    }

    /** Whatever applying a batch throws is the answer for this batch, and for no other. */
    private void stage(Batch batch, byte[] record) {
        try {
            state.stage(decoded(record));
        } catch (RuntimeException | Error e) {
            throw Ledger.refusal(batch.id(), e);
        }
    }

    // docs: commit
    @Override
    public CommitResult commit(Batch batch) {
        synchronized (state) {
            checkOpen();
            if (state.hasApplied(batch.id())) {
                return new CommitResult.Committed();
            }
            Optional<Precondition> failed = batch.preconditions().stream()
                    .filter(precondition -> !precondition.holds(state))
                    .findFirst();
            if (failed.isPresent()) {
                return new CommitResult.Conflict(failed.get());
            }
            byte[] record = BATCHES.write(batch);
            try {
                stage(batch, record);
                log.append(record);
                state.keep();
            } finally {
                state.drop();
            }
            return new CommitResult.Committed();
        }
    }
    // docs: end

    private <T> T read(Function<? super State, T> look) {
        synchronized (state) {
            checkOpen();
            return look.apply(state);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new StorageUnavailable(location() + " is closed; open it again.", null);
        }
    }

    @Override
    public Ledger ledger() {
        return this;
    }

    // docs: reads
    @Override
    public Lanes lanes() {
        return new ScannedLanes(this::read);
    }

    @Override
    public TurnQueue queue() {
        return new ScannedQueue(this::read);
    }

    @Override
    public Sessions sessions() {
        return new ScannedSessions(this::read);
    }

    @Override
    public Transcripts transcripts() {
        return new ScannedTranscripts(this::read);
    }

    @Override
    public TranscriptSearch search() {
        return new ScannedSearch(this::read);
    }
    // docs: end

    @Override
    public Meta meta() {
        return new Meta() {
            @Override
            public Optional<String> get(String key) {
                return read(s -> s.meta.get(key));
            }

            @Override
            public Map<String, String> all() {
                return read(s -> new TreeMap<>(s.meta.byKey()));
            }

            @Override
            public Optional<String> cursor(CursorName name) {
                return read(s -> s.cursors.get(name));
            }

            @Override
            public Map<CursorName, String> cursors() {
                return read(s -> new TreeMap<>(s.cursors.byKey()));
            }
        };
    }

    @Override
    public StorageMaintenance maintenance() {
        return new Maintenance();
    }

    @Override
    public String location() {
        return "batchlog:" + settings.file();
    }

    @Override
    public void close() {
        synchronized (state) {
            closed = true;
            log.close();
        }
    }

    private final class Maintenance implements StorageMaintenance {
        @Override
        public Map<String, String> status() {
            return read(s -> {
                Map<String, String> status = new LinkedHashMap<>();
                status.put("format", LogFile.FORMAT.strip());
                status.put("bytes", Long.toString(log.size()));
                status.put("sessions", Integer.toString(s.sessions.size()));
                status.put("lanes", Integer.toString(s.lanes.size()));
                return status;
            });
        }

        @Override
        public List<String> check(BiConsumer<Long, Long> progress) {
            return read(s -> {
                List<String> damage = LogFile.damage(settings.file());
                progress.accept(1L, 1L);
                return damage;
            });
        }

        @Override
        public List<String> repair(BiConsumer<Long, Long> progress) {
            return read(s -> {
                progress.accept(1L, 1L);
                return List.of();
            });
        }

        /** A log that is only appended to has nothing to give back. */
        @Override
        public long compact() {
            return read(s -> 0L);
        }
    }
}
