package dev.parley.persistence.postgres.cluster;

import dev.parley.application.port.Wakes;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import dev.parley.persistence.postgres.connection.Connections;
import dev.parley.persistence.postgres.statement.Statements;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Wakes through the server's notifications, on connections of their own and never inside of a commit, where they would have all commits
 * wait for each other. What was said several times meanwhile is said once. Without notifications nobody is woken.
 */
final class PostgresWakes implements Wakes, AutoCloseable {
    private static final int MOST_WAITING = 10_000;
    private static final int MOST_BYTES = 7_000;
    private static final int LOOK_MILLIS = 1_000;
    private static final char BETWEEN = '\n';

    private final Connections connections;
    private final ThreadFactory threads;
    private final boolean possible;
    private final String channel;
    private final BlockingQueue<String> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    private final List<BiConsumer<LifeId, SessionKey>> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean speaking = new AtomicBoolean();
    private final AtomicBoolean listening = new AtomicBoolean();

    PostgresWakes(Connections connections, ThreadFactory threads, boolean possible) {
        this.connections = connections;
        this.threads = threads;
        this.possible = possible;
        this.channel =
                "parley_" + Integer.toHexString(connections.address().schema().hashCode());
    }

    @Override
    public void wake(LifeId life, SessionKey lane) {
        String said = life.value() + BETWEEN + lane.value();
        if (!possible || said.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES || !waiting.offer(said)) {
            return;
        }
        if (!speaking.getAndSet(true)) {
            begin(this::speak);
        }
    }

    @Override
    public Runnable listen(BiConsumer<LifeId, SessionKey> listener) {
        listeners.add(listener);
        if (possible && !listening.getAndSet(true)) {
            begin(this::listen);
        }
        return () -> listeners.removeIf(each -> each == listener);
    }

    /** Where there is no thread for it nobody is woken, which harms nobody. */
    private void begin(Work work) {
        Optional.ofNullable(threads.newThread(() -> repeatedly(work))).ifPresent(Thread::start);
    }

    /** Works on a connection until it breaks, and then on the next one. */
    private void repeatedly(Work work) {
        boolean over = isClosed();
        while (!over) {
            try (Connection connection = connections.patient()) {
                work.on(connection);
                over = isClosed();
            } catch (SQLException e) {
                over = isClosedSoon();
            } catch (InterruptedException e) {
                over = true;
            }
        }
    }

    private boolean isClosed() {
        return ended.getCount() == 0;
    }

    private boolean isClosedSoon() {
        try {
            return ended.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void speak(Connection connection) throws SQLException, InterruptedException {
        Statements statements = new Statements(connection);
        while (!isClosed()) {
            @Nullable String first = waiting.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (first != null) {
                Set<String> all = new LinkedHashSet<>(Set.of(first));
                waiting.drainTo(all);
                statements.list(
                        "select pg_notify(?, said)::text from unnest(?::text[]) said", row -> true, channel, all);
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        new Statements(connection).run("listen " + channel);
        PGConnection server = connection.unwrap(PGConnection.class);
        while (!isClosed()) {
            PGNotification @Nullable [] heard = server.getNotifications(LOOK_MILLIS);
            if (heard != null) {
                for (PGNotification each : heard) {
                    tell(each.getParameter());
                }
            }
        }
    }

    private void tell(String said) {
        int between = said.indexOf(BETWEEN);
        if (between <= 0) {
            return;
        }
        for (BiConsumer<LifeId, SessionKey> listener : listeners) {
            try {
                listener.accept(new LifeId(said.substring(0, between)), SessionKey.of(said.substring(between + 1)));
            } catch (RuntimeException e) {
                // A hint that nobody takes is lost, as hints may be.
            }
        }
    }

    @Override
    public void close() {
        ended.countDown();
    }

    @FunctionalInterface
    private interface Work {
        void on(Connection connection) throws SQLException, InterruptedException;
    }
}
