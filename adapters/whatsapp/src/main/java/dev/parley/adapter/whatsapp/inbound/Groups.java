package dev.parley.adapter.whatsapp.inbound;

import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.access.GateRules;

/**
 * Which messages of groups are for the agent.
 *
 * @param policy which groups are listened to at all
 * @param rules which of their messages
 */
public record Groups(Policy policy, GateRules rules) {
    /** Which groups are listened to. */
    public enum Policy {
        /** All that the rules allow. */
        OPEN,
        /** Only those that the rules name. */
        ALLOWLIST,
        /** None. */
        DISABLED
    }

    /** Returns whether a message is for the agent, is only said beside it, or is not listened to. */
    Gate.Verdict decide(Gate.Facts facts) {
        boolean listened = facts.direct()
                || switch (policy) {
                    case OPEN -> true;
                    case ALLOWLIST -> rules.allowedChats().contains(facts.chat());
                    case DISABLED -> false;
                };
        return listened ? new Gate(rules).decide(facts) : Gate.Verdict.DROP;
    }
}
