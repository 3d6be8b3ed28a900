package dev.parley.domain.key;

/**
 * The text of one segment of a session key. {@code %} and {@code :} are percent-encoded so that no id reaches into the
 * next segment; the second of two dots is, because a key with {@code ..} is not allowed (E2.7).
 */
final class Segments {
    static final String SEPARATOR = ":";

    private Segments() {}

    static String encode(String id) {
        return withoutDoubleDots(id.replace("%", "%25").replace(SEPARATOR, "%3A"));
    }

    static String withoutDoubleDots(String id) {
        return id.replace("..", ".%2E");
    }

    static String decode(String segment) {
        return segment.replace("%2E", ".").replace("%3A", SEPARATOR).replace("%25", "%");
    }
}
