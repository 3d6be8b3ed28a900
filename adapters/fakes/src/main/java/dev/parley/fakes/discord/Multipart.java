package dev.parley.fakes.discord;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A form with files.
 *
 * @param fields its fields
 * @param files its files, by their file names
 */
record Multipart(Map<String, String> fields, Map<String, byte[]> files) {
    private static final Pattern NAME = Pattern.compile("[; ]name=\"([^\"]*)\"");
    private static final Pattern FILE = Pattern.compile("filename=\"([^\"]*)\"");

    /** Reads a form; what is none has no fields. */
    static Multipart of(String contentType, byte[] body) {
        Map<String, String> fields = new LinkedHashMap<>();
        Map<String, byte[]> files = new LinkedHashMap<>();
        String boundary = "--" + contentType.replaceFirst(".*boundary=\"?", "").replaceFirst("[\";].*", "");
        // One character for each byte, so that nothing is changed.
        String all = new String(body, StandardCharsets.ISO_8859_1);
        for (String part : all.split(Pattern.quote(boundary), -1)) {
            int head = part.indexOf("\r\n\r\n");
            Matcher name = NAME.matcher(part);
            if (head > 0 && name.find() && name.start() < head) {
                byte[] content = part.substring(head + 4, Math.max(head + 4, part.length() - 2))
                        .getBytes(StandardCharsets.ISO_8859_1);
                Matcher file = FILE.matcher(part.substring(0, head));
                if (file.find()) {
                    files.put(utf8(file.group(1)), content);
                } else {
                    fields.put(name.group(1), new String(content, StandardCharsets.UTF_8));
                }
            }
        }
        return new Multipart(fields, files);
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    String field(String name) {
        return fields.getOrDefault(name, "{}");
    }
}
