package dev.parley.persistence.postgres;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.StorageSettings;
import dev.parley.persistence.postgres.connection.Connections;
import dev.parley.persistence.postgres.connection.Login;
import dev.parley.persistence.postgres.connection.PostgresAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * What a store is opened with, read.
 *
 * @param address where it is
 * @param login who logs in
 * @param limits how long is waited for the server
 * @param writers how many connections write at most
 * @param readers how many connections read at most
 * @param patience for how long is waited for a connection
 */
record Options(
        PostgresAddress address, Login login, Connections.Limits limits, int writers, int readers, Duration patience) {
    /** The server gathers the commits of several connections, however few processors there are at this end. */
    private static final int LEAST_WRITERS = 8;

    private static final int MOST_WRITERS = 16;
    private static final int READERS = 8;
    private static final long STATEMENT_MILLIS = 5_000;
    private static final long PATIENCE_MILLIS = 5_000;
    private static final int MOST_CONNECTIONS = 1_000;

    static Options of(StorageSettings settings) {
        PostgresAddress address = PostgresAddress.parse(settings.address());
        Optional<String> schema = option(settings, PostgresStorageProvider.SCHEMA);
        int processors = Runtime.getRuntime().availableProcessors();
        return new Options(
                schema.map(address::in).orElse(address),
                new Login(option(settings, PostgresStorageProvider.USER), password(settings)),
                new Connections.Limits(
                        Duration.ofMillis(number(
                                settings, PostgresStorageProvider.STATEMENT_TIMEOUT, STATEMENT_MILLIS, 86_400_000)),
                        flag(settings, PostgresStorageProvider.POOLED)),
                (int) Math.max(
                        1,
                        number(
                                settings,
                                PostgresStorageProvider.WRITERS,
                                Math.min(MOST_WRITERS, Math.max(LEAST_WRITERS, 2L * processors)),
                                MOST_CONNECTIONS)),
                (int) Math.max(1, number(settings, PostgresStorageProvider.READERS, READERS, MOST_CONNECTIONS)),
                Duration.ofMillis(
                        number(settings, PostgresStorageProvider.BUSY_PATIENCE, PATIENCE_MILLIS, 86_400_000)));
    }

    private static Optional<String> option(StorageSettings settings, String name) {
        return Optional.ofNullable(settings.options().get(name))
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    private static Optional<String> password(StorageSettings settings) {
        Optional<String> variable = option(settings, PostgresStorageProvider.PASSWORD_ENV);
        if (variable.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Optional.ofNullable(settings.environment().get(variable.get()))
                .filter(secret -> !secret.isEmpty())
                .orElseThrow(() -> new InvalidRequest("The variable " + variable.get()
                        + " of storage.options.password_env is not set; put the password of the database in it.")));
    }

    private static boolean flag(StorageSettings settings, String name) {
        String text = option(settings, name).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw new InvalidRequest("The storage option " + name + " is true or false, not \"" + text + "\".");
        }
        return text.equals("true");
    }

    private static long number(StorageSettings settings, String name, long usual, long most) {
        Optional<String> text = option(settings, name);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            long number = Long.parseLong(text.get());
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, with the range.
        }
        throw new InvalidRequest(
                "The storage option " + name + " is a number from 0 to " + most + ", not \"" + text.get() + "\".");
    }
}
