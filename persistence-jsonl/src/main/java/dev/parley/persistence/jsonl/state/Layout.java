package dev.parley.persistence.jsonl.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where things stand in a store's directory: session files and {@code sessions.json} at the top, everything else in a folder of its
 * own.
 *
 * @param directory the store's directory
 */
public record Layout(Path directory) {
    private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-([0-8]\\d{18})\\.jsonl");
    private static final Pattern JOURNAL = Pattern.compile("journal-([0-8]\\d{18})\\.jsonl");

    /** Returns the folder for everything that is not a session file. */
    public Path own() {
        return directory.resolve("parley");
    }

    /** Returns the file that the writing process locks. */
    public Path lock() {
        return own().resolve("lock");
    }

    /** Returns the file with what lists show, which can be made again from the session files. */
    public Path index() {
        return own().resolve("index.jsonl");
    }

    /** Returns the lanes in the form that other programs read. */
    public Path sessionsJson() {
        return directory.resolve("sessions.json");
    }

    /** Returns the checkpoint of everything up to a place in the journal. */
    public Path checkpoint(long place) {
        return own().resolve(String.format("checkpoint-%019d.jsonl", place));
    }

    /** Returns the journal that begins with a place. */
    public Path journal(long first) {
        return own().resolve(String.format("journal-%019d.jsonl", first));
    }

    /** Returns the name, from the directory, under which a session file is written anew. */
    public String rewritten(long place) {
        return directory
                .relativize(own().resolve("rewritten-" + place + ".tmp"))
                .toString();
    }

    /** Returns the checkpoints by their places. */
    public SortedMap<Long, Path> checkpoints() throws IOException {
        return numbered(CHECKPOINT);
    }

    /** Returns the journals by their first places. */
    public SortedMap<Long, Path> journals() throws IOException {
        return numbered(JOURNAL);
    }

    /** Returns files that were begun and not finished. */
    public List<Path> unfinished() throws IOException {
        try (Stream<Path> files = Files.list(own())) {
            return files.filter(file -> file.getFileName().toString().endsWith(".tmp"))
                    .toList();
        }
    }

    private SortedMap<Long, Path> numbered(Pattern names) throws IOException {
        SortedMap<Long, Path> found = new TreeMap<>();
        if (!Files.isDirectory(own())) {
            return found;
        }
        try (Stream<Path> files = Files.list(own())) {
            files.forEach(file -> number(names, file).ifPresent(number -> found.put(number, file)));
        }
        return found;
    }

    private static OptionalLong number(Pattern names, Path file) {
        Matcher name = names.matcher(file.getFileName().toString());
        return name.matches() ? OptionalLong.of(Long.parseLong(name.group(1))) : OptionalLong.empty();
    }
}
