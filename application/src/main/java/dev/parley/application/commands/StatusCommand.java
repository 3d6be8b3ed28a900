package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.command.RunningTurn;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows the session, the running task and the queue. */
final class StatusCommand implements ChatCommand {
    @Override
    public String name() {
        return "status";
    }

    @Override
    public String usage() {
        return "/status";
    }

    @Override
    public String summary() {
        return "shows the session";
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
        Optional<SessionEntry> entry = context.entry();
        if (entry.isEmpty()) {
            return CommandOutcome.reply("No session yet: your first message begins one.");
        }
        SessionEntry e = entry.get();
        Optional<Session> session = context.sessions().find(e.sessionId());
        List<String> lines = new ArrayList<>();
        lines.add("Session: " + e.sessionId());
        session.flatMap(Session::title).ifPresent(title -> lines.add("Title: " + title));
        lines.add("Created: " + at(context, e.createdAt().atZone(context.zone())));
        lines.add("Last activity: " + at(context, e.updatedAt().atZone(context.zone())));
        context.agentSpec().ifPresent(spec -> {
            lines.add("Model: " + context.agents().model(spec));
            long limit = context.agents().contextLength(spec);
            if (limit > 0) {
                Applying.lastPrompt(e)
                        .ifPresent(used -> lines.add(
                                "Context: " + used + " of " + limit + " tokens (" + used * 100 / limit + " %)"));
            }
        });
        session.ifPresent(s ->
                lines.add("Tokens: " + s.tokens().upTo(Applying.MOST_TOKENS).total()));
        lines.add("Agent running: "
                + (context.running().filter(RunningTurn::started).isPresent() ? "yes" : "no"));
        context.running().flatMap(RunningTurn::activity).ifPresent(doing -> lines.add("Doing: " + doing));
        if (context.view().depth() > 0) {
            lines.add("Queue: " + context.view().depth());
        }
        // What waits may have been accepted in time (R6.16).
        Optional<ResetReason> expired = context.view().depth() > 0 ? Optional.empty() : Applying.over(context);
        if (e.isSuspended()) {
            lines.add("Suspended: the next message begins a fresh session.");
        } else if (expired.isPresent()) {
            lines.add("Expired: the next message begins a fresh session, because " + Applying.why(expired.get()) + ".");
        } else if (e.toBeResumed().isPresent()) {
            lines.add("To be resumed: the last turn was cut off.");
        }
        context.storage()
                .maintenance()
                .health()
                .degraded()
                .ifPresent(how -> lines.add("Storage: degraded since "
                        + at(context, how.since().atZone(context.zone()))
                        + ". Messages are kept; lists, search and history are not available until it is back."));
        lines.add("Platforms: "
                + String.join(
                        ", ",
                        context.around().connected().stream().map(p -> p.name()).toList()));
        return CommandOutcome.reply(String.join("\n", lines));
    }

    private static String at(CommandContext context, ZonedDateTime time) {
        Duration ago = Duration.between(time.toInstant(), context.now());
        return DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm").format(time) + " (" + ago(ago) + ")";
    }

    private static String ago(Duration time) {
        if (time.compareTo(Duration.ofMinutes(1)) < 0) {
            return "just now";
        }
        String hours = time.toHours() > 0 ? time.toHours() + "h " : "";
        return hours + time.toMinutesPart() + "m ago";
    }
}
