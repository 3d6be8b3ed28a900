package dev.parley.persistence.jsonl.state;

import dev.parley.domain.session.Session;
import java.util.List;

/**
 * A session as it is written down.
 *
 * @param session the session
 * @param file the name of its file
 * @param length how much of the file belongs to what is written down
 * @param uptimeNanos for how long turns ran in it
 * @param settled whether the file's first line and hidden messages stand as other readers should see them
 * @param foreign the parts of the file that other programs wrote
 */
public record SessionRow(
        Session session, String file, long length, long uptimeNanos, boolean settled, List<ForeignPart> foreign) {
    public SessionRow {
        foreign = List.copyOf(foreign);
    }

    /**
     * A part of a file that another program wrote, so that its messages carry no place of their own.
     *
     * @param from where it begins
     * @param to where it ends
     * @param sequence the place of its first message; the others follow
     * @param renumbered whether places that its lines carry are those of another store
     */
    public record ForeignPart(long from, long to, long sequence, boolean renumbered) {
        /** Returns whether a line that begins at {@code at} lies in this part. */
        public boolean holds(long at) {
            return at >= from && at < to;
        }

        /** Returns this part moved by so many bytes. */
        public ForeignPart moved(long by) {
            return new ForeignPart(from + by, to + by, sequence, renumbered);
        }
    }
}
