package dev.parley.persistence.jsonl.state;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.scan.Digest;
import dev.parley.domain.change.Batch;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.jsonl.file.MetaLine;
import dev.parley.persistence.jsonl.file.SessionDirectory;
import dev.parley.persistence.jsonl.file.SessionFile;
import dev.parley.persistence.jsonl.file.SessionLine;
import dev.parley.persistence.jsonl.file.SessionNames;
import dev.parley.persistence.jsonl.journal.Reasons;
import dev.parley.persistence.jsonl.record.Json;
import dev.parley.persistence.jsonl.record.RecordFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What an open store holds: tables and sessions in memory, transcripts in their files. Changes come one at a time from the writer;
 * reads may come from anywhere, through {@link #read}.
 */
public final class Store {
    /** Newest start first, then greatest id. */
    public static final Comparator<Session> NEWEST_FIRST =
            Comparator.comparing(Session::startedAt).thenComparing(Session::id).reversed();

    private static final RecordFormat<Session> SESSION = RecordFormat.of(Session.class);
    /** A batch that appends to more files than this leaves them for later. */
    private static final int FILES_AT_ONCE = 64;
    /** So many bytes may wait for their files. */
    private static final long MOST_WAITING = 32L << 20;

    private final Path directory;
    private final boolean readOnly;
    private final String agent;
    private final Consumer<String> warnings;
    private final SessionDirectory files;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final TranscriptCache cache = new TranscriptCache();

    private final Tables tables = new Tables();
    private final Map<SessionId, StoredSession> sessions = new HashMap<>();
    private final Map<String, SessionId> titles = new HashMap<>();
    private final Map<SessionId, Set<SessionId>> children = new HashMap<>();
    private final Map<SessionKey, Set<SessionId>> lanes = new HashMap<>();
    private final Set<String> doomed = new HashSet<>();
    /** The sessions for whose files something waits, the longest waiting first. */
    private final Set<SessionId> waiting = new LinkedHashSet<>();

    private long waitingBytes;
    private Set<String> unsynced = new HashSet<>();
    private long nextSequence = 1;
    private volatile boolean closed;

    Store(Path directory, boolean readOnly, String agent, Consumer<String> warnings) {
        this.directory = directory;
        this.readOnly = readOnly;
        this.agent = agent;
        this.warnings = warnings;
        this.files = new SessionDirectory(directory);
    }

    // --- reading

    /**
     * Runs a read that sees no change half done. What it returns must not follow later changes.
     *
     * @throws StorageUnavailable where the store is closed
     */
    public <T> T read(Supplier<T> body) {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new StorageUnavailable("The store " + directory + " is closed.", null);
            }
            return body.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns the tables; only inside {@link #read} or by the writer. */
    public Tables tables() {
        return tables;
    }

    /** Returns the directory. */
    public Path directory() {
        return directory;
    }

    /** Returns whether nothing may be changed. */
    public boolean isReadOnly() {
        return readOnly;
    }

    /** Returns all sessions, in no order; only inside {@link #read} or by the writer. */
    public Collection<Session> sessions() {
        return sessions.values().stream().map(each -> each.session).toList();
    }

    /** Returns the session, or nothing. */
    public Optional<Session> session(SessionId id) {
        return stored(id).map(each -> each.session);
    }

    Optional<StoredSession> stored(SessionId id) {
        return Optional.ofNullable(sessions.get(id));
    }

    Collection<StoredSession> allStored() {
        return sessions.values();
    }

    /** Returns what a list shows of a session; the empty digest for an unknown one. */
    public Digest digest(SessionId id) {
        return stored(id).map(each -> each.digest).orElse(Digest.EMPTY);
    }

    /** Returns how many bytes the file of a session has; 0 for an unknown one. */
    public long bytes(SessionId id) {
        return stored(id).map(each -> each.length + each.pending.size()).orElse(0L);
    }

    /** Returns the session with this title, or nothing. */
    public Optional<SessionId> titled(String title) {
        return Optional.ofNullable(titles.get(title));
    }

    /** Returns the sessions whose parent this is, in no order. */
    public List<Session> childrenOf(SessionId id) {
        return all(children.getOrDefault(id, Set.of()));
    }

    /** Returns the sessions that were begun on a lane, in no order. */
    public List<Session> ofLane(SessionKey key) {
        return all(lanes.getOrDefault(key, Set.of()));
    }

    private List<Session> all(Collection<SessionId> ids) {
        List<Session> found = new ArrayList<>(ids.size());
        ids.forEach(id -> session(id).ifPresent(found::add));
        return found;
    }

    /** Returns all messages of a session, in order, and caches them; empty for an unknown one. */
    public List<StoredMessage> messages(SessionId id) {
        return stored(id).map(each -> List.copyOf(transcript(each).rows())).orElse(List.of());
    }

    /** Returns the active messages of a session, in order, and caches them; empty for an unknown one. */
    public List<StoredMessage> conversation(SessionId id) {
        return stored(id).map(each -> transcript(each).active()).orElse(List.of());
    }

    /** Returns all messages of a session, in order, without caching what was not cached. */
    public List<StoredMessage> passingMessages(SessionId id) {
        return stored(id)
                .map(each -> cache.find(id).orElseGet(() -> load(each)))
                .map(transcript -> List.copyOf(transcript.rows()))
                .orElse(List.of());
    }

    Transcript transcript(StoredSession stored) {
        return cache.find(stored.id()).orElseGet(() -> {
            Transcript loaded = load(stored);
            stored.has(IdHashes.of(loaded.rows()));
            cache.put(stored.id(), loaded);
            return loaded;
        });
    }

    /** Returns a message of a session, or nothing; reads the transcript only where the session may have it. */
    Optional<StoredMessage> message(StoredSession stored, MessageId id) {
        return stored.mayHave(id) ? transcript(stored).find(id) : Optional.empty();
    }

    private Transcript load(StoredSession stored) {
        if (stored.leaving) {
            return new Transcript();
        }
        TranscriptReading reading = new TranscriptReading(stored.id(), stored.session.startedAt(), stored.foreign);
        try (InputStream in = open(stored)) {
            SessionFile.forEachLine(in, reading);
            return reading.transcript();
        } catch (NoSuchFileException e) {
            throw new StorageCorrupt(
                    "The file " + directory.resolve(stored.file) + " of session " + stored.id()
                            + " is gone. Put it back from a backup, or delete the session.",
                    e);
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The file " + directory.resolve(stored.file) + " cannot be read: " + Reasons.of(e)
                            + ". Check the disk and the file's permissions.",
                    e);
        }
    }

    private InputStream open(StoredSession stored) throws IOException {
        InputStream waiting = new ByteArrayInputStream(stored.pending.toByteArray());
        if (stored.length == 0 && stored.pending.size() > 0) {
            return waiting;
        }
        FileChannel channel = FileChannel.open(directory.resolve(stored.file), StandardOpenOption.READ);
        InputStream written = new Bounded(Channels.newInputStream(channel), stored.length);
        return stored.pending.size() == 0
                ? written
                : new SequenceInputStream(Collections.enumeration(
                        List.of(written, new ByteArrayInputStream(new byte[] {'\n'}), waiting)));
    }

    /** Refuses every later read. */
    void close() {
        closed = true;
    }

    // --- writing; all by one thread at a time

    SessionDirectory files() {
        return files;
    }

    Consumer<String> warnings() {
        return warnings;
    }

    long nextSequence() {
        return nextSequence;
    }

    void nextSequence(long next) {
        nextSequence = next;
    }

    ReentrantReadWriteLock.WriteLock writeLock() {
        return lock.writeLock();
    }

    Set<String> doomed() {
        return doomed;
    }

    boolean isFlushed() {
        return waiting.isEmpty();
    }

    /** Returns how many files were written to since the last checkpoint. */
    int unsyncedCount() {
        return unsynced.size();
    }

    /** Hands over the names of the files that were written to since the last call. */
    Set<String> takeUnsynced() {
        Set<String> taken = unsynced;
        unsynced = new HashSet<>();
        return taken;
    }

    /** Says that files were not synced after all. */
    void unsyncedAgain(Set<String> files) {
        lock.writeLock().lock();
        try {
            unsynced.addAll(files);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Says that files were removed. */
    void forgetDoomed(Set<String> files) {
        lock.writeLock().lock();
        try {
            doomed.removeAll(files);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Returns the names of the files of a session's agent and peer. */
    SessionNames namesOf(Session session) {
        return SessionNames.of(agent, senderOf(session));
    }

    private static String senderOf(Session session) {
        String user = session.peer()
                .flatMap(SessionPeer::origin)
                .map(origin -> origin.userId().orElse(origin.chatId()))
                .or(session::userId)
                .filter(text -> !text.isEmpty())
                .map(text -> ":" + text)
                .orElse("");
        return session.source() + user;
    }

    /** Takes a session in as it is, with what is known of its transcript. */
    void install(StoredSession stored) {
        drop(stored.id());
        sessions.put(stored.id(), stored);
        link(stored.session);
    }

    private void drop(SessionId id) {
        StoredSession before = sessions.remove(id);
        if (before != null) {
            unlink(before.session);
            cache.remove(id);
            waitsNoMore(before);
        }
    }

    private void update(StoredSession stored, Session next) {
        unlink(stored.session);
        stored.session = next;
        link(next);
    }

    private void link(Session session) {
        session.title().ifPresent(title -> titles.put(title, session.id()));
        session.parent()
                .ifPresent(parent ->
                        children.computeIfAbsent(parent, id -> new HashSet<>(2)).add(session.id()));
        session.peer()
                .ifPresent(peer -> lanes.computeIfAbsent(peer.key(), key -> new HashSet<>(2))
                        .add(session.id()));
    }

    private void unlink(Session session) {
        session.title().ifPresent(title -> titles.remove(title, session.id()));
        session.parent().ifPresent(parent -> remove(children, parent, session.id()));
        session.peer().ifPresent(peer -> remove(lanes, peer.key(), session.id()));
    }

    private static <K> void remove(Map<K, Set<SessionId>> index, K key, SessionId id) {
        Set<SessionId> ids = index.get(key);
        if (ids != null && ids.remove(id) && ids.isEmpty()) {
            index.remove(key);
        }
    }

    /**
     * Applies the batch of an entry of the journal.
     *
     * @param skipped the sessions for which it is done already
     * @param leaving the sessions that the journal deletes later
     */
    void apply(JournalEntry entry, Set<SessionId> skipped, Set<SessionId> leaving) {
        if (entry.batch().isEmpty()) {
            return;
        }
        Batch batch = entry.batch().get();
        Effects effects = new Effects(entry, skipped, leaving);
        batch.changes().forEach(change -> change.accept(effects));
        entry.used().forEach(tables::add);
        tables.putWriter(batch.id().writer(), batch.id().sequence());
        effects.appended.forEach(id -> stored(id).ifPresent(this::waits));
        writeBehind(effects.appended);
    }

    private void waits(StoredSession stored) {
        waiting.add(stored.id());
        waitingBytes += stored.pending.size() - stored.waiting;
        stored.waiting = stored.pending.size();
    }

    private void waitsNoMore(StoredSession stored) {
        waiting.remove(stored.id());
        waitingBytes -= stored.waiting;
        stored.waiting = 0;
    }

    /**
     * Writes what waits for the files of some sessions, and a share of what waits for others. A batch for many files leaves them for
     * later, so that what several such batches append to a file is written to it at once.
     */
    private void writeBehind(Set<SessionId> appended) {
        if (waitingBytes > MOST_WAITING) {
            flushAll();
        } else if (appended.size() <= FILES_AT_ONCE) {
            appended.forEach(id -> stored(id).ifPresent(this::flush));
            List<SessionId> longest = waiting.stream().limit(FILES_AT_ONCE).toList();
            longest.forEach(id -> stored(id).ifPresent(this::flush));
        }
    }

    /** Writes everything that waits for files. */
    void flushAll() {
        for (SessionId id : List.copyOf(waiting)) {
            stored(id).ifPresent(this::flush);
        }
    }

    /** Writes what waits for a session's file; keeps it where that fails. */
    void flush(StoredSession stored) {
        if (readOnly) {
            return;
        }
        try {
            if (stored.pending.size() > 0 && !stored.leaving) {
                stored.length = append(stored, stored.pending.toByteArray());
                unsynced.add(stored.file);
            }
            stored.pending = new ByteArrayOutputStream(0);
            stored.refused = false;
            waitsNoMore(stored);
        } catch (IOException e) {
            waits(stored);
            if (!stored.refused) {
                stored.refused = true;
                warnings.accept("The file " + directory.resolve(stored.file) + " cannot be written: " + Reasons.of(e)
                        + ". Nothing is lost: the journal has it. Check the disk's space and permissions.");
            }
        }
    }

    /** Removes the files of deleted sessions; those that cannot be removed are left to the next checkpoint. */
    void removeDoomed() {
        if (!doomed.isEmpty()) {
            doomed.removeIf(this::isRemoved);
        }
    }

    private boolean isRemoved(String file) {
        try {
            Files.deleteIfExists(directory.resolve(file));
            return true;
        } catch (IOException e) {
            warnings.accept("The file " + directory.resolve(file) + " of a deleted session cannot be removed: "
                    + Reasons.of(e) + ". It is tried again; check the file's permissions.");
            return false;
        }
    }

    private long append(StoredSession stored, byte[] bytes) throws IOException {
        try (FileChannel channel =
                FileChannel.open(directory.resolve(stored.file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() > stored.length) {
                channel.truncate(stored.length);
            }
            ByteBuffer all = ByteBuffer.wrap(bytes);
            if (!stored.endChecked && stored.length > 0 && !endsWithLineFeed(channel, stored.length)) {
                all = ByteBuffer.allocate(bytes.length + 1);
                all.put((byte) '\n').put(bytes).flip();
            }
            long at = stored.length;
            while (all.hasRemaining()) {
                at += channel.write(all, at);
            }
            stored.endChecked = true;
            return at;
        }
    }

    private static boolean endsWithLineFeed(FileChannel channel, long length) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        return channel.read(last, length - 1) == 1 && last.get(0) == '\n';
    }

    /** Returns the first line of a session's file as it should stand now. */
    MetaLine metaOf(StoredSession stored) {
        Session session = stored.session;
        try {
            return MetaLine.of(
                            agent,
                            senderOf(session),
                            session.startedAt(),
                            session.title().orElse(""),
                            0)
                    .with(
                            session.title().orElse(""),
                            stored.uptimeNanos / 1_000_000_000L,
                            Json.TREE.readTree(SESSION.toBytes(session)));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Applies changes to memory, and collects the lines that go to the files. */
    private final class Effects extends SessionEffects {
        private final Map<SessionId, String> created = new HashMap<>();
        private final Set<SessionId> skipped;
        private final Set<SessionId> leaving;
        private final Set<SessionId> appended = new LinkedHashSet<>();

        Effects(JournalEntry entry, Set<SessionId> skipped, Set<SessionId> leaving) {
            super(tables, Set.copyOf(entry.known()));
            entry.touched().forEach(each -> created.put(each.session(), each.file()));
            this.skipped = skipped;
            this.leaving = leaving;
        }

        @Override
        Optional<StoredSession> find(SessionId id) {
            return skipped.contains(id) ? Optional.empty() : stored(id);
        }

        @Override
        boolean mayCreate(SessionId id) {
            return !skipped.contains(id) && !sessions.containsKey(id);
        }

        @Override
        void create(Session session) {
            String file = created.get(session.id());
            if (file == null) {
                throw new IllegalStateException("No file was made for session " + session.id() + ".");
            }
            doomed.remove(file);
            StoredSession stored = new StoredSession(session, file);
            stored.endChecked = true;
            stored.leaving = leaving.contains(session.id());
            stored.has(new IdHashes());
            install(stored);
            cache.put(session.id(), new Transcript());
            out(stored).writeBytes(metaOf(stored).toBytes());
        }

        @Override
        void change(StoredSession stored, Session next) {
            update(stored, next);
        }

        @Override
        void delete(StoredSession stored) {
            SessionId id = stored.id();
            for (Session child : childrenOf(id)) {
                stored(child.id())
                        .ifPresent(each -> update(
                                each, each.session.toBuilder().parent(null).build()));
            }
            doomed.add(stored.file);
            unsynced.remove(stored.file);
            drop(id);
            appended.remove(id);
        }

        @Override
        long takeSequence(long wanted) {
            long taken = Math.max(nextSequence, wanted);
            nextSequence = taken + 1;
            return taken;
        }

        @Override
        Transcript transcriptOf(StoredSession stored) {
            return transcript(stored);
        }

        @Override
        void add(StoredSession stored, StoredMessage row) {
            cache.add(stored.id(), row);
            stored.added(row.message().id());
        }

        @Override
        ByteArrayOutputStream out(StoredSession stored) {
            appended.add(stored.id());
            return stored.pending;
        }

        @Override
        void write(StoredSession stored, SessionLine.Hidden hidden) {
            out(stored).writeBytes(SessionLine.of(hidden));
        }
    }
}
