package dev.parley.bootstrap.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.parley.application.port.InvalidRequest;
import dev.parley.bootstrap.json.Json;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A configuration as it was written, before anything is known about its keys.
 *
 * @param root the whole
 * @param name how the file is called in messages
 */
record ConfigDocument(ConfigNode.Section root, String name) {
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final Pattern NO_NUMBER = Pattern.compile("[-+]?\\.(inf|nan)", Pattern.CASE_INSENSITIVE);
    private static final long MOST_BYTES = 512L * 1024;
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** An empty configuration. */
    static ConfigDocument none() {
        return new ConfigDocument(new ConfigNode.Section(Map.of(), 0), "no file");
    }

    /**
     * Reads a YAML file.
     *
     * @throws InvalidRequest where it cannot be read or is not YAML, naming file and line
     */
    static ConfigDocument read(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new InvalidRequest(file + ": larger than " + MOST_BYTES / 1024
                        + " KiB, so it is no configuration; name another file, or shorten it.");
            }
            return parse(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(java.nio.ByteBuffer.wrap(Files.readAllBytes(file)))
                            .toString(),
                    file.toString(),
                    YAML);
        } catch (CharacterCodingException e) {
            throw new InvalidRequest(file + ": not UTF-8 text; save it as UTF-8.");
        } catch (IOException e) {
            throw new InvalidRequest(
                    file + ": cannot be read (" + HomeDirectory.reason(e) + "); check the path and its permissions.");
        }
    }

    /** Reads a configuration given as JSON text; {@code name} says where it stands. */
    static ConfigDocument ofJson(String json, String name) {
        return parse(json, name, JSON);
    }

    private static ConfigDocument parse(String text, String name, JsonFactory format) {
        try (JsonParser parser = format.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL) {
                return new ConfigDocument(new ConfigNode.Section(Map.of(), 1), name);
            }
            ConfigNode root = node(parser, first);
            if (!(root instanceof ConfigNode.Section section)) {
                throw new InvalidRequest(name + ":" + root.line() + ": the configuration is " + root.kind()
                        + "; write keys and values, such as \"zone: UTC\".");
            }
            if (parser.nextToken() != null) {
                throw new InvalidRequest(
                        name + ":" + line(parser) + ": a second document begins here; keep all settings in one.");
            }
            return new ConfigDocument(section, name);
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new InvalidRequest(name + ":" + line + ": not " + format.getFormatName() + ": " + Json.firstLine(e)
                    + "; correct this line.");
        } catch (IOException e) {
            throw new InvalidRequest(name + ": cannot be read: " + e.getMessage());
        }
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    private static ConfigNode node(JsonParser parser, JsonToken token) throws IOException {
        int line = line(parser);
        switch (token) {
            case START_OBJECT -> {
                Map<String, ConfigNode> entries = new LinkedHashMap<>();
                for (JsonToken t = parser.nextToken(); t != JsonToken.END_OBJECT; t = parser.nextToken()) {
                    String name = parser.currentName();
                    int nameLine = line(parser);
                    ConfigNode value = node(parser, parser.nextToken());
                    entries.put(
                            name,
                            value instanceof ConfigNode.Scalar s
                                    ? new ConfigNode.Scalar(s.value(), nameLine, s.written())
                                    : value);
                }
                return new ConfigNode.Section(entries, line);
            }
            case START_ARRAY -> {
                List<ConfigNode> items = new ArrayList<>();
                for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
                    items.add(node(parser, t));
                }
                return new ConfigNode.Sequence(items, line);
            }
            case VALUE_NULL -> {
                return new ConfigNode.Scalar(null, line);
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                return new ConfigNode.Scalar(parser.getBooleanValue(), line, parser.getText());
            }
            case VALUE_NUMBER_INT -> {
                // A plus sign is part of a telephone number, and a number has none.
                String written = parser.getText();
                return new ConfigNode.Scalar(written.startsWith("+") ? written : parser.getBigIntegerValue(), line);
            }
            case VALUE_NUMBER_FLOAT -> {
                // Infinity and what is no number at all are numbers to YAML, and to no setting.
                return new ConfigNode.Scalar(
                        NO_NUMBER.matcher(parser.getText()).matches() ? parser.getText() : parser.getDecimalValue(),
                        line);
            }
            default -> {
                return new ConfigNode.Scalar(parser.getText(), line);
            }
        }
    }
}
