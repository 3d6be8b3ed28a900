package dev.parley.adapter.acp;

import dev.parley.adapter.kit.text.Repeated;
import dev.parley.application.port.AgentFailure;
import dev.parley.domain.text.OneLine;
import java.util.Collection;
import java.util.Optional;

/**
 * What a program answered instead of what it was asked for, or why it cannot answer any more. The message is ours; what was said beside it
 * is for operators, and people read the message only where it was made for them.
 */
final class AcpFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Optional<String> said;
    private final boolean forPeople;

    private AcpFault(String message, Optional<String> said, boolean forPeople) {
        super(message);
        this.said = said;
        this.forPeople = forPeople;
    }

    /** Returns one that only operators are told, in a sentence of ours. */
    static AcpFault forOperators(String message) {
        return new AcpFault(message, Optional.empty(), false);
    }

    /** Returns one that people are told too, in a sentence of ours. */
    static AcpFault forPeople(String message) {
        return new AcpFault(message, Optional.empty(), true);
    }

    /** Returns one that people are told in a sentence of ours, and operators in the words of the system too. */
    static AcpFault forPeople(String message, String said) {
        return new AcpFault(message, Optional.of(said), true);
    }

    /** Returns one that operators are told in the program's words. */
    static AcpFault saying(String message, String said) {
        return new AcpFault(
                message, Optional.of(said).filter(words -> !words.isBlank()).map(OneLine::quoted), false);
    }

    /** Returns one line for people. */
    String inChat(AgentFailure.Kind kind) {
        return forPeople ? getMessage() + "." : kind.inWords();
    }

    /**
     * Returns one line for operators.
     *
     * @param conversation what was written to the program, which no line repeats
     */
    String inLog(Collection<String> conversation) {
        return getMessage()
                + said.map(words -> Repeated.in(words, conversation)
                                ? "; what it says repeats the conversation and is left out."
                                : ": " + OneLine.of(words, 400) + ".")
                        .orElse(".");
    }
}
