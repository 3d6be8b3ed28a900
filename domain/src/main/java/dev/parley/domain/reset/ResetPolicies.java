package dev.parley.domain.reset;

import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * All reset policies of a gateway. A more specific one replaces a more general one as a whole; nothing is merged (R6.8).
 *
 * @param defaultPolicy the policy where nothing more specific applies
 * @param byPlatform policies of platforms, each with the configuration path it came from, as there are two such paths
 * @param byType policies of chat types
 */
public record ResetPolicies(
        ResetPolicy defaultPolicy, Map<Platform, AppliedPolicy> byPlatform, Map<ChatType, ResetPolicy> byType) {
    /** Copies the maps. */
    public ResetPolicies {
        byPlatform = Map.copyOf(byPlatform);
        byType = Map.copyOf(byType);
    }

    /** One policy for everything. */
    public static ResetPolicies of(ResetPolicy defaultPolicy) {
        return new ResetPolicies(defaultPolicy, Map.of(), Map.of());
    }

    /** These policies with one for a platform, configured under {@code platforms.<name>.session_reset}. */
    public ResetPolicies withPlatform(Platform platform, ResetPolicy policy) {
        Map<Platform, AppliedPolicy> more = new LinkedHashMap<>(byPlatform);
        more.put(platform, new AppliedPolicy(policy, "platforms." + platform + ".session_reset"));
        return new ResetPolicies(defaultPolicy, more, byType);
    }

    /** These policies with one for a chat type. */
    public ResetPolicies withType(ChatType type, ResetPolicy policy) {
        Map<ChatType, ResetPolicy> more = new LinkedHashMap<>(byType);
        more.put(type, policy);
        return new ResetPolicies(defaultPolicy, byPlatform, more);
    }

    /**
     * The policy for a lane: that of its platform, else that of its chat type, else the default (R6.8). A lane whose
     * platform is not known has no policy of a platform.
     */
    public AppliedPolicy select(Optional<Platform> platform, ChatType chatType) {
        return platform.flatMap(name -> Optional.ofNullable(byPlatform.get(name)))
                .or(() -> Optional.ofNullable(byType.get(chatType))
                        .map(policy -> new AppliedPolicy(policy, "reset_by_type." + chatType)))
                .orElseGet(() -> new AppliedPolicy(defaultPolicy, "session_reset"));
    }
}
