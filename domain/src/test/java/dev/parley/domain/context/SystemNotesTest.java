package dev.parley.domain.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.context.SystemNotes.Facts;
import dev.parley.domain.context.SystemNotes.Kind;
import dev.parley.domain.context.SystemNotes.Note;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The notes an agent is given (P7.30 to P7.35). */
class SystemNotesTest {
    private static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final Optional<Instant> FRESH = Optional.of(NOW.minus(WINDOW));
    private static final Optional<Instant> STALE = Optional.of(NOW.minus(WINDOW).minusNanos(1));

    private static Optional<Standing.ResumePending> mark(Optional<Instant> at) {
        return Optional.of(new Standing.ResumePending(Optional.of(ResumeReason.RESTART_TIMEOUT), at));
    }

    private static List<String> words(
            Optional<Standing.ResumePending> mark, Optional<Instant> transcript, boolean tool, boolean blank) {
        Facts facts = new Facts(NOW, WINDOW, mark, transcript, tool, blank, Optional.empty(), true, true);
        return SystemNotes.of(facts).stream().map(n -> n.kind().text()).toList();
    }

    @ParameterizedTest(name = "pending {0}, mark {1}, transcript {2}, tool tail {3}, blank {4}: {5}")
    @CsvSource({
        "yes, fresh, stale, true, false, resume",
        "yes, fresh, stale, false, false, resume",
        "yes, stale, fresh, true, false, resume",
        "yes, stale, stale, true, false, ''",
        "yes, stale, stale, false, true, restored",
        "no, stale, fresh, true, false, tool-tail",
        "no, stale, stale, true, false, ''",
        "no, stale, fresh, false, false, ''",
        "no, stale, unknown, true, false, tool-tail",
        "no, stale, stale, false, true, ''"
    })
    @DisplayName("P7.30 to P7.34: at most one of resume, tool-tail and restored")
    void theTable(String pending, String mark, String transcript, boolean tool, boolean blank, String expected) {
        Optional<Instant> clock =
                transcript.equals("unknown") ? Optional.empty() : transcript.equals("fresh") ? FRESH : STALE;
        Optional<Standing.ResumePending> standing =
                pending.equals("yes") ? mark(mark.equals("fresh") ? FRESH : STALE) : Optional.empty();

        assertThat(words(standing, clock, tool, blank)).isEqualTo(expected.isEmpty() ? List.of() : List.of(expected));
    }

    @Test
    @DisplayName("P7.17, D12: exactly the window is fresh, and without a window everything is")
    void freshness() {
        assertThat(SystemNotes.isFresh(FRESH, NOW, WINDOW)).isTrue();
        assertThat(SystemNotes.isFresh(STALE, NOW, WINDOW)).isFalse();
        assertThat(SystemNotes.isFresh(STALE, NOW, Duration.ZERO)).isTrue();
        assertThat(SystemNotes.isFresh(STALE, NOW, Duration.ofSeconds(-1))).isTrue();
        assertThat(SystemNotes.isFresh(Optional.empty(), NOW, WINDOW)).isTrue();
    }

    @Test
    @DisplayName("P7.31: the resume note tells the reason, and whether there is something to answer")
    void theResumeNoteFollowsTheReason() {
        assertThat(resume(ResumeReason.RESTART_TIMEOUT, false)).contains("gateway restart", "address it first");
        assertThat(resume(ResumeReason.SHUTDOWN_TIMEOUT, true)).contains("gateway shutdown", "session was restored");
        assertThat(resume(ResumeReason.RESTART_INTERRUPTED, true)).contains("an interruption");
    }

    private static String resume(ResumeReason reason, boolean blank) {
        Facts facts = new Facts(
                NOW,
                WINDOW,
                Optional.of(new Standing.ResumePending(Optional.of(reason), FRESH)),
                FRESH,
                false,
                blank,
                Optional.empty(),
                true,
                true);
        return SystemNotes.of(facts).get(0).text();
    }

    @Test
    @DisplayName("G3.19, X9.11, P7.32: notes stand before the text, each in brackets and followed by a blank line")
    void notesStandBeforeTheText() {
        Facts facts = new Facts(
                NOW,
                WINDOW,
                Optional.empty(),
                Optional.empty(),
                false,
                false,
                Optional.of(ResetReason.DAILY),
                false,
                false);
        List<Note> notes = SystemNotes.of(facts);

        assertThat(notes).extracting(Note::kind).containsExactly(Kind.AUTO_RESET, Kind.FIRST_CONTACT);
        assertThat(notes)
                .allMatch(n -> n.text().startsWith("[System note") && n.text().endsWith("]"));
        assertThat(SystemNotes.before(notes, "hello")).endsWith("]\n\nhello").contains("daily schedule");
        assertThat(SystemNotes.before(List.of(), "hello")).isEqualTo("hello");
    }
}
