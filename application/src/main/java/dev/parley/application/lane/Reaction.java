package dev.parley.application.lane;

/** What a message does to a lane on which something runs. */
sealed interface Reaction {
    /** What is said while the conversation is being compressed. */
    String COMPRESSING = "The conversation is being compressed. Your message is queued; /stop cancels.";

    /** It waits, and nothing is said. */
    record Waits() implements Reaction {}

    /** It waits, and its sender is told so. */
    record Told(String text) implements Reaction {}

    /** It waits, and the agent is asked to end. */
    record Interrupts(String text) implements Reaction {}

    /** It is handed to the agent. */
    record Steers() implements Reaction {}

    /** It answers what the agent has asked. */
    record Answers() implements Reaction {}

    /** It waits, and the turn is given up. */
    record GivesUp() implements Reaction {}
}
