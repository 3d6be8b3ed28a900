package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.domain.context.SenderPrefix;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Rewind;
import dev.parley.domain.turn.Inbound;
import java.util.Optional;

/**
 * Runs the last message again as if it were new (Z12.9); what came of it before is taken back, not deleted (D16). Where the
 * conversation is over, the message begins the next one, as it would if it were sent again, and the older one stays as it was.
 */
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
    public Optional<Flags> flags() {
        return Optional.of(Flags.anywhere());
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        Optional<Lane> lane = context.current();
        Optional<Rewind> last = lane.flatMap(
                        l -> Rewind.of(context.transcripts().load(l.entry().sessionId()), 1))
                .filter(rewind -> !rewind.targetText().isBlank());
        if (lane.isEmpty() || last.isEmpty()) {
            return CommandOutcome.reply("There is no message to run again.");
        }
        CommandOutcome again =
                CommandOutcome.reply("").enqueueing(asSaid(context, last.get().targetText()));
        if (Applying.over(context).isPresent()) {
            return again;
        }
        return again.storing(Applying.takenBack(context, lane.get(), last.get()))
                .with(CommandOutcome.Effect.RELEASE_AGENT);
    }

    /**
     * In a shared session the stored text begins with its author's name (X9.4). The turn puts one's own before it again; before what
     * somebody else has said, nobody's is put.
     */
    private static CommandOutcome.Enqueue asSaid(CommandContext context, String text) {
        SessionSource source = context.source();
        boolean shared = context.rules().isShared(source);
        String own = SenderPrefix.apply(source, shared, "");
        boolean ones = !own.isEmpty() && text.startsWith(own);
        return new CommandOutcome.Enqueue(
                Inbound.Kind.RETRIED,
                ones ? text.substring(own.length()) : text,
                true,
                shared && !ones ? Optional.of(source.toBuilder().userName(null).build()) : Optional.empty());
    }
}
