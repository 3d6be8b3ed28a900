package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.store.Explanation;
import dev.parley.domain.change.LaneEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Explains how the conversation came to its session. */
final class WhyCommand implements ChatCommand {
    @Override
    public String name() {
        return "why";
    }

    @Override
    public String usage() {
        return "/why";
    }

    @Override
    public String summary() {
        return "explains how this conversation came to its session";
    }

    @Override
    public When when() {
        return When.ALWAYS;
    }

    @Override
    public Optional<Flags> flags() {
        return Optional.of(Flags.anywhere());
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        List<LaneEvent> history = context.lanes().history(context.lane(), 5);
        if (history.isEmpty()) {
            return CommandOutcome.reply("Nothing has happened here yet.");
        }
        List<String> lines = new ArrayList<>();
        context.entry().ifPresent(e -> lines.add("This conversation is in session " + e.sessionId() + "."));
        history.forEach(event -> lines.add("- " + Explanation.inWords(event, context.zone())));
        return CommandOutcome.reply(String.join("\n", lines));
    }
}
