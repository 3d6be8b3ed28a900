package dev.parley.application.commands;

import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.store.SessionTransitions;
import dev.parley.domain.change.Change;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Decision;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Lifecycle;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Rewind;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.usage.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What several commands store. */
final class Applying {
    /** The answer where a chat has no session yet. */
    static final String NO_SESSION = "There is no session yet. Send a message first.";

    /** More tokens than any session uses; what was counted higher before counts were checked is mistaken and not shown. */
    static final long MOST_TOKENS = 1_000_000_000_000L;

    private Applying() {}

    /** Returns the change that notes that the size of the next prompt is not known, because the conversation is another one. */
    static Change promptChanged(CommandContext context, SessionEntry entry) {
        return new Change.TouchLane(
                entry.key(), entry.sessionId(), context.now(), TokenUsage.NONE, 0.0, Optional.of(0L), Optional.empty());
    }

    /**
     * Returns the changes that take back the newest turns of a lane's session. A mark that says that the newest turn was cut off goes with
     * it: nobody wants that work resumed.
     */
    static List<Change> takenBack(CommandContext context, Lane lane, Rewind rewind) {
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.HideMessages(lane.entry().sessionId(), rewind.hidden(), StoredMessage.State.REWOUND));
        changes.add(promptChanged(context, lane.entry()));
        changes.addAll(SessionTransitions.takeBackMark(lane, context.now()).changes());
        return changes;
    }

    /** Returns copies of messages under ids of their own, in order; everything else stays. */
    static List<Message> copies(CommandContext context, List<StoredMessage> messages) {
        return messages.stream()
                .map(m -> m.message().toBuilder().id(context.newMessageId()).build())
                .toList();
    }

    /**
     * Returns why the lane's conversation is over, where its next message begins another session (G3.1): it was stopped or
     * suspended, or its policy ends it. A command does not keep a session that a message would not.
     */
    static Optional<ResetReason> over(CommandContext context) {
        return context.current()
                .map(lane -> context.stores()
                        .reader()
                        .unread(
                                context.lane(),
                                context.source(),
                                Optional.of(lane),
                                context.running().isPresent()))
                .map(facts -> Lifecycle.decide(facts.entry(), facts.lifecycle()))
                .flatMap(decision ->
                        decision instanceof Decision.Reset reset ? Optional.of(reset.reason()) : Optional.empty());
    }

    /** Returns why a conversation is over, in words. */
    static String why(ResetReason reason) {
        return switch (reason) {
            case SUSPENDED -> "it was stopped";
            case IDLE -> "nothing was said for too long";
            case DAILY -> "its day is over";
        };
    }

    /** Returns the answer where a command would change a conversation that is over. */
    static CommandOutcome isOver(ResetReason reason) {
        return CommandOutcome.reply(
                "This conversation has ended (" + why(reason) + "), so nothing was changed. Your next message"
                        + " begins a fresh session; /resume goes back to this one.");
    }

    /** Returns the tokens of the last prompt; absent where as many as are stored cannot be. */
    static OptionalLong lastPrompt(SessionEntry entry) {
        long used = entry.usage().lastPromptTokens();
        return used < 0 || used > MOST_TOKENS ? OptionalLong.empty() : OptionalLong.of(used);
    }

    /** Returns a number with its noun. */
    static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
