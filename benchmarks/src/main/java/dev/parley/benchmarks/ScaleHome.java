package dev.parley.benchmarks;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Homes of gateways that have run for long: ten messages to a lane on average, each lane with its current session, and beside them a
 * fifth as many sessions that ended before. Every hundredth session is long. Homes are made once and kept in the folder of {@link
 * MessageFiles}; the same numbers give the same rows.
 */
final class ScaleHome {
    private static final int FORM = 1;
    private static final int PER_LANE = 10;
    private static final int ENDED_EVERY = 6;
    private static final int LONG_EVERY = 100;
    private static final int SHORT = 3;
    private static final int TOGETHER = 2_000;

    private final int messages;
    private final int sessions;
    private final List<Change> pending = new ArrayList<>();

    private ScaleHome(int messages) {
        this.messages = messages;
        this.sessions = lanes(messages) + lanes(messages) / (ENDED_EVERY - 1);
    }

    /** Makes homes of these numbers of messages, where they are not there yet. */
    public static void main(String[] numbers) throws IOException {
        for (String number : numbers) {
            System.out.println(of(Integer.parseInt(number)));
        }
    }

    /** Returns how many lanes a home with so many messages has. */
    static int lanes(int messages) {
        return messages / PER_LANE;
    }

    /** Returns the home with so many messages; not to be changed. */
    static Path of(int messages) throws IOException {
        Path folder = Path.of(System.getProperty(MessageFiles.FOLDER, "benchmarks/target/data"));
        Path made = folder.resolve("home-" + messages + "-" + FORM);
        if (Files.exists(made)) {
            return made;
        }
        Files.createDirectories(folder);
        Path making = Files.createTempDirectory(folder, "making-");
        System.err.println("Making a home with " + messages + " messages in " + made + " ...");
        try (Storage storage = Stores.sqlite(making.resolve("state.db"), StorageSettings.Mode.READ_WRITE)) {
            new ScaleHome(messages).fill(storage);
        }
        Files.move(making, made, StandardCopyOption.ATOMIC_MOVE);
        return made;
    }

    /** Returns the id of a session. */
    static SessionId session(int number) {
        return SessionId.of(String.format(Locale.ROOT, "s%07d", number));
    }

    private void fill(Storage storage) {
        int written = 0;
        for (int number = 0; number < sessions; number++) {
            int wanted = Math.min(messages - written, count(number));
            begin(number, written);
            say(storage, number, written, number == sessions - 1 ? messages - written : wanted);
            written += wanted;
            if (isEnded(number)) {
                pending.add(new Change.EditSession(
                        session(number), new SessionEdit.End(Ending.of(at(written), "session_reset"))));
            }
            if (pending.size() >= TOGETHER) {
                store(storage);
            }
        }
        store(storage);
    }

    private static boolean isEnded(int number) {
        return number % ENDED_EVERY == ENDED_EVERY - 1;
    }

    private int count(int number) {
        double average = (double) messages / sessions;
        return number % LONG_EVERY == 0 ? (int) Math.round((average - SHORT) * LONG_EVERY) + SHORT : SHORT;
    }

    private void begin(int number, int written) {
        SessionSource source = SessionSource.builder(Platform.TELEGRAM, "c" + number)
                .userId("u" + number)
                .build();
        SessionKey key = SessionKey.of(String.format(Locale.ROOT, "agent:main:telegram:dm:c%07d", number));
        String from = number % 1_000 == 0 ? "rare" : "telegram";
        pending.add(new Change.CreateSession(Session.builder(session(number), from, at(written))
                .model("m")
                .peer(new SessionPeer(key, Optional.of(source)))
                .build()));
        if (!isEnded(number)) {
            pending.add(new Change.PutLane(
                    new Lane(SessionEntry.begin(key, session(number), source, at(written), Beginning.ordinary()), 1)));
        }
    }

    private void say(Storage storage, int number, int from, int count) {
        List<Message> said = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            said.add(Message.builder(
                            new MessageId("m" + i),
                            (i - from) % 2 == 0 ? Role.USER : Role.ASSISTANT,
                            Content.text(ChatTexts.of(i)),
                            at(i))
                    .build());
            if (said.size() == TOGETHER) {
                pending.add(new Change.AppendMessages(session(number), List.copyOf(said)));
                said.clear();
                store(storage);
            }
        }
        if (!said.isEmpty()) {
            pending.add(new Change.AppendMessages(session(number), List.copyOf(said)));
        }
    }

    private static Instant at(int number) {
        return ChatFiles.START.plusMillis(number);
    }

    private void store(Storage storage) {
        SqliteFiles.commit(storage, pending);
        pending.clear();
    }
}
