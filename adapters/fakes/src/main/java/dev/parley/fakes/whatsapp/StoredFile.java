package dev.parley.fakes.whatsapp;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file that lies with Meta. */
final class StoredFile {
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)");
    private static final Pattern FILE = Pattern.compile("(?i)name=\"file\"");
    private static final Pattern TYPE = Pattern.compile("(?i)content-type: *([^\r\n]+)");

    private final byte[] content;
    private final String mediaType;

    StoredFile(byte[] content, String mediaType) {
        this.content = content.clone();
        this.mediaType = mediaType;
    }

    byte[] content() {
        return content.clone();
    }

    String mediaType() {
        return mediaType;
    }

    /** Reads the file out of a form. */
    static StoredFile uploaded(String contentType, byte[] form) throws GraphFault {
        Matcher boundary = BOUNDARY.matcher(contentType);
        if (boundary.find()) {
            // One character for each byte, so that nothing is changed.
            String all = new String(form, StandardCharsets.ISO_8859_1);
            for (String part : all.split(Pattern.quote("--" + boundary.group(1)), -1)) {
                int head = part.indexOf("\r\n\r\n");
                if (head > 0 && FILE.matcher(part.substring(0, head)).find()) {
                    Matcher type = TYPE.matcher(part.substring(0, head));
                    String content = part.substring(head + 4, part.length() - 2);
                    return new StoredFile(
                            content.getBytes(StandardCharsets.ISO_8859_1),
                            type.find() ? type.group(1).strip() : "application/octet-stream");
                }
            }
        }
        throw GraphFault.of(400, 131053, "(#131053) Media upload error");
    }

    String sha256() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
