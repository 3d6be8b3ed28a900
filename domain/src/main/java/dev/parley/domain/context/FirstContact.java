package dev.parley.domain.context;

import java.util.Optional;

/** What the agent is told when nobody has ever talked to it before (X9.11). */
public final class FirstContact {
    private static final String INSTRUCTION =
            "[System note: This is the very first message anyone has sent to you here. Begin your answer with a short "
                    + "introduction of yourself, say that /help lists the commands, then answer the message.]";

    private FirstContact() {}

    /** The instruction; empty if this conversation has a history or any session was ever created. */
    public static Optional<String> instruction(boolean hasHistory, boolean hasAnySessions) {
        return hasHistory || hasAnySessions ? Optional.empty() : Optional.of(INSTRUCTION);
    }
}
