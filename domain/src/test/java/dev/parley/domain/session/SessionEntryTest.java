package dev.parley.domain.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.domain.usage.TokenUsage;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SessionEntryTest {
    private static final Instant THEN = Instant.parse("2026-03-10T09:00:00Z");
    private static final Instant LATER = THEN.plusSeconds(60);
    private static final SessionKey KEY = SessionKey.of("agent:main:discord:group:g:u");
    private static final SessionSource SOURCE = SessionSource.builder(Platform.DISCORD, "g")
            .chatType(ChatType.GROUP)
            .chatName("Guild #general")
            .userId("u")
            .build();
    private static final Standing.ResumePending MARK =
            new Standing.ResumePending(Optional.of(ResumeReason.RESTART_TIMEOUT), Optional.of(THEN));
    private static final ModelOverride OVERRIDE =
            new ModelOverride(Optional.of("big"), Optional.empty(), Optional.empty());

    private static SessionEntry begun() {
        return SessionEntry.begin(KEY, SessionId.of("s1"), SOURCE, THEN, Beginning.ordinary());
    }

    /** An entry on which everything says something. */
    private static SessionEntry busy() {
        return new SessionEntry(
                KEY,
                SessionId.of("s1"),
                THEN,
                LATER,
                Optional.of(SOURCE),
                Optional.of("A name"),
                Optional.of(Platform.DISCORD),
                ChatType.GROUP,
                new EntryUsage(new TokenUsage(1, 2, 3, 4, 5), 15, 0.5, "estimated", 9),
                new Beginning.AfterReset(ResetReason.IDLE, true),
                new Standing.Suspended(Optional.of(MARK)),
                true,
                Optional.of(OVERRIDE));
    }

    @Test
    @DisplayName("E2.4: the dictionary has all fields always, except the origin and the override")
    void theDictionary() {
        assertThat(EntryDictionary.write(busy(), Instant::toString))
                .containsExactly(
                        entry("session_key", "agent:main:discord:group:g:u"),
                        entry("session_id", "s1"),
                        entry("created_at", "2026-03-10T09:00:00Z"),
                        entry("updated_at", "2026-03-10T09:01:00Z"),
                        entry("display_name", "A name"),
                        entry("platform", "discord"),
                        entry("chat_type", "group"),
                        entry("input_tokens", 1L),
                        entry("output_tokens", 2L),
                        entry("cache_read_tokens", 3L),
                        entry("cache_write_tokens", 4L),
                        entry("reasoning_tokens", 5L),
                        entry("total_tokens", 15L),
                        entry("last_prompt_tokens", 9L),
                        entry("estimated_cost_usd", 0.5),
                        entry("cost_status", "estimated"),
                        entry("was_auto_reset", true),
                        entry("auto_reset_reason", "idle"),
                        entry("reset_had_activity", true),
                        entry("is_fresh_reset", false),
                        entry("expiry_finalized", true),
                        entry("suspended", true),
                        entry("resume_pending", true),
                        entry("resume_reason", "restart_timeout"),
                        entry("last_resume_marked_at", "2026-03-10T09:00:00Z"),
                        entry("origin", SourceDictionary.write(SOURCE)),
                        entry("model_override", Map.of("model", "big")));
        SessionEntry quiet = new SessionEntry(
                KEY,
                SessionId.of("s1"),
                THEN,
                THEN,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                ChatType.DM,
                EntryUsage.NONE,
                Beginning.ordinary(),
                Standing.open(),
                false,
                Optional.empty());
        assertThat(EntryDictionary.write(quiet, Instant::toString))
                .hasSize(25)
                .containsEntry("display_name", null)
                .containsEntry("resume_reason", null)
                .doesNotContainKeys("origin", "model_override");
    }

    private static Set<String> differences(SessionEntry before, SessionEntry after) {
        Set<String> names = new TreeSet<>();
        for (RecordComponent component : SessionEntry.class.getRecordComponents()) {
            try {
                if (!component
                        .getAccessor()
                        .invoke(before)
                        .equals(component.getAccessor().invoke(after))) {
                    names.add(component.getName());
                }
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("A component cannot be read.", e);
            }
        }
        return names;
    }

    @Test
    @DisplayName("G3.6, E2.1: a new entry has no flags and no usage")
    void aNewEntryHasNoFlagsAndNoUsage() {
        SessionEntry entry = begun();

        assertThat(entry.createdAt()).isEqualTo(THEN).isEqualTo(entry.updatedAt());
        assertThat(entry.origin()).hasValue(SOURCE);
        assertThat(entry.displayName()).hasValue("Guild #general");
        assertThat(entry.platform()).hasValue(Platform.DISCORD);
        assertThat(entry.chatType()).isEqualTo(ChatType.GROUP);
        assertThat(entry.usage()).isEqualTo(new EntryUsage(TokenUsage.NONE, 0, 0.0, "unknown", 0));
        assertThat(entry.autoResetReason()).isEmpty();
        assertThat(entry.isSuspended()).isFalse();
        assertThat(entry.toBeResumed()).isEmpty();
        assertThat(entry.expiryFinalized()).isFalse();
        assertThat(entry.modelOverride()).isEmpty();
        assertThat(entry.hadActivity()).isFalse();
    }

    @Test
    @DisplayName("O4.2, O4.3: the next session of a lane keeps origin, name, platform and type, and nothing else")
    void theNextSessionOfALaneKeepsWhereItIsAndNothingElse() {
        SessionEntry next = busy().followedBy(SessionId.of("s2"), LATER, Beginning.fresh());

        assertThat(next)
                .isEqualTo(new SessionEntry(
                        KEY,
                        SessionId.of("s2"),
                        LATER,
                        LATER,
                        Optional.of(SOURCE),
                        Optional.of("A name"),
                        Optional.of(Platform.DISCORD),
                        ChatType.GROUP,
                        EntryUsage.NONE,
                        Beginning.fresh(),
                        Standing.open(),
                        false,
                        Optional.empty()));
    }

    @Test
    @DisplayName("G3.22: a session is new until something has happened, and after a reset until a turn took notice")
    void aSessionIsNewUntilATurnTookNotice() {
        assertThat(begun().isNew()).isTrue();
        assertThat(begun().usedAt(LATER).isNew()).isFalse();
        for (Beginning beginning :
                new Beginning[] {Beginning.fresh(), new Beginning.AfterReset(ResetReason.DAILY, false)}) {
            SessionEntry entry =
                    begun().followedBy(SessionId.of("s2"), THEN, beginning).usedAt(LATER);
            assertThat(entry.isNew()).isTrue();
            assertThat(entry.beginningNoticed().isNew()).isFalse();
            assertThat(differences(entry, entry.beginningNoticed())).containsExactly("beginning");
        }
    }

    @Test
    @DisplayName("G3.7, G3.23: only an automatic reset has a reason")
    void onlyAnAutomaticResetHasAReason() {
        assertThat(busy().autoResetReason()).hasValue(ResetReason.IDLE);
        assertThat(busy().beginningNoticed().autoResetReason()).isEmpty();
        assertThat(busy().followedBy(SessionId.of("s2"), LATER, Beginning.fresh())
                        .autoResetReason())
                .isEmpty();
    }

    @Test
    @DisplayName("O4.4: suspending keeps a mark underneath, without effect, and is idempotent")
    void suspendingKeepsAMarkUnderneath() {
        SessionEntry marked = begun().withStanding(MARK);
        SessionEntry suspended = marked.suspended();

        assertThat(suspended.isSuspended()).isTrue();
        assertThat(suspended.toBeResumed()).isEmpty();
        assertThat(suspended.standing().resumePending()).hasValue(MARK);
        assertThat(suspended.suspended()).isEqualTo(suspended);
        assertThat(differences(marked, suspended)).containsExactly("standing");
    }

    @Test
    @DisplayName("O4.5: marking again refreshes reason and time; a suspended entry is not marked")
    void markingAgainRefreshesAndASuspendedEntryIsNotMarked() {
        SessionEntry again = begun().markedForResume(ResumeReason.RESTART_TIMEOUT, THEN)
                .markedForResume(ResumeReason.SHUTDOWN_TIMEOUT, LATER);

        assertThat(again.toBeResumed())
                .hasValue(new Standing.ResumePending(Optional.of(ResumeReason.SHUTDOWN_TIMEOUT), Optional.of(LATER)));
        assertThat(begun().suspended().markedForResume(ResumeReason.RESTART_TIMEOUT, LATER))
                .isEqualTo(begun().suspended());
        assertThat(busy().markedForResume(ResumeReason.SHUTDOWN_TIMEOUT, LATER)).isEqualTo(busy());
    }

    @Test
    @DisplayName("O4.6: clearing takes the mark away and leaves a suspension")
    void clearingTakesTheMarkAwayAndLeavesASuspension() {
        assertThat(begun().withStanding(MARK).resumeCleared().standing()).isEqualTo(Standing.open());
        assertThat(begun().withStanding(MARK).suspended().resumeCleared().standing())
                .isEqualTo(new Standing.Suspended(Optional.empty()));
        assertThat(begun().resumeCleared()).isEqualTo(begun());
    }

    @Test
    @DisplayName("D15: activity never goes back and makes a finalised entry live again")
    void activityNeverGoesBackAndRevives() {
        assertThat(begun().usedAt(LATER).updatedAt()).isEqualTo(LATER);
        assertThat(begun().usedAt(LATER).usedAt(THEN).updatedAt()).isEqualTo(LATER);
        assertThat(busy().usedAt(THEN).expiryFinalized()).isFalse();
        assertThat(differences(busy(), busy().usedAt(LATER.plusSeconds(1))))
                .containsExactly("expiryFinalized", "updatedAt");
    }

    @Test
    @DisplayName("O4.1: usage adds up; the size of the last prompt is set where given, also to 0")
    void usageAddsUpAndThePromptSizeIsSetWhereGiven() {
        SessionEntry used = busy().used(new TokenUsage(1, 1, 1, 1, 1), 0.25, Optional.empty());

        assertThat(used.usage()).isEqualTo(new EntryUsage(new TokenUsage(2, 3, 4, 5, 6), 20, 0.75, "estimated", 9));
        assertThat(busy().used(TokenUsage.NONE, 0, Optional.of(0L)).usage().lastPromptTokens())
                .isZero();
        assertThat(differences(busy(), used)).containsExactly("usage");
    }

    @Test
    @DisplayName("C5: a session had activity once it used any token")
    void aSessionHadActivityOnceItUsedAnyToken() {
        assertThat(begun().used(TokenUsage.NONE, 0.5, Optional.of(7L)).hadActivity())
                .isFalse();
        assertThat(begun().used(new TokenUsage(0, 0, 0, 0, 1), 0, Optional.empty())
                        .hadActivity())
                .isTrue();
    }

    @Test
    @DisplayName("W10.4, W10.6: finalising drops the override only where it is told to")
    void finalisingDropsTheOverrideOnlyWhereToldTo() {
        SessionEntry live = busy().usedAt(LATER);

        assertThat(differences(live, live.finalised(false))).containsExactly("expiryFinalized");
        assertThat(differences(live, live.finalised(true))).containsExactly("expiryFinalized", "modelOverride");
    }

    @Test
    @DisplayName("G3.14: a continuation changes the session and nothing else")
    void aContinuationChangesTheSessionAndNothingElse() {
        assertThat(differences(busy(), busy().continuedAs(SessionId.of("tip")))).containsExactly("sessionId");
    }

    @Test
    @DisplayName("E2.2: an empty override is none")
    void anEmptyOverrideIsNone() {
        ModelOverride empty = new ModelOverride(Optional.empty(), Optional.empty(), Optional.empty());

        assertThat(busy().withModelOverride(Optional.of(empty)).modelOverride()).isEmpty();
        assertThat(begun().withModelOverride(Optional.of(OVERRIDE)).modelOverride())
                .hasValue(OVERRIDE);
    }

    @Test
    void anotherKeyChangesTheKeyAndNothingElse() {
        assertThat(differences(busy(), busy().withKey(SessionKey.of("agent:main:other"))))
                .containsExactly("key");
    }
}
