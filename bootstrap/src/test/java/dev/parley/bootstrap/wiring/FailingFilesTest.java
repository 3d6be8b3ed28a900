package dev.parley.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.application.degrade.DegradingStorage;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.StorageConfiguration;
import dev.parley.contracts.storage.FailingMedium;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.home.HomeDirectory;
import dev.parley.testing.RecordingEvents;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the configured storage does when its real files fail under it: the database file is deleted, moved, replaced, truncated,
 * overwritten or cannot be changed, and its disk is full (commit rules 9 and 10).
 */
class FailingFilesTest {
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final Instant START = Instant.parse("2026-03-10T08:00:00Z");
    private static final SessionSource SOURCE =
            SessionSource.builder(Platform.TELEGRAM, "1").chatType(ChatType.DM).build();
    private static final SessionKey KEY = SessionKey.of("agent:main:telegram:dm:1");
    private static final SessionId SESSION = SessionId.of("s1");
    private static final PlatformMessage NAME = new PlatformMessage(Platform.TELEGRAM, "1", "42");

    @TempDir
    Path directory;

    private final VirtualClock clock = new VirtualClock(START);
    private final SerialExecutor executor = new SerialExecutor();
    private final RecordingEvents events = new RecordingEvents();
    private VirtualTimers timers = new VirtualTimers(clock, executor);
    private Path home = Path.of("");
    private String spill = "jsonl:spill";
    private int opened;
    private int said;
    private Optional<DegradingStorage> running = Optional.empty();
    private Optional<FailingMedium> medium = Optional.empty();

    @BeforeEach
    void aHome() throws IOException {
        home = Files.createDirectory(directory.resolve("home"));
    }

    @AfterEach
    void letGo() {
        running.ifPresent(DegradingStorage::close);
        medium.ifPresent(FailingMedium::close);
    }

    private Path database() {
        return home.resolve("state.db");
    }

    private DegradingStorage storage() {
        DegradingStorage open = running.orElseGet(this::open);
        running = Optional.of(open);
        return open;
    }

    private DegradingStorage open() {
        Storages storages = new Storages(
                Providers.find(directory.resolve("no-plugins")),
                new HomeDirectory(home),
                clock,
                ZoneOffset.UTC,
                new SeededIds(++opened),
                task -> {
                    Thread thread = new Thread(task, "storage");
                    thread.setDaemon(true);
                    return thread;
                },
                line -> {});
        StorageConfiguration configuration =
                new StorageConfiguration("sqlite:state.db", Optional.of(spill), Duration.ZERO, Map.of());
        return DegradingStorage.open(
                storages.primary(configuration, UnaryOperator.identity()),
                storages.fallback(configuration).orElseThrow(),
                timers,
                executor,
                new SeededIds(100 + opened),
                clock,
                events,
                PROBE);
    }

    private void restart() {
        running.ifPresent(DegradingStorage::close);
        running = Optional.empty();
        timers.discard();
        executor.discard();
        timers = new VirtualTimers(clock, executor);
        storage();
    }

    private CommitResult commit(Precondition condition, Change... changes) {
        said++;
        return storage()
                .ledger()
                .commit(new Batch(new BatchId("test-" + said, 1), List.of(condition), List.of(changes)));
    }

    private void begin() {
        Lane lane = new Lane(SessionEntry.begin(KEY, SESSION, SOURCE, START, Beginning.ordinary()), 3);
        assertThat(commit(
                        new Precondition.LaneEpoch(KEY, Lane.ABSENT),
                        new Change.CreateSession(Session.builder(SESSION, "telegram", START)
                                .peer(new SessionPeer(KEY, Optional.of(SOURCE)))
                                .build()),
                        new Change.PutLane(lane)))
                .isEqualTo(new CommitResult.Committed());
        assertThat(say("hello")).isEqualTo(new CommitResult.Committed());
        storage().transcripts().load(SESSION);
    }

    private CommitResult say(String text) {
        return commit(
                new Precondition.LaneEpoch(KEY, 3),
                new Change.AppendMessages(
                        SESSION,
                        List.of(Message.builder(
                                        new MessageId("m" + said + "-" + opened), Role.USER, Content.text(text), START)
                                .build())));
    }

    private CommitResult receive() {
        return commit(
                new Precondition.NotReceived(NAME),
                new Change.PutInbound(new Inbound(
                        new InboundId("in"),
                        KEY,
                        1,
                        Inbound.Kind.MESSAGE,
                        SOURCE,
                        "hi",
                        List.of(),
                        clock.instant(),
                        Optional.of(NAME),
                        Inbound.State.ADMITTED,
                        Optional.empty())));
    }

    private List<String> transcript() {
        return storage().transcripts().load(SESSION).stream()
                .map(m -> m.message().content().plainText())
                .toList();
    }

    private void probe(int times) {
        timers.advance(PROBE.multipliedBy(2L * times));
    }

    private void assertDegraded() {
        assertThat(storage().maintenance().health().degraded()).isPresent();
    }

    private void assertHealedWith(String... texts) {
        probe(1);
        assertThat(storage().maintenance().health().degraded()).isEmpty();
        assertThat(transcript()).containsExactly(texts);
        restart();
        assertThat(storage().maintenance().health().degraded()).isEmpty();
        assertThat(transcript()).containsExactly(texts);
        assertThat(storage().maintenance().check((done, total) -> {})).isEmpty();
        assertThat(storage().lanes().find(KEY)).map(Lane::epoch).contains(3L);
    }

    private List<Path> moveDatabase(Path to) throws IOException {
        List<Path> moved = new ArrayList<>();
        Files.createDirectories(to);
        for (String name : List.of("state.db", "state.db-wal", "state.db-shm")) {
            if (Files.exists(home.resolve(name))) {
                Files.move(home.resolve(name), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                moved.add(to.resolve(name));
            }
        }
        return moved;
    }

    private void putBack(Path from) throws IOException {
        for (String name : List.of("state.db", "state.db-wal", "state.db-shm")) {
            Files.deleteIfExists(home.resolve(name));
            if (Files.exists(from.resolve(name))) {
                Files.move(from.resolve(name), home.resolve(name));
            }
        }
    }

    /** A copy of the database as a clean stop leaves it. */
    private Path backup() throws IOException {
        restart();
        running.ifPresent(DegradingStorage::close);
        running = Optional.empty();
        Path copy = Files.createDirectories(directory.resolve("backup"));
        Files.copy(database(), copy.resolve("state.db"));
        restart();
        return copy;
    }

    // ------------------------------------------------------------------ the file is gone or another one

    @Test
    @DisplayName(
            "a database file that is moved away under the gateway is not written to, not made anew, and merged into once back")
    void aDatabaseThatIsGoneIsNotMadeAnew() throws IOException {
        begin();
        moveDatabase(directory.resolve("elsewhere"));

        assertThat(say("while it is gone")).isEqualTo(new CommitResult.Committed());
        assertDegraded();
        probe(3);
        assertDegraded();
        assertThat(database()).doesNotExist();
        assertThat(transcript()).containsExactly("hello", "while it is gone");

        putBack(directory.resolve("elsewhere"));
        assertHealedWith("hello", "while it is gone");
    }

    @Test
    @DisplayName("another database in its place is not merged into, nor changed, also not by the next start")
    void anotherDatabaseInItsPlaceIsLeftAlone() throws IOException {
        begin();
        moveDatabase(directory.resolve("elsewhere"));
        otherDatabase();
        byte[] other = Files.readAllBytes(database());

        assertThat(say("while it is another")).isEqualTo(new CommitResult.Committed());
        probe(3);
        assertDegraded();
        assertThat(Files.readAllBytes(database())).isEqualTo(other);

        putBack(directory.resolve("elsewhere"));
        assertHealedWith("hello", "while it is another");
    }

    private void otherDatabase() throws IOException {
        Path own = home;
        Optional<DegradingStorage> kept = running;
        home = Files.createDirectory(directory.resolve("other-home"));
        running = Optional.empty();
        begin();
        storage().close();
        Path made = database();
        home = own;
        running = kept;
        Files.move(made, database());
    }

    @Test
    @DisplayName("an empty file in its place is not taken for a new database")
    void anEmptyFileInItsPlaceIsLeftEmpty() throws IOException {
        begin();
        moveDatabase(directory.resolve("elsewhere"));
        Files.createFile(database());

        assertThat(say("while it is empty")).isEqualTo(new CommitResult.Committed());
        probe(3);
        assertDegraded();
        assertThat(database()).hasSize(0);

        putBack(directory.resolve("elsewhere"));
        assertHealedWith("hello", "while it is empty");
    }

    @Test
    @DisplayName(
            "a database that cannot be read at the start: the lanes stand where they stood, and a redelivered message is known")
    void aStartOnAnUnreadableDatabaseKnowsItsLanes() throws IOException {
        begin();
        receive();
        running.ifPresent(DegradingStorage::close);
        moveDatabase(directory.resolve("elsewhere"));
        Files.writeString(database(), "this is no database");

        restart();
        assertDegraded();
        assertThat(storage().lanes().find(KEY)).hasValueSatisfying(lane -> {
            assertThat(lane.entry().sessionId()).isEqualTo(SESSION);
            assertThat(lane.epoch()).isEqualTo(3);
        });
        assertThat(storage().transcripts().isWhole(SESSION)).isFalse();
        assertThat(receive()).isInstanceOf(CommitResult.Conflict.class);
        assertThat(say("meanwhile")).isEqualTo(new CommitResult.Committed());
        assertThat(database()).hasContent("this is no database");

        putBack(directory.resolve("elsewhere"));
        probe(4);
        assertHealedWith("hello", "meanwhile");
    }

    @Test
    @DisplayName("the same where only the mirror sessions.json is there to tell")
    void theMirrorAloneTellsTheLanes() throws IOException {
        begin();
        running.ifPresent(DegradingStorage::close);
        Files.delete(home.resolve("spill").resolve("recollection.jsonl"));
        Files.writeString(database(), "this is no database");

        restart();
        assertThat(storage().lanes().find(KEY)).hasValueSatisfying(lane -> {
            assertThat(lane.entry().sessionId()).isEqualTo(SESSION);
            assertThat(lane.epoch()).isEqualTo(3);
        });
    }

    // ------------------------------------------------------------------ the file is damaged

    @Test
    @DisplayName("a database truncated under the gateway degrades, and is merged into once a copy is put in its place")
    void aTruncatedDatabase() throws IOException {
        begin();
        say("padding " + "x".repeat(200_000));
        Path copy = backup();
        try (RandomAccessFile file = new RandomAccessFile(database().toFile(), "rw")) {
            file.setLength(file.length() / 2);
        }
        readEverything();

        assertThat(say("after the cut")).isEqualTo(new CommitResult.Committed());
        assertDegraded();
        probe(40);
        assertDegraded();

        putBack(copy);
        probe(100);
        assertThat(storage().maintenance().health().degraded()).isEmpty();
        assertThat(transcript()).startsWith("hello").endsWith("after the cut").hasSize(3);
        assertThat(storage().maintenance().check((done, total) -> {})).isEmpty();
    }

    @Test
    @DisplayName(
            "pages overwritten under the gateway degrade, and nothing is merged into the file while its check fails")
    void overwrittenPages() throws IOException {
        begin();
        say("padding " + "x".repeat(200_000));
        Path copy = backup();
        byte[] whole = Files.readAllBytes(database());
        try (RandomAccessFile file = new RandomAccessFile(database().toFile(), "rw")) {
            file.seek(4096);
            file.write(new byte[whole.length - 4096]);
        }
        readEverything();

        assertThat(say("after the damage")).isEqualTo(new CommitResult.Committed());
        assertDegraded();
        assertThat(storage().maintenance().health().degraded())
                .map(Health.Degraded::damaged)
                .contains(true);
        probe(40);
        assertDegraded();

        putBack(copy);
        probe(100);
        assertThat(storage().maintenance().health().degraded()).isEmpty();
        assertThat(transcript())
                .startsWith("hello")
                .endsWith("after the damage")
                .hasSize(3);
    }

    /** What SQLite has in its memory it does not look at again; other readers do. */
    private void readEverything() {
        try {
            storage().sessions().statistics();
            storage().transcripts().forEach(m -> {});
        } catch (StorageUnavailable degraded) {
            assertDegraded();
        }
    }

    private static List<Path> overlaysIn(Path temporary) throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(path -> path.getFileName().toString().startsWith("parley-overlay-"))
                    .toList();
        }
    }

    private List<Path> overlays() throws IOException {
        return overlaysIn(Path.of(System.getProperty("java.io.tmpdir")));
    }

    @Test
    @DisplayName(
            "On a nearly full disk the overlay is in the temporary directory, its owner's only, and goes when it is not needed")
    void anOverlayInTheTemporaryDirectoryIsPrivateAndGoes() throws IOException {
        FailingMedium disk = ownDisk();
        assumeTrue(disk.canFill(), "this user may mount a small disk");
        begin();
        List<Path> before = overlays();
        disk.fill();
        assertThat(say("one more")).isEqualTo(new CommitResult.Committed());

        List<Path> made = new ArrayList<>(overlays());
        made.removeAll(before);
        assertThat(made).hasSize(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.get(0))))
                .isEqualTo("rwx------");
        disk.free();
        assertHealedWith("hello", "one more");
        assertThat(made.get(0)).doesNotExist();
    }

    @Test
    @DisplayName("An overlay in the temporary directory that a killed process left is deleted by the next start")
    void anOverlayOfAKilledProcessIsDeleted() throws IOException {
        Path left = Files.createTempDirectory("parley-overlay-");
        Files.writeString(left.resolve("home"), home.toString());
        Path ofAnother = Files.createTempDirectory("parley-overlay-");
        Files.writeString(ofAnother.resolve("home"), home + "-other");
        begin();

        assertThat(left).doesNotExist();
        assertThat(ofAnother).exists();
        Files.delete(ofAnother.resolve("home"));
        Files.delete(ofAnother);
    }

    @Test
    @DisplayName("A home on a completely full disk is opened, refuses what comes, and takes it once there is room")
    void aFullDiskDoesNotPreventAStart() throws IOException {
        FailingMedium disk = ownDisk();
        assumeTrue(disk.canFill(), "this user may mount a small disk");
        begin();
        disk.fill();
        String large = "z".repeat(3_000_000);
        assertThatThrownBy(() -> say(large)).isInstanceOf(StorageUnavailable.class);
        assertThat(storage().maintenance().health().degraded().orElseThrow().refusing())
                .isPresent();
        running.ifPresent(DegradingStorage::close);
        running = Optional.empty();
        disk.fill();

        restart();
        assertThatThrownBy(() -> say(large)).isInstanceOf(StorageUnavailable.class);

        disk.free();
        probe(2);
        assertThat(storage().maintenance().health().degraded()).isEmpty();
        assertThat(say("taken")).isEqualTo(new CommitResult.Committed());
        assertThat(transcript()).containsExactly("hello", "taken");
    }

    // ------------------------------------------------------------------ the medium refuses

    private FailingMedium ownDisk() {
        FailingMedium disk = FailingMedium.under(home, 16);
        medium = Optional.of(disk);
        return disk;
    }

    @Test
    @DisplayName(
            "with the spill on another disk a full one stops nothing, and what was said is merged once there is room")
    void aFullDiskWithTheSpillOnAnother() {
        FailingMedium disk = ownDisk();
        assumeTrue(disk.canFill(), "this user may mount a small disk");
        spill = "jsonl:" + directory.resolve("spill-elsewhere");
        begin();
        disk.fill();
        String large = "y".repeat(300_000);

        assertThat(say(large)).isEqualTo(new CommitResult.Committed());
        assertThat(say("on")).isEqualTo(new CommitResult.Committed());
        assertDegraded();
        assertThat(transcript()).containsExactly("hello", large, "on");
        probe(2);
        assertDegraded();

        disk.free();
        assertHealedWith("hello", large, "on");
    }

    @Test
    @DisplayName("where the spill is on the full disk too, what fits into the space it has put by is still kept")
    void aFullDiskLeavesTheSpaceThatWasPutBy() {
        FailingMedium disk = ownDisk();
        assumeTrue(disk.canFill(), "this user may mount a small disk");
        begin();
        disk.fill();

        assertThat(say("one more")).isEqualTo(new CommitResult.Committed());
        assertThat(say("and another")).isEqualTo(new CommitResult.Committed());
        assertDegraded();
        assertThat(transcript()).containsExactly("hello", "one more", "and another");

        disk.free();
        assertHealedWith("hello", "one more", "and another");
    }

    @Test
    @DisplayName(
            "where the spill's disk is the one that is full nothing is acknowledged, and nothing of it is seen later")
    void aFullDiskThatTheSpillIsOnToo() {
        FailingMedium disk = ownDisk();
        assumeTrue(disk.canFill(), "this user may mount a small disk");
        begin();
        disk.fill();
        String large = "z".repeat(3_000_000);

        assertThatThrownBy(() -> say(large)).isInstanceOf(StorageUnavailable.class);
        assertThatThrownBy(() -> say(large)).isInstanceOf(StorageUnavailable.class);

        disk.free();
        assertThat(say("room again")).isEqualTo(new CommitResult.Committed());
        assertHealedWith("hello", "room again");
    }

    @Test
    @DisplayName("files that cannot be changed any more degrade, also where they are open already")
    void readOnlyFiles() {
        FailingMedium disk = ownDisk();
        assumeTrue(disk.canFreeze(), "this system and user can make open files unchangeable");
        spill = "jsonl:" + directory.resolve("spill-elsewhere");
        begin();
        disk.freeze();

        assertThat(say("meanwhile")).isEqualTo(new CommitResult.Committed());
        assertDegraded();
        probe(2);
        assertDegraded();

        disk.thaw();
        assertHealedWith("hello", "meanwhile");
    }

    @Test
    @DisplayName("a start on files that cannot be changed is degraded, with all lanes known")
    void aStartOnReadOnlyFiles() {
        FailingMedium disk = ownDisk();
        assumeTrue(disk.canFreeze(), "this system and user can make files unchangeable");
        spill = "jsonl:" + directory.resolve("spill-elsewhere");
        begin();
        running.ifPresent(DegradingStorage::close);
        disk.freeze();

        restart();
        assertThat(say("meanwhile")).isEqualTo(new CommitResult.Committed());
        assertDegraded();

        disk.thaw();
        assertHealedWith("hello", "meanwhile");
    }

    @Test
    void aSecondOpeningReadsWhatWasHealed() throws IOException {
        begin();
        moveDatabase(directory.resolve("elsewhere"));
        say("meanwhile");
        putBack(directory.resolve("elsewhere"));
        probe(1);

        assertThat(storage().maintenance().health().degraded()).isEmpty();
        Storages storages = new Storages(
                Providers.find(directory.resolve("no-plugins")),
                new HomeDirectory(home),
                clock,
                ZoneOffset.UTC,
                new SeededIds(99),
                Thread::new,
                line -> {});
        try (Storage other = storages.open("sqlite:state.db", Mode.READ_ONLY, Map.of())) {
            assertThat(other.transcripts().count(SESSION)).isEqualTo(2);
        }
    }
}
