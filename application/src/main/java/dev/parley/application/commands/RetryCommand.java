package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.domain.change.Change;
import dev.parley.domain.context.SenderPrefix;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.transcript.Rewind;
import dev.parley.domain.transcript.StoredMessage;
import java.util.Optional;

/** Runs the last message again as if it were new (Z12.9); what came of it before is taken back, not deleted (D16). */
final class RetryCommand implements ChatCommand {
    @Override
    public String name() {
        return "retry";
    }

    @Override
    public String usage() {
        return "/retry";
    }

    @Override
    public String summary() {
        return "takes back the last turn and runs its message again";
    }

    @Override
    public When when() {
        return When.IDLE;
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        Optional<SessionEntry> entry = context.entry();
        Optional<Rewind> last = entry.flatMap(
                        e -> Rewind.of(context.transcripts().load(e.sessionId()), 1))
                .filter(rewind -> !rewind.targetText().isBlank());
        if (entry.isEmpty() || last.isEmpty()) {
            return CommandOutcome.reply("There is no message to run again.");
        }
        return CommandOutcome.reply("")
                .storing(
                        new Change.HideMessages(
                                entry.get().sessionId(), last.get().hidden(), StoredMessage.State.REWOUND),
                        Applying.promptChanged(context, entry.get()))
                .with(CommandOutcome.Effect.RELEASE_AGENT)
                .runningAsTurn(withoutName(context, last.get().targetText()));
    }

    /** In a shared session the stored text begins with its author's name, which the turn puts before it again. */
    private static String withoutName(CommandContext context, String text) {
        String name = SenderPrefix.apply(context.source(), context.rules().isShared(context.source()), "");
        return !name.isEmpty() && text.startsWith(name) ? text.substring(name.length()) : text;
    }
}
