package dev.parley.persistence.sqlite.maintenance;

import dev.parley.persistence.sqlite.connection.DatabaseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Which pages of a file belong to what: each belongs to one table or index, or to the list of free pages. Holds one bit for each page.
 */
final class PageUse {
    /** The page that SQLite leaves empty because it locks its bytes. */
    private static final long LOCKED_BYTE = 1L << 30;

    private final BitSet used = new BitSet();
    private final List<Long> doubled = new ArrayList<>();
    private boolean readable = true;
    private long pages;
    private long size;
    private long free;

    private PageUse() {}

    /** Reads one state of the file. */
    static PageUse read(Connection connection) throws SQLException {
        PageUse use = new PageUse();
        use.pages = number(connection, "PRAGMA main.page_count");
        use.size = number(connection, "PRAGMA main.page_size");
        use.free = number(connection, "PRAGMA main.freelist_count");
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pageno, pagetype FROM dbstat WHERE schema = 'main'")) {
            while (rows.next()) {
                int page = rows.getInt(1);
                if (use.used.get(page)) {
                    use.doubled.add((long) page);
                }
                use.used.set(page);
                use.readable &= !"corrupted".equals(rows.getString(2));
            }
        }
        return use;
    }

    /**
     * Returns what is wrong, in words that follow "The database is damaged"; empty where nothing is. Where a tree cannot be read, its
     * check tells, and nothing is counted here.
     */
    Optional<String> damage(DatabaseFile file) {
        if (!readable) {
            return Optional.empty();
        }
        if (!doubled.isEmpty()) {
            return Optional.of("page " + doubled.get(0) + " belongs to two tables or indexes");
        }
        if (unused() < 0) {
            return Optional.of(
                    "its list of free pages has " + free + ", and at most " + (free + unused()) + " are free");
        }
        return freeList(file);
    }

    /** Returns how many pages belong to nothing, so that no table can ever use them again. */
    long lost() {
        return readable && doubled.isEmpty() ? Math.max(0, unused()) : 0;
    }

    private long unused() {
        boolean locked = pages * size > LOCKED_BYTE;
        return pages - used.cardinality() - free - (locked ? 1 : 0);
    }

    /** Follows the list of free pages in the file itself, which is as new as what was read only where no log stands beside it. */
    private Optional<String> freeList(DatabaseFile file) {
        if (file.logSize() > 0) {
            return Optional.empty();
        }
        Optional<String> wrong;
        try (SeekableByteChannel channel = Files.newByteChannel(file.path())) {
            wrong = follow(channel);
        } catch (IOException e) {
            return Optional.empty();
        }
        return file.logSize() > 0 ? Optional.empty() : wrong;
    }

    private Optional<String> follow(SeekableByteChannel channel) throws IOException {
        BitSet seen = new BitSet();
        long trunk = at(channel, 0, 36).getInt(32) & 0xffffffffL;
        while (trunk != 0) {
            if (!isFree(trunk, seen)) {
                return Optional.of("its list of free pages names page " + trunk + ", which is none");
            }
            ByteBuffer page = at(channel, (trunk - 1) * size, (int) size);
            long leaves = page.getInt(4) & 0xffffffffL;
            if (leaves > size / 4 - 2) {
                return Optional.of("page " + trunk + " of its list of free pages says nothing that can be");
            }
            for (int i = 0; i < leaves; i++) {
                long leaf = page.getInt(8 + 4 * i) & 0xffffffffL;
                if (!isFree(leaf, seen)) {
                    return Optional.of("its list of free pages names page " + leaf + ", which is none");
                }
            }
            trunk = page.getInt(0) & 0xffffffffL;
        }
        return Optional.empty();
    }

    private boolean isFree(long page, BitSet seen) {
        if (page < 2 || page > pages || used.get((int) page) || seen.get((int) page)) {
            return false;
        }
        seen.set((int) page);
        return true;
    }

    private static ByteBuffer at(SeekableByteChannel channel, long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        channel.position(position);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            // Reads on until the page is whole or the file ends.
        }
        return bytes;
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }
}
