package dev.parley.fakes.telegram;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a method was called with, in any of the forms the Bot API takes: query, form, multipart, JSON. */
record Parameters(Map<String, String> texts, Map<String, Upload> files) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern NAME = Pattern.compile("[; ]name=\"?([^\";\r]+)");
    private static final Pattern FILE_NAME = Pattern.compile("filename=\"([^\"\r]*)\"");

    /** A file that was handed in. */
    static final class Upload {
        final String name;
        final byte[] content;

        Upload(String name, byte[] content) {
            this.name = name;
            this.content = content;
        }
    }

    static Parameters of(HttpExchange exchange) throws IOException {
        Map<String, String> texts = new HashMap<>();
        Map<String, Upload> files = new HashMap<>();
        Optional.ofNullable(exchange.getRequestURI().getRawQuery()).ifPresent(query -> form(query, texts));
        byte[] body = exchange.getRequestBody().readAllBytes();
        String type = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                .orElse("");
        if (type.startsWith("application/json")) {
            json(body, texts);
        } else if (type.startsWith("multipart/form-data")) {
            multipart(body, type, texts, files);
        } else {
            form(new String(body, StandardCharsets.UTF_8), texts);
        }
        return new Parameters(texts, files);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(texts.get(name));
    }

    long number(String name, long otherwise) {
        try {
            return text(name).map(Long::parseLong).orElse(otherwise);
        } catch (NumberFormatException notANumber) {
            return otherwise;
        }
    }

    boolean flag(String name) {
        return text(name).map(Boolean::parseBoolean).orElse(false);
    }

    /** Returns a parameter that is JSON itself; missing where it is not given or is not JSON. */
    JsonNode tree(String name) {
        try {
            return texts.containsKey(name) ? JSON.readTree(texts.get(name)) : MissingNode.getInstance();
        } catch (JsonProcessingException notJson) {
            return MissingNode.getInstance();
        }
    }

    private static void json(byte[] body, Map<String, String> texts) throws IOException {
        JsonNode tree = JSON.readTree(body);
        for (Map.Entry<String, JsonNode> field : tree.properties()) {
            JsonNode value = field.getValue();
            texts.put(field.getKey(), value.isValueNode() ? value.asText() : value.toString());
        }
    }

    private static void form(String body, Map<String, String> texts) {
        for (String pair : body.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                texts.put(
                        URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
    }

    private static void multipart(byte[] body, String type, Map<String, String> texts, Map<String, Upload> files) {
        String boundary = "--"
                + type.substring(type.indexOf("boundary=") + "boundary=".length())
                        .replace("\"", "");
        // One byte is one character here, so that places in the text are places in the body.
        String whole = new String(body, StandardCharsets.ISO_8859_1);
        int at = whole.indexOf(boundary);
        while (at >= 0) {
            int next = whole.indexOf("\r\n" + boundary, at);
            int head = whole.indexOf("\r\n\r\n", at);
            if (next < 0 || head < 0 || head > next) {
                return;
            }
            String headers = utf8(whole.substring(at + boundary.length(), head));
            byte[] content = whole.substring(head + 4, next).getBytes(StandardCharsets.ISO_8859_1);
            Matcher name = NAME.matcher(headers);
            Matcher file = FILE_NAME.matcher(headers);
            if (name.find() && file.find()) {
                files.put(name.group(1), new Upload(file.group(1), content));
            } else if (name.reset().find()) {
                texts.put(name.group(1), new String(content, StandardCharsets.UTF_8));
            }
            at = next + 2;
        }
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
