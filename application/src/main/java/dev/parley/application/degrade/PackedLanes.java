package dev.parley.application.degrade;

import dev.parley.application.codec.RecordCodec;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Many lanes in little memory: those that were put last as they are, all others as deflated bytes, some dozens in a block, in the
 * order of their keys. Finding a packed lane takes a tenth of a millisecond or less; one that is put again costs nothing until it is
 * packed again. Not safe for concurrent use.
 */
final class PackedLanes {
    /** So many lanes are packed at a time, and stand in one block. */
    private static final int BLOCK = 64;

    private static final int MOST_RECENT = 1_000;

    private final int mostRecent;
    private final NavigableMap<SessionKey, Block> blocks = new TreeMap<>();
    /** Counts instead of what the blocks say; the one that was not put for longest first. */
    private final Map<SessionKey, Lane> recent = new LinkedHashMap<>(16, 0.75f, true);

    PackedLanes() {
        this(MOST_RECENT);
    }

    /** Keeps so many lanes as they are. */
    PackedLanes(int mostRecent) {
        this.mostRecent = mostRecent;
    }

    /** Made when the first lane is packed. */
    private static final class Codec {
        static final RecordCodec<Lane> LANES = RecordCodec.of(Lane.class);
    }

    Optional<Lane> find(SessionKey key) {
        Lane there = recent.get(key);
        if (there != null) {
            return Optional.of(there);
        }
        Map.Entry<SessionKey, Block> at = blocks.floorEntry(key);
        return at == null ? Optional.empty() : at.getValue().find(key);
    }

    /** Returns the lane whose current session this is, that with the smallest key of several. */
    Optional<Lane> ofSession(SessionId session) {
        Stream<Lane> unpacked = recent.values().stream().filter(lane -> isOf(lane, session));
        Stream<Lane> packed = blocks.values().stream()
                .flatMap(block -> block.ofSession(session).stream())
                .filter(lane -> isOf(lane, session) && !recent.containsKey(lane.key()));
        return Stream.concat(unpacked, packed).min(Comparator.comparing(Lane::key));
    }

    private static boolean isOf(Lane lane, SessionId session) {
        return lane.entry().sessionId().equals(session);
    }

    void put(Lane lane) {
        recent.put(lane.key(), lane);
        if (recent.size() >= mostRecent + BLOCK) {
            packOldest();
        }
    }

    void remove(SessionKey key) {
        recent.remove(key);
        Map.Entry<SessionKey, Block> at = blocks.floorEntry(key);
        if (at != null && at.getValue().find(key).isPresent()) {
            NavigableMap<SessionKey, Packed> left = at.getValue().entries();
            left.remove(key);
            blocks.remove(at.getKey());
            add(left);
        }
    }

    /** Hands out every lane, by key, as they are now: what is put or removed meanwhile changes nothing of it. */
    Walk walk() {
        return new Walk(List.copyOf(blocks.values()), new TreeMap<>(recent));
    }

    /**
     * The lanes of a moment. May be used by another thread than the one that changes the lanes.
     *
     * @param blocks the blocks, by key
     * @param recent the lanes that count instead of what the blocks say
     */
    record Walk(List<Block> blocks, NavigableMap<SessionKey, Lane> recent) {
        void forEach(Consumer<Lane> each) {
            NavigableMap<SessionKey, Lane> left = new TreeMap<>(recent);
            for (Block block : blocks) {
                for (Lane lane : block.lanes().values()) {
                    while (!left.isEmpty() && left.firstKey().compareTo(lane.key()) < 0) {
                        each.accept(left.pollFirstEntry().getValue());
                    }
                    Lane later = left.remove(lane.key());
                    each.accept(later == null ? lane : later);
                }
            }
            left.values().forEach(each);
        }

        long count() {
            return blocks.stream().mapToLong(Block::size).sum()
                    + recent.keySet().stream()
                            .filter(key -> blocks.stream().noneMatch(block -> block.has(key)))
                            .count();
        }
    }

    // ------------------------------------------------------------------ packing

    /** Lanes whose keys lie between those of two blocks are packed together. */
    private void packOldest() {
        NavigableMap<SessionKey, Packed> oldest = new TreeMap<>();
        Iterator<Lane> each = recent.values().iterator();
        for (int i = 0; i < BLOCK; i++) {
            Lane lane = each.next();
            oldest.put(lane.key(), Packed.of(lane));
            each.remove();
        }
        while (!oldest.isEmpty()) {
            Map.Entry<SessionKey, Block> at = blocks.floorEntry(oldest.firstKey());
            SessionKey next = blocks.higherKey(oldest.firstKey());
            NavigableMap<SessionKey, Packed> part = next == null ? oldest : oldest.headMap(next, false);
            NavigableMap<SessionKey, Packed> together = new TreeMap<>();
            if (at != null && !(at.getValue().isFull() && at.getValue().endsBefore(part.firstKey()))) {
                together.putAll(at.getValue().entries());
                blocks.remove(at.getKey());
            }
            together.putAll(part);
            part.clear();
            add(together);
        }
    }

    /** As blocks of one size, none of them with twice as many lanes as fit in one. */
    private void add(NavigableMap<SessionKey, Packed> lanes) {
        int parts = Math.max(1, lanes.size() / BLOCK);
        List<Map.Entry<SessionKey, Packed>> all = new ArrayList<>(lanes.entrySet());
        for (int i = 0; i < parts && !all.isEmpty(); i++) {
            Block block = Block.of(all.subList(all.size() * i / parts, all.size() * (i + 1) / parts));
            blocks.put(block.first, block);
        }
    }

    /** The bytes of a lane, and a number of its session. */
    private record Packed(ByteBuffer bytes, int session) {
        static Packed of(Lane lane) {
            return new Packed(
                    ByteBuffer.wrap(Codec.LANES.write(lane)),
                    lane.entry().sessionId().hashCode());
        }

        Lane lane() {
            byte[] there = new byte[bytes.remaining()];
            bytes.duplicate().get(there);
            try {
                return Codec.LANES.read(there);
            } catch (IOException e) {
                throw new IllegalStateException("A lane that was packed cannot be read.", e);
            }
        }
    }

    /** Some lanes with keys beside each other. Never changed. */
    static final class Block {
        private final SessionKey first;
        private final SessionKey last;
        /** In the order of the lanes. */
        private final int[] sessions;

        private final int length;
        private final byte[] deflated;

        private Block(SessionKey first, SessionKey last, int[] sessions, int length, byte[] deflated) {
            this.first = first;
            this.last = last;
            this.sessions = sessions;
            this.length = length;
            this.deflated = deflated;
        }

        private static Block of(List<Map.Entry<SessionKey, Packed>> lanes) {
            int length = 0;
            for (Map.Entry<SessionKey, Packed> each : lanes) {
                length += 2 * Integer.BYTES
                        + Character.BYTES * each.getKey().value().length()
                        + each.getValue().bytes().remaining();
            }
            ByteBuffer plain = ByteBuffer.allocate(length);
            int[] sessions = new int[lanes.size()];
            int number = 0;
            for (Map.Entry<SessionKey, Packed> each : lanes) {
                String key = each.getKey().value();
                plain.putInt(key.length());
                key.chars().forEach(c -> plain.putChar((char) c));
                plain.putInt(each.getValue().bytes().remaining());
                plain.put(each.getValue().bytes().duplicate());
                sessions[number] = each.getValue().session();
                number++;
            }
            return new Block(
                    lanes.get(0).getKey(),
                    lanes.get(lanes.size() - 1).getKey(),
                    sessions,
                    length,
                    deflated(plain.array()));
        }

        private static byte[] deflated(byte[] plain) {
            Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
            try {
                deflater.setInput(plain);
                deflater.finish();
                byte[] bytes = new byte[plain.length + 64];
                int used = 0;
                while (!deflater.finished()) {
                    used += deflater.deflate(bytes, used, bytes.length - used);
                    if (used == bytes.length) {
                        bytes = Arrays.copyOf(bytes, 2 * used);
                    }
                }
                return Arrays.copyOf(bytes, used);
            } finally {
                deflater.end();
            }
        }

        private ByteBuffer inflated() {
            Inflater inflater = new Inflater(true);
            try {
                inflater.setInput(deflated);
                byte[] plain = new byte[length];
                int used = 0;
                while (used < length && !inflater.finished()) {
                    used += inflater.inflate(plain, used, length - used);
                }
                return ByteBuffer.wrap(plain);
            } catch (DataFormatException e) {
                throw new IllegalStateException("Lanes that were packed cannot be read.", e);
            } finally {
                inflater.end();
            }
        }

        int size() {
            return sessions.length;
        }

        private boolean isFull() {
            return sessions.length >= BLOCK;
        }

        private boolean endsBefore(SessionKey key) {
            return last.compareTo(key) < 0;
        }

        private boolean has(SessionKey key) {
            return first.compareTo(key) <= 0
                    && last.compareTo(key) >= 0
                    && entries().containsKey(key);
        }

        private boolean mayHave(SessionId session) {
            int sought = session.hashCode();
            for (int each : sessions) {
                if (each == sought) {
                    return true;
                }
            }
            return false;
        }

        /** Returns the lanes with a session of the same number as this: it, and by chance others. */
        private List<Lane> ofSession(SessionId session) {
            return mayHave(session)
                    ? entries().values().stream()
                            .filter(packed -> packed.session() == session.hashCode())
                            .map(Packed::lane)
                            .toList()
                    : List.of();
        }

        private Optional<Lane> find(SessionKey key) {
            if (endsBefore(key)) {
                return Optional.empty();
            }
            ByteBuffer plain = inflated();
            for (int session : sessions) {
                int keyLength = plain.getInt();
                boolean found = isAt(plain, key.value(), keyLength);
                plain.position(plain.position() + Character.BYTES * keyLength);
                int size = plain.getInt();
                if (found) {
                    return Optional.of(new Packed(plain.slice(plain.position(), size), session).lane());
                }
                plain.position(plain.position() + size);
            }
            return Optional.empty();
        }

        private static boolean isAt(ByteBuffer plain, String key, int length) {
            boolean same = key.length() == length;
            for (int i = 0; same && i < length; i++) {
                same = plain.getChar(plain.position() + Character.BYTES * i) == key.charAt(i);
            }
            return same;
        }

        private NavigableMap<SessionKey, Packed> entries() {
            NavigableMap<SessionKey, Packed> lanes = new TreeMap<>();
            ByteBuffer plain = inflated();
            for (int session : sessions) {
                char[] key = new char[plain.getInt()];
                for (int i = 0; i < key.length; i++) {
                    key[i] = plain.getChar();
                }
                int size = plain.getInt();
                lanes.put(SessionKey.of(new String(key)), new Packed(plain.slice(plain.position(), size), session));
                plain.position(plain.position() + size);
            }
            return lanes;
        }

        private NavigableMap<SessionKey, Lane> lanes() {
            NavigableMap<SessionKey, Lane> lanes = new TreeMap<>();
            entries().forEach((key, packed) -> lanes.put(key, packed.lane()));
            return lanes;
        }
    }
}
