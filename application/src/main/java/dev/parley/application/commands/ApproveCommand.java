package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.command.RunningTurn;
import dev.parley.application.port.AgentQuestion;
import dev.parley.domain.text.Blanks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Allows what the running task asks to do (Q8.11). */
final class ApproveCommand implements ChatCommand {
    private static final String USAGE = "/approve [all] [session | always]";

    @Override
    public String name() {
        return "approve";
    }

    @Override
    public String usage() {
        return USAGE;
    }

    @Override
    public String summary() {
        return "allows what the running task asks to do";
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
        List<String> words = new ArrayList<>(Blanks.split(context.arguments().toLowerCase(Locale.ROOT)));
        boolean all = words.remove("all");
        return switch (String.join(" ", words)) {
            case "", "once" -> decided(context, AgentQuestion.Approval.ONCE, Optional.empty(), all, "Approved.");
            case "session" ->
                decided(context, AgentQuestion.Approval.SESSION, Optional.empty(), all, "Approved for this session.");
            case "always" ->
                decided(context, AgentQuestion.Approval.ALWAYS, Optional.empty(), all, "Approved from now on.");
            default -> CommandOutcome.reply("Usage: " + USAGE);
        };
    }

    /** Hands a decision to the task that asked; says so where none did. */
    static CommandOutcome decided(
            CommandContext context,
            AgentQuestion.Approval approval,
            Optional<String> reason,
            boolean all,
            String reply) {
        return context.running()
                .flatMap(RunningTurn::question)
                .filter(asked -> asked.kind() == AgentQuestion.Kind.APPROVAL)
                .map(asked -> CommandOutcome.reply(reply).deciding(new AgentQuestion.Decision(approval, reason, all)))
                .orElse(CommandOutcome.reply("Nothing waits for an approval."));
    }
}
