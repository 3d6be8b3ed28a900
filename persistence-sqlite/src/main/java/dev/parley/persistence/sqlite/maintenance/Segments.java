package dev.parley.persistence.sqlite.maintenance;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Optional;

/**
 * The record in which a full-text table of SQLite says which segments it has, and from which page to which. SQLite's own check walks the
 * pages there are and does not notice that the record names more; whoever looks up a term does not find it then.
 */
final class Segments {
    private static final long RECORD = 10;
    private static final int COOKIE = 4;
    private static final byte[] SECOND_FORM = {(byte) 0xff, 0, 0, 1};
    private static final int OF_SECOND_FORM = 5;
    private static final int SEGMENT = 37;

    private final byte[] record;
    private int at = COOKIE;

    private Segments(byte[] record) {
        this.record = record;
    }

    /** Returns what is wrong with the record in this table; absent where each segment it names has its first and its last page. */
    static Optional<String> damage(Connection connection, String data) throws SQLException {
        byte[] record;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT block FROM " + data + " WHERE id = " + RECORD)) {
            record = row.next() ? row.getBytes(1) : new byte[0];
        }
        try (PreparedStatement pages =
                connection.prepareStatement("SELECT count(*) FROM " + data + " WHERE id IN (?, ?)")) {
            return record != null && record.length > COOKIE && new Segments(record).isRight(pages)
                    ? Optional.empty()
                    : Optional.of("its list of segments is wrong");
        } catch (IndexOutOfBoundsException cutOff) {
            return Optional.of("its list of segments ends early");
        }
    }

    private boolean isRight(PreparedStatement pages) throws SQLException {
        int end = Math.min(record.length, at + SECOND_FORM.length);
        boolean second = Arrays.equals(record, at, end, SECOND_FORM, 0, SECOND_FORM.length);
        at += second ? SECOND_FORM.length : 0;
        long levels = number();
        number();
        number();
        for (long level = 0; level < levels; level++) {
            number();
            long segments = number();
            for (long i = 0; i < segments; i++) {
                long segment = number();
                long first = number();
                long last = number();
                for (int more = 0; second && more < OF_SECOND_FORM; more++) {
                    number();
                }
                if (!hasPages(pages, segment, first, last)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean hasPages(PreparedStatement pages, long segment, long first, long last) throws SQLException {
        pages.setLong(1, (segment << SEGMENT) + first);
        pages.setLong(2, (segment << SEGMENT) + last);
        try (ResultSet row = pages.executeQuery()) {
            return row.getLong(1) == (first == last ? 1 : 2);
        }
    }

    /** Reads a number as SQLite writes it: seven bits in each byte, the highest first; numbers here have no more than 63. */
    private long number() {
        long value = 0;
        byte next;
        do {
            next = record[at++];
            value = (value << 7) | (next & 0x7f);
        } while (next < 0);
        return value;
    }
}
