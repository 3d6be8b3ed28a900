package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.text.OneLine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lists sessions (Z12.7). */
final class SessionsCommand implements ChatCommand {
    private final ResumeCommand resume;

    SessionsCommand(ResumeCommand resume) {
        this.resume = resume;
    }

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public String usage() {
        return "/sessions [all] [full] [search TEXT]";
    }

    @Override
    public String summary() {
        return "lists named sessions; full: unnamed ones too";
    }

    @Override
    public When when() {
        return When.IDLE;
    }

    @Override
    public Optional<Flags> flags() {
        return Optional.of(Flags.beforeText(ResumeCommand.FLAGS.toArray(String[]::new)));
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        boolean all = false;
        boolean full = false;
        String rest = context.arguments();
        while (!rest.isEmpty()) {
            int end = 0;
            while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
                end++;
            }
            String word = rest.substring(0, end).toLowerCase(Locale.ROOT);
            String behind = rest.substring(end).strip();
            switch (word) {
                case "list", "browse" -> rest = behind;
                case "all" -> {
                    all = true;
                    rest = behind;
                }
                case "full" -> {
                    full = true;
                    rest = behind;
                }
                case "search" -> {
                    return search(context, all, behind);
                }
                default -> {
                    return resume.run(context);
                }
            }
        }
        return list(context, all, full);
    }

    private CommandOutcome list(CommandContext context, boolean all, boolean full) {
        if (all && !context.admin()) {
            return CommandOutcome.reply("Only an admin may list the sessions of other chats and platforms.");
        }
        return shown(
                context,
                Choices.toList(context, viewer(context, all), all, !full, Optional.empty(), SessionQuery.Order.STARTED),
                full ? "There are no other sessions here." : "There are no other named sessions here.");
    }

    private CommandOutcome search(CommandContext context, boolean all, String text) {
        if (text.isEmpty()) {
            return CommandOutcome.reply("Usage: /sessions search TEXT");
        }
        if (all && !context.admin()) {
            return CommandOutcome.reply("Only an admin may search the sessions of other chats and platforms.");
        }
        return shown(
                context,
                Choices.toList(
                        context, viewer(context, all), all, false, Optional.of(text), SessionQuery.Order.LAST_ACTIVE),
                "No title or id here contains " + OneLine.quoted(text) + ".");
    }

    private static Viewer viewer(CommandContext context, boolean all) {
        return all ? Viewer.operator() : context.viewer();
    }

    private static CommandOutcome shown(CommandContext context, List<Choices.Choice> choices, String none) {
        if (choices.isEmpty()) {
            return CommandOutcome.reply(none);
        }
        StringBuilder list = new StringBuilder("Sessions:");
        choices.forEach(choice -> list.append("\n- ").append(Choices.line(context, choice)));
        return CommandOutcome.reply(
                list.append("\nUse /resume with a title or a session id.").toString());
    }
}
