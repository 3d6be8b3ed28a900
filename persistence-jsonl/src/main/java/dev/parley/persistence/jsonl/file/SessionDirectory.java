package dev.parley.persistence.jsonl.file;

import dev.parley.persistence.jsonl.journal.PrivateFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A flat directory of session files. Not safe for concurrent use. */
public final class SessionDirectory {
    private final Path path;
    private @Nullable Map<String, Long> greatest;

    /** Uses this directory, which may be missing yet. */
    public SessionDirectory(Path path) {
        this.path = path;
    }

    /** Returns the directory. */
    public Path path() {
        return path;
    }

    /** Says that a name belongs to a session, also where its file is gone: its number is not given again. */
    public void know(String name) throws IOException {
        count(name, numbers());
    }

    /**
     * Makes an empty file with the next number for an agent and a sender, and returns its name. A name that another process took
     * meanwhile is left alone, and the next number is tried.
     */
    public String create(SessionNames names) throws IOException {
        Map<String, Long> numbers = numbers();
        long number = numbers.getOrDefault(names.prefix(), 0L);
        Optional<String> made;
        do {
            made = make(names.withNumber(++number));
        } while (made.isEmpty());
        numbers.put(names.prefix(), number);
        return made.get();
    }

    private Optional<String> make(String name) throws IOException {
        try {
            PrivateFiles.create(path.resolve(name));
            return Optional.of(name);
        } catch (FileAlreadyExistsException taken) {
            return Optional.empty();
        }
    }

    /**
     * Returns the file with the greatest number whose first line says that it belongs to exactly this agent and this sender, the
     * one that was changed last where two have the same number; absent if no file matches (storage 7.4).
     */
    public Optional<Path> findLatest(String agent, String sender) throws IOException {
        if (!Files.isDirectory(path)) {
            return Optional.empty();
        }
        SessionNames names = SessionNames.of(agent, sender);
        Path latest = null;
        long latestNumber = -1;
        try (Stream<Path> files = Files.list(path)) {
            for (Path each : (Iterable<Path>) files::iterator) {
                OptionalLong number = names.numberOf(each.getFileName().toString());
                if (number.isEmpty() || number.getAsLong() < latestNumber || !belongsTo(each, agent, sender)) {
                    continue;
                }
                if (latest == null || number.getAsLong() > latestNumber || isNewer(each, latest)) {
                    latest = each;
                    latestNumber = number.getAsLong();
                }
            }
        }
        return Optional.ofNullable(latest);
    }

    private static boolean belongsTo(Path file, String agent, String sender) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        return SessionFile.firstLine(file)
                .flatMap(MetaLine::parse)
                .filter(meta -> meta.agent().equals(agent) && meta.createdBy().equals(sender))
                .isPresent();
    }

    private static boolean isNewer(Path one, Path other) throws IOException {
        return Files.getLastModifiedTime(one).compareTo(Files.getLastModifiedTime(other)) > 0;
    }

    /** The greatest number behind each prefix a name can be read with, from one look at the directory. */
    private Map<String, Long> numbers() throws IOException {
        if (greatest == null) {
            Map<String, Long> found = new HashMap<>();
            try (Stream<Path> files = Files.list(path)) {
                files.forEach(each -> count(each.getFileName().toString(), found));
            }
            greatest = found;
        }
        return greatest;
    }

    private static void count(String name, Map<String, Long> into) {
        if (!name.endsWith(SessionNames.ENDING)) {
            return;
        }
        for (int at = name.indexOf('_'); at >= 0; at = name.indexOf('_', at + 1)) {
            OptionalLong number = SessionNames.numberAt(name, at + 1);
            if (number.isPresent()) {
                into.merge(name.substring(0, at + 1), number.getAsLong(), Math::max);
            }
        }
    }
}
