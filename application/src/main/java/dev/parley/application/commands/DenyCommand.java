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
        String said = Blanks.trim(context.arguments());
        boolean all = isAll(said);
        String reason = all ? Blanks.trim(said.substring(ALL.length()).replaceFirst("^[,:]", "")) : said;
        return ApproveCommand.decided(
                context, AgentQuestion.Approval.DENY, Optional.of(reason).filter(r -> !r.isEmpty()), all, "Denied.");
    }

    /** Returns whether all is meant: by the word alone, set off from a reason, or written small. "All these files matter" is a reason. */
    private static boolean isAll(String said) {
        if (!said.regionMatches(true, 0, ALL, 0, ALL.length())) {
            return false;
        }
        String behind = said.substring(ALL.length());
        return behind.isEmpty()
                || behind.startsWith(",")
                || behind.startsWith(":")
                || (said.startsWith(ALL) && Blanks.is(behind.charAt(0)));
    }
}
