package dev.parley.persistence.sqlite.mirror;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.Platforms;
import dev.parley.persistence.sql.json.Json;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The file {@code sessions.json}. */
public final class SessionsFile {
    private static final String README = "_README";

    /** The one member that the layout of the requirements does not have; whoever reads that leaves it alone. */
    private static final String EPOCH = "parley_epoch";

    private static final String OURS = "Written by Parley";
    private static final String NOTE = OURS
            + " from its database, which is what counts: changes made here are overwritten."
            + " To keep a file of your own under this name, remove this line.";

    private final Path file;
    private final EntryJson dictionary;

    /** The file at this path, its times in this zone. */
    public SessionsFile(Path file, ZoneId zone) {
        this(file, zone, Platforms.builtIn());
    }

    /** The file at this path, its times in this zone, its entries from these platforms. */
    public SessionsFile(Path file, ZoneId zone, Platforms platforms) {
        this.file = file;
        this.dictionary = new EntryJson(zone, platforms);
    }

    /** Returns the path. */
    public Path path() {
        return file;
    }

    /** Writes lanes one after the other. */
    @FunctionalInterface
    public interface Entries {
        /** Hands every lane to the consumer. */
        void forEach(Consumer<Lane> each);
    }

    /**
     * Returns the lanes that can be read, each with the epoch that is written for it, or {@link Lane#ABSENT} where none is; absent
     * where there is no file, or it cannot be read as a whole.
     *
     * @param leftOut takes one line for each entry that cannot be read, or for the whole file
     */
    public Optional<List<Lane>> lanes(Consumer<String> leftOut) {
        return content(leftOut).map(root -> {
            List<Lane> lanes = new ArrayList<>();
            root.properties().forEach(member -> {
                if (!member.getKey().startsWith("_")) {
                    long epoch =
                            Math.max(Lane.ABSENT, member.getValue().path(EPOCH).asLong(Lane.ABSENT));
                    read(member.getKey(), member.getValue(), leftOut)
                            .ifPresent(entry -> lanes.add(new Lane(entry, epoch)));
                }
            });
            return List.copyOf(lanes);
        });
    }

    /**
     * Returns the entries that can be read; keys that begin with an underscore are notes (E2.8). Empty where there is no file.
     *
     * @param leftOut takes one line for each entry that cannot be read, or for the whole file
     */
    public List<SessionEntry> read(Consumer<String> leftOut) {
        Optional<JsonNode> content = content(leftOut);
        List<SessionEntry> entries = new ArrayList<>();
        content.ifPresent(root -> root.properties().forEach(member -> {
            if (!member.getKey().startsWith("_")) {
                read(member.getKey(), member.getValue(), leftOut).ifPresent(entries::add);
            }
        }));
        return List.copyOf(entries);
    }

    private Optional<SessionEntry> read(String key, JsonNode node, Consumer<String> leftOut) {
        try {
            if (!node.isObject()) {
                throw new IllegalArgumentException("it is no object");
            }
            return Optional.of(dictionary.read(key, node));
        } catch (IllegalArgumentException e) {
            leftOut.accept("The entry \"" + key + "\" of " + file + " is left out: " + e.getMessage() + ".");
            return Optional.empty();
        }
    }

    private Optional<JsonNode> content(Consumer<String> leftOut) {
        try {
            Optional<JsonNode> content = Json.read(Files.readString(file)).filter(JsonNode::isObject);
            if (content.isEmpty()) {
                leftOut.accept("The file " + file + " is no JSON object and is left alone.");
            }
            return content;
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            leftOut.accept("The file " + file + " cannot be read (" + e + ") and is left alone.");
            return Optional.empty();
        }
    }

    /** Returns whether there is such a file and it is a JSON object. */
    public boolean isReadable() {
        return content(line -> {}).isPresent();
    }

    /** Returns whether the file may be written: there is none, or it says that it was written here. */
    public boolean isOurs() {
        if (Files.notExists(file)) {
            return true;
        }
        return content(line -> {})
                .filter(root -> root.path(README).asText("").startsWith(OURS))
                .isPresent();
    }

    /**
     * Replaces the file by one with these entries, in one step: readers see the old one or the new one (E2.10).
     *
     * @throws IOException where it cannot be written; the old file stays
     */
    public void write(Entries entries) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file;
        Path folder = target.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException("The path " + file + " has no folder.");
        }
        Files.createDirectories(folder, DatabaseFile.ownerOnly(folder, "rwx------"));
        Path next = Files.createTempFile(folder, ".sessions_", ".tmp");
        try {
            fill(next, entries);
            replace(next, target);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private void fill(Path next, Entries entries) throws IOException {
        try (FileOutputStream out = new FileOutputStream(next.toFile());
                JsonGenerator json = Json.mapper().createGenerator(new BufferedOutputStream(out, 1 << 16))) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            json.writeStringField(README, NOTE);
            entries.forEach(lane -> {
                try {
                    json.writeFieldName(lane.key().value());
                    json.writeTree(dictionary.write(lane.entry()).put(EPOCH, lane.epoch()));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            json.writeEndObject();
            json.flush();
            out.getChannel().force(true);
        } catch (java.io.UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void replace(Path next, Path target) throws IOException {
        try {
            Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("The folder of " + target + " cannot replace files in one step.", e);
        }
    }
}
