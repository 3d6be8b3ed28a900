package dev.parley.application.lane;

import dev.parley.application.command.CommandTable;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.Received;
import java.util.Locale;
import java.util.Optional;

/** What the agent of a lane waits for from its people: the answer to a question, or whether it may do something (Q8.1). Pure. */
final class Awaited {
    private Awaited() {}

    /** Returns whether a message is what the agent waits for: then it is no follow-up (Q8.1). */
    static boolean isAnswer(LaneState state, Received message) {
        return message.attachments().isEmpty()
                && !message.text().isBlank()
                && asks(state, AgentQuestion.Kind.CLARIFICATION);
    }

    /** Returns the command that a bare word is while the agent waits for an approval (Q8.11). */
    static Optional<String> approval(LaneState state, Received message) {
        if (!message.attachments().isEmpty() || !asks(state, AgentQuestion.Kind.APPROVAL)) {
            return Optional.empty();
        }
        return switch (message.text().strip().toLowerCase(Locale.ROOT)) {
            case "yes", "approve" -> Optional.of("/approve");
            case "session" -> Optional.of("/approve session");
            case "always" -> Optional.of("/approve always");
            case "no", "deny" -> Optional.of("/deny");
            default -> Optional.empty();
        };
    }

    /** Returns whether words are what the agent waits for, be they a command without a slash or not. */
    static boolean isAwaited(LaneState state, Received message) {
        return !CommandTable.hasSlash(message.text())
                && (isAnswer(state, message) || approval(state, message).isPresent());
    }

    private static boolean asks(LaneState state, AgentQuestion.Kind kind) {
        return state.slot()
                .active()
                .flatMap(TurnWork::question)
                .filter(q -> q.kind() == kind)
                .isPresent();
    }
}
