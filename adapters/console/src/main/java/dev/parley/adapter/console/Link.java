package dev.parley.adapter.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** An address within the console: a path, and parameters that are encoded. */
final class Link {
    static final String ROOT = "/console";

    private final StringBuilder address;
    private char before = '?';

    private Link(String path) {
        this.address = new StringBuilder(ROOT).append(path);
    }

    static Link to(String path) {
        return new Link(path);
    }

    static String lane(String key) {
        return to("/lane").with("key", key).text();
    }

    static String session(String id) {
        return to("/session").with("id", id).text();
    }

    /** Returns this with a parameter; without it where the value is empty. */
    Link with(String name, String value) {
        if (!value.isEmpty()) {
            address.append(before).append(name).append('=').append(URLEncoder.encode(value, StandardCharsets.UTF_8));
            before = '&';
        }
        return this;
    }

    /** Returns the address with one more parameter; this stays as it is. */
    String and(String name, String value) {
        return address.toString() + before + name + '=' + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    String text() {
        return address.toString();
    }
}
