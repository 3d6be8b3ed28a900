package dev.parley.persistence.jsonl.state;

import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import java.util.Arrays;
import java.util.List;

/**
 * What the ids of a session's messages hash to: tells of most ids that the session has no such message, without its transcript. Ids
 * are never taken away. Not safe for concurrent changes.
 */
final class IdHashes {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    /** Open addressing; 0 is a free place. */
    private long[] places = new long[8];

    private int count;

    static IdHashes of(List<StoredMessage> rows) {
        IdHashes hashes = new IdHashes();
        rows.forEach(row -> hashes.add(row.message().id()));
        return hashes;
    }

    void add(MessageId id) {
        if (2 * (count + 1) > places.length) {
            long[] before = places;
            places = new long[2 * before.length];
            count = 0;
            Arrays.stream(before).filter(hash -> hash != 0).forEach(this::put);
        }
        put(hash(id));
    }

    /** Returns false only where no message with this id was ever added. */
    boolean mayContain(MessageId id) {
        long hash = hash(id);
        return places[placeOf(hash)] == hash;
    }

    private void put(long hash) {
        int place = placeOf(hash);
        count += places[place] == 0 ? 1 : 0;
        places[place] = hash;
    }

    /** The place of a hash, or the free one where it belongs. */
    private int placeOf(long hash) {
        int place = (int) (hash ^ hash >>> 32) & places.length - 1;
        while (places[place] != 0 && places[place] != hash) {
            place = place + 1 & places.length - 1;
        }
        return place;
    }

    private static long hash(MessageId id) {
        long hash = OFFSET;
        for (int i = 0; i < id.value().length(); i++) {
            hash = (hash ^ id.value().charAt(i)) * PRIME;
        }
        return hash == 0 ? 1 : hash;
    }
}
