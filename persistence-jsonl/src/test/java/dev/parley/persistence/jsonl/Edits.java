package dev.parley.persistence.jsonl;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;

/**
 * What bytes do to a file of lines: bytes overwritten, the end cut off, lines swapped, repeated and left out, numbers made huge, values
 * nested deeply, zeros put in. What stands behind may be given check sums that fit, as one who forges a file would.
 */
final class Edits {
    private static final int SIZE = 6;
    private static final int MOST = 8;
    private static final int HEAD = "{\"crc\":\"00000000\",".length();
    private static final String[] NUMBERS = {
        "9223372036854775807",
        "-9223372036854775808",
        "99999999999999999999999999",
        "1e999999999",
        "-1E-999999999",
        "1e19"
    };

    private final ByteBuffer input;
    private byte[] bytes;

    private Edits(ByteBuffer input, byte[] bytes) {
        this.input = input;
        this.bytes = bytes;
    }

    /** Edits a file by what is left of the input, which says what to do in edits of one byte for what, four for where and one for how. */
    static byte[] of(ByteBuffer input, byte[] file) {
        Edits edits = new Edits(input, file.clone());
        for (int i = 0; i < MOST && input.remaining() >= SIZE && edits.bytes.length > 0; i++) {
            edits.next();
        }
        return edits.bytes;
    }

    private void next() {
        int what = Byte.toUnsignedInt(input.get()) % 9;
        int at = Math.floorMod(input.getInt(), bytes.length);
        int how = Byte.toUnsignedInt(input.get());
        switch (what) {
            case 0 -> {
                bytes[at] = (byte) how;
            }
            case 1 -> replace(at, bytes.length, "");
            case 2, 3, 4 -> lines(what, at, how);
            case 5 -> number(at, NUMBERS[how % NUMBERS.length]);
            case 6 -> number(at, "[".repeat(2000) + "]".repeat(2000));
            case 7 -> number(at, "{\"a\":".repeat(1500) + "1" + "}".repeat(1500));
            default -> replace(at, at, "\0".repeat(how));
        }
    }

    private void replace(int from, int to, String by) {
        byte[] middle = by.getBytes(StandardCharsets.UTF_8);
        bytes = ByteBuffer.allocate(from + middle.length + bytes.length - to)
                .put(bytes, 0, from)
                .put(middle)
                .put(bytes, to, bytes.length - to)
                .array();
    }

    /** Puts something in the place of the first number behind a place. */
    private void number(int at, String by) {
        int from = at;
        while (from < bytes.length && !(isDigit(from) && (from == 0 || bytes[from - 1] == ':'))) {
            from++;
        }
        int to = from;
        while (to < bytes.length && isDigit(to)) {
            to++;
        }
        if (to > from) {
            replace(from, to, by);
        }
    }

    private boolean isDigit(int at) {
        return bytes[at] >= '0' && bytes[at] <= '9';
    }

    private void lines(int what, int at, int how) {
        List<byte[]> lines = new ArrayList<>(split(bytes));
        int one = at % lines.size();
        int other = how % lines.size();
        switch (what) {
            case 2 -> Collections.swap(lines, one, other);
            case 3 -> lines.add(other, lines.get(one));
            default -> lines.remove(one);
        }
        bytes = joined(lines);
    }

    static List<byte[]> split(byte[] file) {
        List<byte[]> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < file.length; i++) {
            if (file[i] == '\n' || i + 1 == file.length) {
                byte[] line = new byte[i + 1 - from];
                System.arraycopy(file, from, line, 0, line.length);
                lines.add(line);
                from = i + 1;
            }
        }
        return lines;
    }

    private static byte[] joined(List<byte[]> lines) {
        ByteBuffer all =
                ByteBuffer.allocate(lines.stream().mapToInt(line -> line.length).sum());
        lines.forEach(all::put);
        return all.array();
    }

    /** Returns a file each of whose lines has a check sum that fits. */
    static byte[] summed(byte[] file) {
        List<byte[]> lines = new ArrayList<>();
        String sum = "00000000";
        for (byte[] line : split(file)) {
            if (line.length > HEAD && new String(line, 0, 8, StandardCharsets.US_ASCII).equals("{\"crc\":\"")) {
                byte[] body = new byte[line.length - HEAD];
                body[0] = '{';
                System.arraycopy(line, HEAD, body, 1, body.length - 1);
                CRC32 crc = new CRC32();
                crc.update(sum.getBytes(StandardCharsets.US_ASCII));
                crc.update(body);
                sum = String.format("%08x", crc.getValue());
                System.arraycopy(sum.getBytes(StandardCharsets.US_ASCII), 0, line, 8, 8);
            }
            lines.add(line);
        }
        return joined(lines);
    }
}
