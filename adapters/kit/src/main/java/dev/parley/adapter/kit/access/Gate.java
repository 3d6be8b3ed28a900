package dev.parley.adapter.kit.access;

import java.util.Optional;

/**
 * Decides whether a message is for the agent. Pure. What is not for the agent is settled with the platform all the same, without
 * being handed in.
 */
public final class Gate {
    private final GateRules rules;

    /** A gate with these rules. */
    public Gate(GateRules rules) {
        this.rules = rules;
    }

    /** What becomes of a message. */
    public enum Verdict {
        /** It is handed in. */
        PASS,
        /** It was said in a group the agent listens to, but not to the agent: preceding context at most. */
        OVERHEARD,
        /** It is not listened to. */
        DROP
    }

    /**
     * What an adapter recognised of a message.
     *
     * @param chat the chat
     * @param thread the thread or topic; absent where there is none
     * @param direct whether only the agent and one person are in the chat
     * @param ours whether the agent's own account wrote it
     * @param bot whether another bot wrote it
     * @param mentioned whether it names the agent, answers one of its messages, or is a command addressed to it
     * @param othersMentioned whether it names another bot
     * @param participates whether the agent has spoken in this thread
     * @param text its text
     */
    public record Facts(
            String chat,
            Optional<String> thread,
            boolean direct,
            boolean ours,
            boolean bot,
            boolean mentioned,
            boolean othersMentioned,
            boolean participates,
            String text) {}

    /** Returns what becomes of a message; the first rule that says something holds, in the order written here. */
    public Verdict decide(Facts facts) {
        if (facts.ours()) {
            return Verdict.DROP;
        }
        boolean named = facts.mentioned() || matches(facts.text());
        if (facts.bot() && !admits(named)) {
            return Verdict.DROP;
        }
        if (facts.direct()) {
            return Verdict.PASS;
        }
        if (rules.ignoredChats().contains(facts.chat())
                || (!rules.allowedChats().isEmpty() && !rules.allowedChats().contains(facts.chat()))) {
            return Verdict.DROP;
        }
        if (facts.thread().map(this::isClosed).orElse(false)) {
            return Verdict.DROP;
        }
        if (rules.exclusiveMentions() && facts.othersMentioned() && !named) {
            return Verdict.OVERHEARD;
        }
        boolean free = !rules.requireMention()
                || rules.freeChats().contains(facts.chat())
                || (rules.threadParticipation() && facts.thread().isPresent() && facts.participates());
        return named || free ? Verdict.PASS : Verdict.OVERHEARD;
    }

    private boolean admits(boolean named) {
        return switch (rules.bots()) {
            case NONE -> false;
            case MENTIONS -> named;
            case ALL -> true;
        };
    }

    private boolean isClosed(String thread) {
        return rules.ignoredThreads().contains(thread)
                || (!rules.allowedThreads().isEmpty() && !rules.allowedThreads().contains(thread));
    }

    private boolean matches(String text) {
        return rules.mentionPatterns().stream().anyMatch(p -> p.matcher(text).find());
    }
}
