package dev.parley.domain.title;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Storage 3.4: numbered titles. */
class TitleLineageTest {

    @ParameterizedTest
    @DisplayName("storage 3.4: the next title takes the greatest number and one")
    @CsvSource(
            delimiter = '|',
            value = {
                "Fix Docker Build|Fix Docker Build|Fix Docker Build #2",
                "brand new||brand new",
                "brand new #7||brand new",
                "Auth|Auth,Auth #2,Auth #3|Auth #4",
                "Auth #99|Auth,Auth #2,Auth #3|Auth #4",
                "X|X,X #5|X #6",
                "X #2|X #5|X #6",
                "#3|#3|#3 #2",
                "a#2|a#2|a#2 #2",
                "a#2||a#2",
                "foo|foo #bar|foo #2",
                "foo|foo #2 #7|foo #8",
                "foo #2 #7|foo #2|foo #2 #3",
                "Experiment|Experiment,Experiment #bar,Experiment #2|Experiment #3",
                "auth|AUTH #4|auth #5",
                "auth|AUTH|auth",
                "été|ÉTÉ #4|été",
                "50% off|50x off #8|50% off",
                "a_b|axb #3|a_b",
                "X|X #007|X #8",
            })
    void nextTitle(String title, String taken, String expected) {
        assertThat(TitleLineage.next(title, taken == null ? List.of() : List.of(taken.split(","))))
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("storage 3.4: no number is too great to be followed")
    void numbersDoNotOverflow() {
        assertThat(TitleLineage.next("X", List.of("X #9223372036854775807"))).isEqualTo("X #9223372036854775808");
        assertThat(TitleLineage.next("X", List.of("X #" + "9".repeat(90)))).isEqualTo("X #1" + "0".repeat(90));
        assertThat(TitleLineage.next("X", List.of("X #" + "9".repeat(101)))).isEqualTo("X #2");
        assertThat(TitleLineage.base("X #" + "9".repeat(100_000))).hasSize(100_003);
    }

    @Test
    @DisplayName("storage 3.4: only ASCII digits make a number")
    void otherDigitsAreText() {
        assertThat(TitleLineage.base("X #\u0662")).isEqualTo("X #\u0662");
        assertThat(TitleLineage.base("X #2\n")).isEqualTo("X #2\n");
        assertThat(TitleLineage.base("two\nlines #2")).isEqualTo("two\nlines");
        assertThat(TitleLineage.base(" #2")).isEmpty();
    }

    @Test
    @DisplayName("storage 3.4: a title stands for the newest of its numbered ones, even where it exists itself")
    void numberedOnesComeFirst() {
        List<Session> stored = List.of(
                titled("a", 1, "Auth"),
                titled("b", 3, "Auth #2"),
                titled("c", 2, "auth #9"),
                titled("d", 9, "Auth #bar"));
        assertThat(TitleLineage.resolve("Auth", stored)).map(Session::id).contains(SessionId.of("b"));
        assertThat(TitleLineage.resolve("AUTH", stored)).map(Session::id).contains(SessionId.of("b"));
        assertThat(TitleLineage.resolve("auth #9", stored)).map(Session::id).contains(SessionId.of("c"));
    }

    @Test
    @DisplayName("storage 3.4: newest is the latest start, then the greatest id, not the greatest number")
    void newestIsTheLatestStart() {
        List<Session> stored = List.of(titled("a", 5, "T #9"), titled("b", 7, "T #2"), titled("c", 7, "T #3"));
        assertThat(TitleLineage.resolve("T", stored)).map(Session::id).contains(SessionId.of("c"));
    }

    @Test
    @DisplayName("storage 3.4: an exact title is compared with regard to case, and words behind the # are no number")
    void theExactTitleIsTheLastResort() {
        List<Session> stored = List.of(
                titled("a", 1, "Fix"), titled("b", 2, "fix"), titled("c", 3, "Fix #two"), titled("d", 4, "Fix #2x"));
        assertThat(TitleLineage.resolve("Fix", stored)).map(Session::id).contains(SessionId.of("a"));
        assertThat(TitleLineage.resolve("fix", stored)).map(Session::id).contains(SessionId.of("b"));
        assertThat(TitleLineage.resolve("FIX", stored)).isEmpty();
        assertThat(TitleLineage.resolve("Fix #two", stored)).map(Session::id).contains(SessionId.of("c"));
        assertThat(TitleLineage.resolve("", stored)).isEmpty();
    }

    @Test
    @DisplayName("storage 3.4: a title made as the next one is never taken, and it is the one its base then stands for")
    void theNextTitleIsFree() {
        Random random = new Random(34);
        String[] bases = {"a", "A", "a #2", "b", "%", "_", "#1", "a #x", ""};
        for (int round = 0; round < 500; round++) {
            List<Session> stored = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                String base = bases[random.nextInt(bases.length)];
                String next = TitleLineage.next(
                        random.nextBoolean() ? base : base + " #" + random.nextInt(200),
                        stored.stream().flatMap(s -> s.title().stream()).toList());
                assertThat(stored).noneMatch(s -> s.title().filter(next::equals).isPresent());
                stored.add(titled("s" + (100 + i), i, next));
                if (!next.isEmpty()) {
                    assertThat(TitleLineage.resolve(next, stored)).isPresent();
                }
            }
        }
    }

    private static Session titled(String id, int day, String title) {
        return Session.builder(SessionId.of(id), "cli", Instant.EPOCH.plusSeconds(86_400L * day))
                .title(title)
                .build();
    }
}
