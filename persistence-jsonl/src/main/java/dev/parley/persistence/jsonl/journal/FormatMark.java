package dev.parley.persistence.jsonl.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line that stands before everything that version 1 does not know. Version 1 wrote none and leaves out keys it does not know, so
 * the line is one that it cannot leave out: where it reads a line of a checkpoint, the first key, and where it reads a batch, the
 * change, have a name that is none of its own, and it refuses the file with that name in its message.
 */
final class FormatMark {
    /** The version of what is written. */
    static final int VERSION = 2;

    private static final Pattern LINE = Pattern.compile("\\{\"a file of version (\\d{1,9}): [^\"]*\":\\d+,.*");

    private FormatMark() {}

    /** Returns the line, without its check sum. */
    static byte[] line() {
        String name = "a file of version " + VERSION + ": use the Parley that wrote it, or a later one";
        return ("{\"" + name + "\":" + VERSION
                        + ",\"batch\":{\"id\":{\"writer\":\"parley\",\"sequence\":1},\"changes\":[{\"" + name
                        + "\":{}}]}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns whether a line is such a mark.
     *
     * @throws IOException where it marks a version that is not known
     */
    static boolean isMark(Path path, byte[] json) throws IOException {
        if (json.length < 3 || json[2] != 'a') {
            return false;
        }
        Matcher line = LINE.matcher(new String(json, StandardCharsets.UTF_8));
        if (!line.matches()) {
            return false;
        }
        int version = Integer.parseInt(line.group(1));
        if (version > VERSION) {
            throw new IOException("the file " + path.getFileName() + " was written by a newer Parley (it has version "
                    + version + ", this one knows " + VERSION + "); use that one");
        }
        return true;
    }
}
