package dev.parley.application.degrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lanes in little memory are those that were put. */
class PackedLanesTest {
    private static final Instant START = Instant.parse("2026-03-10T08:00:00Z");

    private static SessionKey key(int n) {
        return SessionKey.of("agent:main:telegram:dm:" + n);
    }

    private static Lane lane(int n, int session, long epoch) {
        SessionSource source = SessionSource.builder(Platform.TELEGRAM, Integer.toString(n))
                .chatType(ChatType.DM)
                .chatName("Käthe 🌊 " + n)
                .build();
        return new Lane(
                SessionEntry.begin(key(n), SessionId.of("s" + session), source, START, Beginning.ordinary()), epoch);
    }

    private static List<Lane> all(PackedLanes lanes) {
        List<Lane> all = new ArrayList<>();
        lanes.walk().forEach(all::add);
        return all;
    }

    @Test
    void ofManyLanesEachIsFound() {
        PackedLanes lanes = new PackedLanes(10);
        for (int n = 0; n < 2_000; n++) {
            lanes.put(lane(n, n, 1));
        }

        for (int n = 0; n < 2_000; n++) {
            assertThat(lanes.find(key(n))).contains(lane(n, n, 1));
        }
        assertThat(lanes.find(SessionKey.of("a"))).isEmpty();
        assertThat(lanes.find(SessionKey.of("z"))).isEmpty();
        assertThat(lanes.find(key(2_000))).isEmpty();
        assertThat(lanes.walk().count()).isEqualTo(2_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @DisplayName("Whatever is put, put again and removed, in whatever order: what is there is what was put last")
    void whatIsThereIsWhatWasPutLast(long seed) {
        Random random = new Random(seed);
        PackedLanes lanes = new PackedLanes(20);
        TreeMap<SessionKey, Lane> expected = new TreeMap<>();
        for (int step = 0; step < 3_000; step++) {
            int n = random.nextInt(600);
            if (random.nextInt(5) == 0) {
                lanes.remove(key(n));
                expected.remove(key(n));
            } else {
                Lane put = lane(n, random.nextInt(900), step);
                lanes.put(put);
                expected.put(put.key(), put);
            }
        }

        assertThat(all(lanes)).containsExactlyElementsOf(expected.values());
        assertThat(lanes.walk().count()).isEqualTo(expected.size());
        for (int session = 0; session < 900; session++) {
            SessionId id = SessionId.of("s" + session);
            Optional<Lane> smallest = expected.values().stream()
                    .filter(lane -> lane.entry().sessionId().equals(id))
                    .findFirst();
            assertThat(lanes.ofSession(id)).isEqualTo(smallest);
        }
    }

    @Test
    void aWalkShowsTheLanesOfItsMoment() {
        PackedLanes lanes = new PackedLanes(10);
        for (int n = 0; n < 300; n++) {
            lanes.put(lane(n, n, 1));
        }
        List<Lane> before = all(lanes);
        List<Lane> seen = new ArrayList<>();
        lanes.walk().forEach(lane -> {
            lanes.remove(lane.key());
            lanes.put(lane(1_000 + seen.size(), 1, 2));
            seen.add(lane);
        });

        assertThat(seen).isEqualTo(before);
    }

    @Test
    @DisplayName("Keys that sort otherwise elsewhere, beyond the first plane of Unicode, are found too")
    void keysBeyondTheFirstPlaneAreFound() {
        PackedLanes lanes = new PackedLanes(1);
        List<SessionKey> keys = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            keys.add(SessionKey.of("key:\uFF21" + n));
            keys.add(SessionKey.of("key:🌊" + n));
        }
        keys.forEach(key -> lanes.put(new Lane(lane(1, 1, 1).entry().withKey(key), 1)));

        assertThat(keys).allSatisfy(key -> assertThat(lanes.find(key)).isPresent());
    }
}
