package dev.parley.persistence.sqlite;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.LaneFileReader;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.Platforms;
import dev.parley.persistence.sqlite.connection.Connections;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import dev.parley.persistence.sqlite.mirror.RoutingTable;
import dev.parley.persistence.sqlite.mirror.SessionsFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads {@code sessions.json} wherever it lies, whoever wrote it, or the table in which later versions keep the same in a database. */
public final class SessionsJsonReader implements LaneFileReader {
    /** Made by the service loader. */
    public SessionsJsonReader() {}

    @Override
    public LaneFile read(Path file, ZoneId zone, Platforms platforms) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new StorageUnavailable(
                    "The file " + file + " cannot be read; check the path and its permissions.", null);
        }
        if (isDatabase(file)) {
            return table(file, new RoutingTable(zone, platforms));
        }
        SessionsFile sessions = new SessionsFile(file, zone, platforms);
        if (!sessions.isReadable()) {
            throw new StorageCorrupt(
                    "The file " + file + " is no JSON object, so it holds no lanes; name a sessions.json.", null);
        }
        List<String> leftOut = new ArrayList<>();
        List<SessionEntry> entries = sessions.read(leftOut::add);
        return new LaneFile(entries, leftOut);
    }

    private static boolean isDatabase(Path file) {
        byte[] mark = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(mark.length), mark);
        } catch (IOException e) {
            throw new StorageUnavailable("The file " + file + " cannot be read (" + e + "); check the disk.", e);
        }
    }

    private static LaneFile table(Path file, RoutingTable table) {
        List<String> leftOut = new ArrayList<>();
        DatabaseFile database = new DatabaseFile(file);
        try (Connection connection = new Connections(database).reader(false)) {
            return table.read(connection, leftOut::add)
                    .map(entries -> new LaneFile(entries, leftOut))
                    .orElseThrow(() -> new StorageCorrupt(
                            "The database " + file + " has no table of lanes (gateway_routing); name a sessions.json.",
                            null));
        } catch (SQLException e) {
            throw SqlErrors.translate(database, e);
        }
    }
}
