package dev.parley.persistence.jsonl.state;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The beginning of a stream. */
final class Bounded extends FilterInputStream {
    private long left;

    Bounded(InputStream in, long length) {
        super(in);
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        int c = left > 0 ? in.read() : -1;
        left -= c < 0 ? 0 : 1;
        return c;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (left <= 0) {
            return -1;
        }
        int n = in.read(into, from, (int) Math.min(length, left));
        left -= Math.max(0, n);
        return n;
    }
}
