package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.TokenEstimate;
import dev.parley.domain.usage.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Shows what the session has used (Z12.15). */
final class UsageCommand implements ChatCommand {
    @Override
    public String name() {
        return "usage";
    }

    @Override
    public String usage() {
        return "/usage";
    }

    @Override
    public String summary() {
        return "shows tokens, calls and cost of this session";
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
        if (!context.arguments().isEmpty()) {
            return CommandOutcome.reply("/usage knows no " + OneLine.quoted(context.arguments()) + ". Usage: /usage");
        }
        Optional<SessionEntry> entry = context.entry();
        Optional<Session> session = entry.flatMap(e -> context.sessions().find(e.sessionId()));
        if (entry.isEmpty() || session.isEmpty()) {
            return CommandOutcome.reply("There is no data about this conversation yet.");
        }
        List<Message> messages = context.transcripts().load(session.get().id()).stream()
                .map(StoredMessage::message)
                .toList();
        TokenUsage tokens = session.get().tokens().upTo(Applying.MOST_TOKENS);
        List<String> lines = new ArrayList<>();
        if (tokens.total() > 0) {
            lines.add("Tokens: " + tokens.total() + " (input " + tokens.input() + ", output " + tokens.output()
                    + ", cache read " + tokens.cacheRead() + ", cache write " + tokens.cacheWrite() + ", reasoning "
                    + tokens.reasoning() + ")");
        } else if (messages.isEmpty()) {
            return CommandOutcome.reply("There is no data about this conversation yet.");
        } else {
            lines.add("Tokens: none were counted; the conversation is about "
                    + Applying.count(TokenEstimate.of(messages), "token"));
        }
        lines.add("Calls of the model: " + session.get().apiCalls());
        session.get()
                .billing()
                .estimatedCostUsd()
                .filter(cost -> cost > 0)
                .ifPresent(cost -> lines.add(String.format(Locale.ROOT, "Estimated cost: $%.4f", cost)));
        context(context, entry.get()).ifPresent(lines::add);
        lines.add("Messages: " + messages.size());
        long summaries =
                messages.stream().filter(m -> m.kind() == Message.Kind.SUMMARY).count();
        if (summaries > 0) {
            lines.add("Begins with a summary of earlier messages");
        }
        return CommandOutcome.reply(String.join("\n", lines));
    }

    private static Optional<String> context(CommandContext context, SessionEntry entry) {
        long used = Applying.lastPrompt(entry).orElse(0);
        long limit = context.agentSpec().map(context.agents()::contextLength).orElse(0L);
        if (used == 0) {
            return Optional.empty();
        }
        return Optional.of("Context: " + used + (limit > 0 ? " of " + limit + " (" + used * 100 / limit + " %)" : ""));
    }
}
