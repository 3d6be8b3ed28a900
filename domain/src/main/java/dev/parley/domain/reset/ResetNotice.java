package dev.parley.domain.reset;

import dev.parley.domain.source.Platform;
import dev.parley.domain.text.Spans;
import java.util.Optional;

/** What the user is told when a session was reset without being asked for (R6.15). */
public final class ResetNotice {
    private ResetNotice() {}

    /**
     * The notice to send into the chat, or empty if the user is not told. A suspended lane's user always is; otherwise
     * the policy must want it, the old session must have had activity, and the platform must not be excluded.
     *
     * @param hadActivity whether the old session had any turns
     */
    public static Optional<String> of(
            ResetReason reason, AppliedPolicy applied, boolean hadActivity, Platform platform) {
        ResetPolicy policy = applied.policy();
        boolean wanted = policy.notifyUser()
                && hadActivity
                && !policy.notifyExcludePlatforms().contains(platform.name());
        return reason == ResetReason.SUSPENDED || wanted ? Optional.of(text(reason, applied)) : Optional.empty();
    }

    private static String text(ResetReason reason, AppliedPolicy applied) {
        String told = "Your session was reset automatically (" + cause(reason, applied.policy())
                + "): conversation history cleared. Use /resume to go back to the previous session.";
        return reason == ResetReason.SUSPENDED
                ? told
                : told + " (For the operator: " + applied.origin() + " says when sessions end.)";
    }

    private static String cause(ResetReason reason, ResetPolicy policy) {
        return switch (reason) {
            case SUSPENDED -> "it was stopped or interrupted";
            case DAILY -> "daily schedule at " + policy.atHour() + ":00";
            case IDLE -> "inactive for " + Spans.brief(policy.idle());
        };
    }
}
