package dev.parley.persistence.jsonl;

import dev.parley.application.scan.ScannedTranscripts;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.jsonl.state.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** The transcripts of a store, read from the session files. */
final class JsonlTranscripts extends ScannedTranscripts {
    private static final Comparator<StoredMessage> IN_ORDER = Comparator.comparingLong(StoredMessage::sequence);
    private static final long HEAP_SHARE = 16;
    private static final long LEAST_HELD = 4L << 20;
    private static final long MOST_HELD = 256L << 20;

    private final Store store;

    JsonlTranscripts(Store store) {
        super(new StoreRows(store));
        this.store = store;
    }

    /** Merges the sessions by walking through windows of the order, so that only one window is held at a time. */
    @Override
    public void forEach(Consumer<StoredMessage> each) {
        long held = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
        new Merge(store, Math.min(Math.max(held, LEAST_HELD), MOST_HELD)).forEach(each);
    }

    /**
     * All messages of a store in one order. Where they are not too much to hold they are read once, else once to learn which places
     * are whose, and then in windows.
     */
    static final class Merge {
        private final Store store;
        private final long heldBytes;

        /** Merges with so many bytes of session files in memory at a time, and at least one message. */
        Merge(Store store, long heldBytes) {
            this.store = store;
            this.heldBytes = heldBytes;
        }

        /** A session and the places of its messages. */
        private static final class Places {
            private final SessionId session;
            private final long[] sequences;

            Places(SessionId session, long[] sequences) {
                this.session = session;
                this.sequences = sequences;
            }

            boolean reaches(long from, long to) {
                for (long each : sequences) {
                    if (each >= from && each < to) {
                        return true;
                    }
                }
                return false;
            }
        }

        void forEach(Consumer<StoredMessage> each) {
            List<Session> sessions = store.read(() -> List.copyOf(store.sessions()));
            long bytes = sessions.stream()
                    .mapToLong(session -> store.read(() -> store.bytes(session.id())))
                    .sum();
            if (bytes <= heldBytes) {
                sessions.stream()
                        .flatMap(session -> store.read(() -> store.passingMessages(session.id())).stream())
                        .sorted(IN_ORDER)
                        .forEachOrdered(each);
            } else {
                inWindows(sessions, (double) heldBytes / bytes, each);
            }
        }

        private void inWindows(List<Session> sessions, double share, Consumer<StoredMessage> each) {
            List<Places> all = new ArrayList<>();
            for (Session session : sessions) {
                long[] sequences = store.read(() -> store.passingMessages(session.id())).stream()
                        .mapToLong(StoredMessage::sequence)
                        .toArray();
                if (sequences.length > 0) {
                    all.add(new Places(session.id(), sequences));
                }
            }
            long[] order = all.stream()
                    .flatMapToLong(places -> Arrays.stream(places.sequences))
                    .sorted()
                    .toArray();
            int window = (int) Math.max(1, order.length * share);
            for (int from = 0; from < order.length; from += window) {
                long end = from + window < order.length ? order[from + window] : Long.MAX_VALUE;
                window(all, order[from], end, each);
            }
        }

        private void window(List<Places> all, long from, long to, Consumer<StoredMessage> each) {
            List<StoredMessage> rows = new ArrayList<>();
            for (Places places : all) {
                if (places.reaches(from, to)) {
                    store.read(() -> store.passingMessages(places.session)).stream()
                            .filter(row -> row.sequence() >= from && row.sequence() < to)
                            .forEach(rows::add);
                }
            }
            rows.sort(IN_ORDER);
            rows.forEach(each);
        }
    }
}
