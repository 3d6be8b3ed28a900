package dev.parley.application.spi;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a {@link WebSurface} answers. */
public sealed interface WebResponse {
    /** Returns the status, such as 200. */
    int status();

    /** Returns the headers, by name. */
    Map<String, String> headers();

    /**
     * A text that is there as a whole.
     *
     * @param status the status
     * @param headers the headers
     * @param body the text
     */
    record Whole(int status, Map<String, String> headers, String body) implements WebResponse {
        public Whole {
            headers = Map.copyOf(headers);
        }

        /** Returns this with another header. */
        public Whole with(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Whole(status, more, body);
        }
    }

    /**
     * An answer that goes on: pieces of text, written one behind the other as the reader takes them. A reader that takes none holds
     * no thread and no pieces.
     *
     * @param status the status
     * @param headers the headers
     * @param source the pieces
     */
    record Stream(int status, Map<String, String> headers, WebStream source) implements WebResponse {
        public Stream {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * A text that is too long to be there as a whole, such as a file to be saved. Its pieces are made one by one, each once the reader
     * has taken the one before, so a slow reader holds no thread and one piece. Where a piece cannot be made the connection is broken
     * off: nobody takes a part for the whole.
     *
     * @param status the status
     * @param headers the headers
     * @param source the pieces
     */
    record Pieces(int status, Map<String, String> headers, WebPieces source) implements WebResponse {
        public Pieces {
            headers = Map.copyOf(headers);
        }
    }

    /** Returns a text. */
    static Whole text(int status, String type, String text) {
        return new Whole(status, Map.of("Content-Type", type), text);
    }

    /** Returns the answer that sends a browser elsewhere, to be asked with GET. */
    static Whole see(String address) {
        return new Whole(303, Map.of("Location", address), "");
    }
}
