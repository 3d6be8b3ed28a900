package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.AgentQuestion;
import dev.parley.domain.text.Blanks;
import java.util.Optional;

/** Forbids what the running task asks to do, and tells it why (Q8.11). */
final class DenyCommand implements ChatCommand {
    private static final String ALL = "all";

    @Override
    public String name() {
        return "deny";
    }

    @Override
    public String usage() {
        return "/deny [all] [reason]";
    }

    @Override
    public String summary() {
        return "forbids what the running task asks to do, and tells it why";
    }

    @Override
    public When when() {
        return When.ALWAYS;
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        String said = context.arguments().strip();
        boolean all = Blanks.split(said).stream()
                .findFirst()
                .filter(ALL::equalsIgnoreCase)
                .isPresent();
        String reason = all ? said.substring(ALL.length()).strip() : said;
        return ApproveCommand.decided(
                context, AgentQuestion.Approval.DENY, Optional.of(reason).filter(r -> !r.isEmpty()), all, "Denied.");
    }
}
