package dev.parley.persistence.sqlite.mirror;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.Platforms;
import dev.parley.persistence.sql.json.Json;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The file {@code sessions.json}. */
public final class SessionsFile {
    /** Reads a value of a larger one: what comes behind it is read later. */
    private static final ObjectReader MEMBERS =
            Json.mapper().reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final String README = "_README";

    /** The one member that other software does not have; it leaves it alone. */
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
        return entries(
                key -> true,
                (entry, node) ->
                        new Lane(entry, Math.max(Lane.ABSENT, node.path(EPOCH).asLong(Lane.ABSENT))),
                leftOut);
    }

    /**
     * Returns the entries that can be read; keys that begin with an underscore are notes (E2.8). Empty where there is no file.
     *
     * @param leftOut takes one line for each entry that cannot be read, or for the whole file
     */
    public List<SessionEntry> read(Consumer<String> leftOut) {
        return read(key -> true, leftOut);
    }

    /**
     * Returns the entries under some keys that can be read, as {@link #read(Consumer)} does. Of the others nothing is kept in memory.
     *
     * @param wanted says of a key whether its entry is wanted
     */
    public List<SessionEntry> read(Predicate<String> wanted, Consumer<String> leftOut) {
        return entries(wanted, (entry, node) -> entry, leftOut).orElse(List.of());
    }

    /** Reads one entry after the other, so that the file may be larger than the memory; of two with one key the last counts. */
    private <T> Optional<List<T>> entries(
            Predicate<String> wanted, BiFunction<SessionEntry, JsonNode, T> made, Consumer<String> leftOut) {
        Map<String, T> entries = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>();
        boolean whole = content(
                (key, json) -> {
                    if (key.startsWith("_") || !wanted.test(key)) {
                        json.skipChildren();
                        return true;
                    }
                    JsonNode node = MEMBERS.readTree(json);
                    read(key, node, lines::add)
                            .ifPresentOrElse(
                                    entry -> entries.put(key, made.apply(entry, node)), () -> entries.remove(key));
                    return true;
                },
                leftOut);
        if (!whole) {
            return Optional.empty();
        }
        lines.forEach(leftOut);
        return Optional.of(List.copyOf(entries.values()));
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

    /** Takes the members of the file one after the other. */
    private interface Member {
        /** Takes a member, the parser at its value; returns whether the next is wanted too. */
        boolean take(String key, JsonParser json) throws IOException;
    }

    /** Returns whether the file is there and a JSON object, as far as members were taken. */
    private boolean content(Member member, Consumer<String> leftOut) {
        try (JsonParser json = Json.mapper().createParser(file.toFile())) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                leftOut.accept(noObject());
                return false;
            }
            for (String key = json.nextFieldName(); key != null; key = json.nextFieldName()) {
                json.nextToken();
                if (!member.take(key, json)) {
                    return true;
                }
            }
            if (json.nextToken() == null) {
                return true;
            }
            leftOut.accept(noObject());
        } catch (JsonProcessingException e) {
            leftOut.accept(noObject());
        } catch (NoSuchFileException | FileNotFoundException e) {
            if (Files.exists(file)) {
                leftOut.accept(unreadable(e));
            }
        } catch (IOException e) {
            leftOut.accept(unreadable(e));
        }
        return false;
    }

    private String noObject() {
        return "The file " + file + " is no JSON object and is left alone.";
    }

    private String unreadable(IOException e) {
        return "The file " + file + " cannot be read (" + e + ") and is left alone.";
    }

    /** Returns whether there is such a file and it is a JSON object. */
    public boolean isReadable() {
        return content(SessionsFile::skip, line -> {});
    }

    private static boolean skip(String key, JsonParser json) throws IOException {
        json.skipChildren();
        return true;
    }

    /** Returns whether the file may be written: there is none, or it says that it was written here. */
    public boolean isOurs() {
        if (Files.notExists(file)) {
            return true;
        }
        AtomicBoolean ours = new AtomicBoolean();
        // What is written here says so at its beginning; of any other file the whole is looked through.
        content(
                (key, json) -> {
                    ours.set(key.equals(README)
                            && json.currentToken() == JsonToken.VALUE_STRING
                            && json.getText().startsWith(OURS));
                    return !ours.get() && skip(key, json);
                },
                line -> {});
        return ours.get();
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
