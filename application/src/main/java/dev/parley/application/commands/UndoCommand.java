package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Lane;
import dev.parley.domain.text.Blanks;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.Rewind;
import java.util.List;
import java.util.Optional;

/** Takes back turns (Z12.8). Where the gateway is to ask first, it asks for the same command with {@code yes} behind it. */
final class UndoCommand implements ChatCommand {
    private static final int SHOWN = 200;

    @Override
    public String name() {
        return "undo";
    }

    @Override
    public String usage() {
        return "/undo [N]";
    }

    @Override
    public String summary() {
        return "takes back the last turn, or the last N";
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
        List<String> words = Blanks.split(context.arguments());
        boolean confirmed = !words.isEmpty() && words.get(words.size() - 1).equalsIgnoreCase("yes");
        List<String> numbers = confirmed ? words.subList(0, words.size() - 1) : words;
        Optional<Integer> turns = numbers.isEmpty() ? Optional.of(1) : number(numbers.get(0));
        if (turns.isEmpty() || numbers.size() > 1) {
            return CommandOutcome.reply(
                    OneLine.quoted(String.join(" ", numbers)) + " is not a number. Usage: " + usage());
        }
        Optional<Lane> lane = context.current();
        Optional<Rewind> rewind =
                lane.flatMap(l -> Rewind.of(context.transcripts().load(l.entry().sessionId()), turns.get()));
        if (lane.isEmpty() || rewind.isEmpty()) {
            return CommandOutcome.reply("There is nothing to undo.");
        }
        Optional<ResetReason> over = Applying.over(context);
        if (over.isPresent()) {
            return Applying.isOver(over.get());
        }
        String what = Applying.count(rewind.get().turnsUndone(), "turn") + " ("
                + Applying.count(rewind.get().rewoundCount(), "message") + ")";
        String said = OneLine.cut(rewind.get().targetText(), SHOWN);
        if (context.settings().confirmDestructive() && !confirmed) {
            return CommandOutcome.reply("This takes back " + what + ", from: " + said + "\nTo do it: /undo "
                    + rewind.get().turnsUndone() + " yes");
        }
        return CommandOutcome.reply("Took back " + what + "." + (said.isBlank() ? "" : " It began with: " + said))
                .storing(Applying.takenBack(context, lane.get(), rewind.get()))
                .with(CommandOutcome.Effect.RELEASE_AGENT);
    }

    private static Optional<Integer> number(String word) {
        try {
            return Optional.of((int) Math.max(1, Math.min(Integer.MAX_VALUE, Long.parseLong(word))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
