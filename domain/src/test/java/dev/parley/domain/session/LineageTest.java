package dev.parley.domain.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.text.RawJson;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Chains of sessions (storage 3.7). */
class LineageTest {
    private static final Instant BEGIN = Instant.parse("2026-03-10T09:00:00Z");

    private final Map<SessionId, Session> sessions = new HashMap<>();
    private final Set<SessionId> spoken = new HashSet<>();
    private final Map<SessionId, Instant> active = new HashMap<>();
    private final Lineage.Family family = new Lineage.Family() {
        @Override
        public Optional<Session> find(SessionId id) {
            return Optional.ofNullable(sessions.get(id));
        }

        @Override
        public List<Session> childrenOf(SessionId id) {
            return sessions.values().stream()
                    .filter(s -> s.parent().filter(id::equals).isPresent())
                    .sorted(Comparator.comparing(Session::startedAt).reversed())
                    .toList();
        }

        @Override
        public Instant lastActive(Session session) {
            return active.getOrDefault(session.id(), session.startedAt());
        }

        @Override
        public boolean hasMessages(Session session) {
            return spoken.contains(session.id());
        }
    };

    private Session.Builder session(String id, @Nullable String parent, @Nullable String ended, int minute) {
        return Session.builder(SessionId.of(id), "telegram", BEGIN.plusSeconds(60L * minute))
                .parent(parent == null ? null : SessionId.of(parent))
                .ending(ended == null ? null : Ending.of(BEGIN.plusSeconds(60L * minute + 30), ended));
    }

    private void add(Session.Builder session) {
        Session made = session.build();
        sessions.put(made.id(), made);
    }

    private String tip(String id) {
        return Lineage.compressionTip(SessionId.of(id), family).value();
    }

    @Test
    @DisplayName("G3.14: the tip is at the end of the chain of compressed sessions")
    void theTipIsAtTheEnd() {
        add(session("a", null, "compression", 0));
        add(session("b", "a", "compression", 1));
        add(session("c", "b", null, 2));

        assertThat(tip("a")).isEqualTo("c");
        assertThat(tip("c")).isEqualTo("c");
        assertThat(tip("unknown")).isEqualTo("unknown");
    }

    @Test
    @DisplayName("G3.14: a session that was not compressed has no continuation, whatever children it has")
    void onlyCompressionContinues() {
        add(session("a", null, "branched", 0));
        add(session("b", "a", null, 1));

        assertThat(tip("a")).isEqualTo("a");
    }

    @Test
    @DisplayName("G3.14: branches, delegates and tool sessions are no continuations")
    void sidewaysChildrenAreSkipped() {
        add(session("a", null, "compression", 0));
        add(session("b", "a", null, 1));
        add(session("c", "a", null, 2).modelConfig(new RawJson("{\"_branched_from\": \"a\"}")));
        add(session("d", "a", null, 3).modelConfig(new RawJson("{\"_delegate_from\": \"a\"}")));
        add(session("e", "a", null, 4).source("tool"));

        assertThat(tip("a")).isEqualTo("b");
    }

    @Test
    @DisplayName("G3.14: a compressed child before a live one, a live one before an ended one, then the latest active")
    void thePreferredContinuation() {
        add(session("a", null, "compression", 0));
        add(session("ended", "a", "session_reset", 9));
        add(session("live1", "a", null, 1));
        add(session("live2", "a", null, 2));
        active.put(SessionId.of("live1"), BEGIN.plusSeconds(6000));
        assertThat(tip("a")).isEqualTo("live1");
        add(session("compressed", "a", "compression", 1));
        assertThat(tip("a")).isEqualTo("compressed");
    }

    @Test
    @DisplayName("Storage 3.7: a continuation goes on though it was begun shortly before its parent's end")
    void aContinuationMayBeginBeforeTheEnd() {
        add(session("a", null, "compression", 1));
        add(session("before", "a", null, 0));

        assertThat(tip("a")).isEqualTo("before");
        assertThat(Lineage.continues(known("before"), parentEnd("before"))).isTrue();
    }

    private Session known(String id) {
        return family.find(SessionId.of(id)).orElseThrow();
    }

    private Optional<Ending> parentEnd(String id) {
        return known(id).parent().flatMap(family::find).flatMap(Session::ending);
    }

    private boolean standsAlone(String id) {
        return Lineage.standsAlone(known(id), parentEnd(id));
    }

    @Test
    @DisplayName("Storage 3.9: roots and branches have rows of their own; delegates and continuations have none")
    void whatHasARowOfItsOwn() {
        RawJson branch = new RawJson("{\"_branched_from\": \"a\"}");
        RawJson delegate = new RawJson("{\"_delegate_from\": \"a\"}");
        add(session("a", null, "branched", 0));
        add(session("branch", "a", null, 1));
        add(session("earlier", "a", null, 0));
        add(session("marked", "a", null, 0).modelConfig(branch));
        add(session("delegate", "a", null, 1).modelConfig(delegate));
        add(session("orphan", null, null, 1).modelConfig(delegate));
        assertThat(List.of("a", "branch", "marked")).allMatch(this::standsAlone);
        assertThat(List.of("earlier", "delegate", "orphan")).noneMatch(this::standsAlone);

        add(session("a", null, null, 0));
        assertThat(standsAlone("marked")).isTrue();
        assertThat(standsAlone("branch")).isFalse();
        add(session("a", null, "compression", 0));
        assertThat(standsAlone("branch")).isFalse();
    }

    @Test
    @DisplayName("Storage 3.9: a chain is active when any of its continuations is, whatever its sideways children do")
    void theActivityOfAChain() {
        add(session("a", null, "compression", 0));
        add(session("b", "a", "compression", 1));
        add(session("c", "b", null, 2));
        add(session("tool", "b", null, 50).source("tool"));
        active.put(SessionId.of("a"), BEGIN.plusSeconds(9000));
        Session root = known("a");

        assertThat(Lineage.lastActiveOfChain(root, family)).isEqualTo(BEGIN.plusSeconds(9000));
        active.put(SessionId.of("c"), BEGIN.plusSeconds(9500));
        assertThat(Lineage.lastActiveOfChain(root, family)).isEqualTo(BEGIN.plusSeconds(9500));
    }

    @Test
    @DisplayName("Storage 3.7: later versions resume at the tip, or at the last continuation of it that has messages")
    void theResumeIdAtTheTip() {
        add(session("a", null, "compression", 0));
        add(session("b", "a", null, 1));
        spoken.add(SessionId.of("a"));
        assertThat(Lineage.resumeIdAtTip(SessionId.of("a"), family).value()).isEqualTo("b");
        add(session("c", "b", null, 2));
        add(session("d", "c", null, 3));
        spoken.add(SessionId.of("c"));
        assertThat(Lineage.resumeIdAtTip(SessionId.of("a"), family).value()).isEqualTo("c");
        spoken.add(SessionId.of("d"));
        assertThat(Lineage.resumeIdAtTip(SessionId.of("a"), family).value()).isEqualTo("d");
        spoken.add(SessionId.of("b"));
        assertThat(Lineage.resumeIdAtTip(SessionId.of("a"), family).value()).isEqualTo("b");
        assertThat(Lineage.resumeIdAtTip(SessionId.of("x"), family).value()).isEqualTo("x");
    }

    @Test
    @DisplayName("G3.14: a circle ends")
    void aCircleEnds() {
        add(session("a", "b", "compression", 0));
        add(session("b", "a", "compression", 1));

        assertThat(tip("a")).isEqualTo("b");
        assertThat(Lineage.ancestors(SessionId.of("a"), family)).hasSize(2);
    }

    @Test
    @DisplayName("Storage 3.7: resuming goes to the first session with messages along the newest children")
    void theResumeId() {
        add(session("a", null, "compression", 0));
        add(session("b", "a", null, 1));
        add(session("c", "a", null, 2));
        assertThat(Lineage.resumeId(SessionId.of("a"), family).value()).isEqualTo("a");
        spoken.add(SessionId.of("c"));
        assertThat(Lineage.resumeId(SessionId.of("a"), family).value()).isEqualTo("c");
        spoken.add(SessionId.of("a"));
        assertThat(Lineage.resumeId(SessionId.of("a"), family).value()).isEqualTo("a");
        assertThat(Lineage.resumeId(SessionId.of("x"), family).value()).isEqualTo("x");
    }
}
