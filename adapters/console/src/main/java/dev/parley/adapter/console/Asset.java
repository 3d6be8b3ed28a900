package dev.parley.adapter.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file of the console, under a name that changes with what is in it, so that browsers may keep it for ever.
 *
 * @param address its address
 * @param type its type
 * @param text what is in it
 */
record Asset(String address, String type, String text) {
    static Asset of(String name, String type) {
        try (InputStream in = Asset.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The console was built without " + name + ".");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            int dot = name.lastIndexOf('.');
            return new Asset(
                    Link.ROOT + "/assets/" + name.substring(0, dot) + "." + hash(text) + name.substring(dot),
                    type,
                    text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
