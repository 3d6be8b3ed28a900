package dev.parley.domain.session;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.Optional;

/**
 * A lane's current session and everything known about it without reading its transcript (E2). Immutable; each operation
 * returns the entry after it.
 *
 * @param key the lane
 * @param sessionId the session
 * @param createdAt when this session began
 * @param updatedAt its last activity
 * @param origin where the session's first message came from; absent where it was never known or could not be read
 * @param displayName the chat's name
 * @param platform the platform, kept for the look-up of policies
 * @param chatType the chat's type, kept for the look-up of policies
 * @param usage tokens and cost
 * @param beginning how the session began
 * @param standing whether it is open, to be resumed, or suspended
 * @param expiryFinalized whether the expiry watcher has finalised it (W10.9)
 * @param modelOverride a model chosen for this lane
 */
public record SessionEntry(
        SessionKey key,
        SessionId sessionId,
        Instant createdAt,
        Instant updatedAt,
        Optional<SessionSource> origin,
        Optional<String> displayName,
        Optional<Platform> platform,
        ChatType chatType,
        EntryUsage usage,
        Beginning beginning,
        Standing standing,
        boolean expiryFinalized,
        Optional<ModelOverride> modelOverride) {

    public SessionEntry {
        modelOverride = modelOverride.filter(o -> !o.isEmpty());
    }

    /** Returns the entry of a new session begun by a message from {@code source} (G3.6, G3.8). */
    public static SessionEntry begin(
            SessionKey key, SessionId id, SessionSource source, Instant now, Beginning beginning) {
        return new SessionEntry(
                key,
                id,
                now,
                now,
                Optional.of(source),
                source.chatName(),
                Optional.of(source.platform()),
                source.chatType(),
                EntryUsage.NONE,
                beginning,
                Standing.open(),
                false,
                Optional.empty());
    }

    /**
     * Returns the entry of the session that follows this one on the same lane: origin, platform and chat type stay, counters,
     * marks and overrides do not (O4.2, O4.3).
     */
    public SessionEntry followedBy(SessionId id, Instant now, Beginning next) {
        return new SessionEntry(
                key,
                id,
                now,
                now,
                origin,
                displayName,
                platform,
                chatType,
                EntryUsage.NONE,
                next,
                Standing.open(),
                false,
                Optional.empty());
    }

    /**
     * Returns true where the session counts as new to its next turn (G3.22): nothing has happened since it began, or it began
     * by a reset that no turn has taken notice of.
     */
    public boolean isNew() {
        return createdAt.equals(updatedAt) || !(beginning instanceof Beginning.Ordinary);
    }

    /** Returns true where the next access starts a new session. */
    public boolean isSuspended() {
        return standing instanceof Standing.Suspended;
    }

    /** Returns the mark to be resumed, where it has effect: not while suspended. */
    public Optional<Standing.ResumePending> toBeResumed() {
        return isSuspended() ? Optional.empty() : standing.resumePending();
    }

    /** Returns whether any token was used (C5). */
    public boolean hadActivity() {
        return usage.totalTokens() > 0;
    }

    /** Returns the reason where this session follows an automatic reset that no turn has taken notice of. */
    public Optional<ResetReason> autoResetReason() {
        return beginning instanceof Beginning.AfterReset r ? Optional.of(r.reason()) : Optional.empty();
    }

    /** Returns this entry used at {@code now}: activity never goes back, and a finalised entry becomes live again (D15). */
    public SessionEntry usedAt(Instant now) {
        return copy(
                sessionId, now.isAfter(updatedAt) ? now : updatedAt, usage, beginning, standing, false, modelOverride);
    }

    /**
     * Returns this entry as it is for a clock that has come back: activity later than {@code now} counts as activity now, because
     * nobody knows when it really was, and waiting for the clock to reach it would keep the session for as long.
     */
    public SessionEntry notUsedAfter(Instant now) {
        return updatedAt.isAfter(now)
                ? copy(sessionId, now, usage, beginning, standing, expiryFinalized, modelOverride)
                : this;
    }

    /** Returns this entry with the notice of its beginning taken (G3.20, G3.22). */
    public SessionEntry beginningNoticed() {
        return copy(sessionId, updatedAt, usage, Beginning.ordinary(), standing, expiryFinalized, modelOverride);
    }

    /** Returns this entry suspended; a mark to be resumed stays underneath (O4.4). */
    public SessionEntry suspended() {
        return isSuspended() ? this : withStanding(new Standing.Suspended(standing.resumePending()));
    }

    /** Returns this entry marked to be resumed; a suspended entry stays as it is (O4.5). */
    public SessionEntry markedForResume(ResumeReason reason, Instant at) {
        return isSuspended() ? this : withStanding(new Standing.ResumePending(Optional.of(reason), Optional.of(at)));
    }

    /** Returns this entry without a mark to be resumed (O4.6). */
    public SessionEntry resumeCleared() {
        return isSuspended() ? withStanding(new Standing.Suspended(Optional.empty())) : withStanding(Standing.open());
    }

    /** Returns this entry in another standing. */
    public SessionEntry withStanding(Standing next) {
        return copy(sessionId, updatedAt, usage, beginning, next, expiryFinalized, modelOverride);
    }

    /** Returns this entry pointing at the continuation of its session (G3.14, O4.24). */
    public SessionEntry continuedAs(SessionId tip) {
        return copy(tip, updatedAt, usage, beginning, standing, expiryFinalized, modelOverride);
    }

    /** Returns this entry finalised by the expiry watcher, with its override kept or dropped (W10.4, W10.6). */
    public SessionEntry finalised(boolean dropOverride) {
        return copy(
                sessionId,
                updatedAt,
                usage,
                beginning,
                standing,
                true,
                dropOverride ? Optional.empty() : modelOverride);
    }

    /** Returns this entry with usage added and, where given, the size of the last prompt replaced (O4.1). */
    public SessionEntry used(TokenUsage tokens, double costUsd, Optional<Long> lastPromptTokens) {
        EntryUsage more = usage.plus(tokens, costUsd);
        return withUsage(lastPromptTokens.map(more::withLastPromptTokens).orElse(more));
    }

    /** Returns this entry with other usage. */
    public SessionEntry withUsage(EntryUsage next) {
        return copy(sessionId, updatedAt, next, beginning, standing, expiryFinalized, modelOverride);
    }

    /** Returns this entry with another model chosen; an empty choice removes it. */
    public SessionEntry withModelOverride(Optional<ModelOverride> next) {
        return copy(sessionId, updatedAt, usage, beginning, standing, expiryFinalized, next);
    }

    /** Returns this entry of a chat with another name. */
    public SessionEntry withDisplayName(String next) {
        return new SessionEntry(
                key,
                sessionId,
                createdAt,
                updatedAt,
                origin,
                Optional.of(next),
                platform,
                chatType,
                usage,
                beginning,
                standing,
                expiryFinalized,
                modelOverride);
    }

    /** Returns this entry under another key. */
    public SessionEntry withKey(SessionKey next) {
        return new SessionEntry(
                next,
                sessionId,
                createdAt,
                updatedAt,
                origin,
                displayName,
                platform,
                chatType,
                usage,
                beginning,
                standing,
                expiryFinalized,
                modelOverride);
    }

    private SessionEntry copy(
            SessionId id,
            Instant updated,
            EntryUsage nextUsage,
            Beginning nextBeginning,
            Standing nextStanding,
            boolean finalized,
            Optional<ModelOverride> override) {
        return new SessionEntry(
                key,
                id,
                createdAt,
                updated,
                origin,
                displayName,
                platform,
                chatType,
                nextUsage,
                nextBeginning,
                nextStanding,
                finalized,
                override);
    }
}
