package dev.parley.domain.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TouchLaneTest {
    private static final SessionKey KEY = SessionKey.of("agent:main:telegram:dm:1");
    private static final SessionId SESSION = SessionId.of("s");
    private static final Instant THEN = Instant.parse("2026-03-10T09:00:00Z");
    private static final List<Standing.ResumePending> MARKS = List.of(
            new Standing.ResumePending(Optional.of(ResumeReason.RESTART_TIMEOUT), Optional.of(THEN)),
            new Standing.ResumePending(Optional.of(ResumeReason.RESTART_TIMEOUT), Optional.of(THEN.plusSeconds(1))));

    private static SessionEntry entry(Random random) {
        SessionEntry entry = SessionEntry.begin(
                KEY, SESSION, SessionSource.builder(Platform.TELEGRAM, "1").build(), THEN, Beginning.ordinary());
        if (random.nextBoolean()) {
            entry = entry.withStanding(MARKS.get(random.nextInt(2)));
        }
        if (random.nextInt(4) == 0) {
            entry = entry.suspended();
        }
        return random.nextInt(4) == 0 ? entry.finalised(false) : entry;
    }

    private static Change.TouchLane touch(Random random, Optional<Long> prompt) {
        return new Change.TouchLane(
                KEY,
                random.nextInt(5) == 0 ? SessionId.of("former") : SESSION,
                THEN.plusSeconds(random.nextInt(100)),
                new TokenUsage(
                        random.nextInt(9), random.nextInt(9), random.nextInt(9), random.nextInt(9), random.nextInt(9)),
                random.nextInt(64) / 64.0,
                prompt,
                random.nextBoolean() ? Optional.of(MARKS.get(random.nextInt(2))) : Optional.empty());
    }

    @Test
    @DisplayName("Touches commute: whatever their order, the entry is the same")
    void touchesCommute() {
        Random random = new Random(7);
        for (int run = 0; run < 500; run++) {
            SessionEntry entry = entry(random);
            List<Change.TouchLane> touches = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                touches.add(touch(random, i == 0 ? Optional.of(5L) : Optional.empty()));
            }
            SessionEntry expected = applied(entry, touches);
            Collections.shuffle(touches, random);
            assertThat(applied(entry, touches)).isEqualTo(expected);
        }
    }

    private static SessionEntry applied(SessionEntry entry, List<Change.TouchLane> touches) {
        SessionEntry after = entry;
        for (Change.TouchLane touch : touches) {
            after = touch.applyTo(after);
        }
        return after;
    }

    @Test
    void aTouchOfAnotherSessionChangesNothing() {
        Random random = new Random(8);
        SessionEntry entry = entry(random);
        Change.TouchLane other = new Change.TouchLane(
                KEY,
                SessionId.of("former"),
                THEN.plusSeconds(99),
                new TokenUsage(1, 1, 1, 1, 1),
                1.0,
                Optional.of(1L),
                Optional.of(MARKS.get(0)));

        assertThat(other.applyTo(entry)).isSameAs(entry);
    }

    @Test
    void onlyTheMarkThatWasSeenIsCleared() {
        SessionEntry marked = SessionEntry.begin(
                        KEY,
                        SESSION,
                        SessionSource.builder(Platform.TELEGRAM, "1").build(),
                        THEN,
                        Beginning.ordinary())
                .withStanding(MARKS.get(0));

        assertThat(clearing(MARKS.get(1)).applyTo(marked).toBeResumed()).hasValue(MARKS.get(0));
        assertThat(clearing(MARKS.get(0)).applyTo(marked).toBeResumed()).isEmpty();
        assertThat(clearing(MARKS.get(0)).applyTo(marked.suspended()).standing())
                .isEqualTo(marked.suspended().standing());
    }

    private static Change.TouchLane clearing(Standing.ResumePending mark) {
        return new Change.TouchLane(KEY, SESSION, THEN, TokenUsage.NONE, 0, Optional.empty(), Optional.of(mark));
    }
}
