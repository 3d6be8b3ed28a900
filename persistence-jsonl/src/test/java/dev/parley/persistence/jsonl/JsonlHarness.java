package dev.parley.persistence.jsonl;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.contracts.storage.ProviderHarness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Handles a directory of session files; every line of every file in it must be JSON. */
class JsonlHarness extends ProviderHarness {
    private static final ObjectMapper JSON = new ObjectMapper();

    JsonlHarness(Path directory) {
        super(new JsonlStorageProvider(), "sessions", directory);
    }

    @Override
    public List<String> damage() {
        List<String> damage = new ArrayList<>();
        try (Stream<Path> files = Files.walk(home())) {
            for (Path file : (Iterable<Path>) files.filter(f -> f.toString().endsWith(".jsonl"))::iterator) {
                long number = 0;
                for (String line :
                        Files.readString(file, StandardCharsets.UTF_8).lines().toList()) {
                    number++;
                    if (!line.replace("\0", "").isEmpty() && !isJson(line)) {
                        damage.add(file.getFileName() + ":" + number + " is not JSON: " + line);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return damage;
    }

    private static boolean isJson(String line) {
        try {
            return JSON.readTree(line).isObject();
        } catch (IOException e) {
            return false;
        }
    }
}
