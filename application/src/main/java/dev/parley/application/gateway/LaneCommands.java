package dev.parley.application.gateway;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.command.RunningTurn;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.store.Explanation;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.StoredFamily;
import dev.parley.application.store.TitleChoice;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.text.Blanks;
import dev.parley.domain.turn.Inbound;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The commands that steer a lane: new, reset, stop, queue, steer, status, why, restart. */
final class LaneCommands {
    private static final String YES = "yes";
    private static final String ALL = "all";
    private static final String APPROVE_USAGE = "/approve [all] [session | always]";

    private LaneCommands() {}

    /** Returns the command that begins a new session, reached by {@code triggers}; the first is how it is shown. */
    static ChatCommand renewing(List<String> triggers) {
        String shown = triggers.get(0);
        List<String> others = triggers.subList(1, triggers.size());
        List<String> words = others.stream().filter(t -> !t.startsWith("/")).toList();
        return command(
                Commands.nameOf(shown),
                others.stream()
                        .filter(t -> t.startsWith("/"))
                        .map(Commands::nameOf)
                        .toList(),
                shown.startsWith("/") ? shown + " [title]" : shown,
                "begins a new session" + (words.isEmpty() ? "" : "; so does: " + String.join(", ", words)),
                Optional.of(Flags.beforeText()),
                context -> renew(context, shown));
    }

    /** Returns the others. */
    static List<ChatCommand> all() {
        return List.of(
                command(
                        "stop",
                        List.of(),
                        "/stop",
                        "stops the running task; the next message begins anew",
                        Optional.of(Flags.anywhere()),
                        LaneCommands::stop),
                command(
                        "queue",
                        List.of("q"),
                        "/queue TEXT",
                        "runs a text as a turn of its own, after the others",
                        Optional.empty(),
                        LaneCommands::queue),
                command(
                        "steer",
                        List.of(),
                        "/steer TEXT",
                        "hands a text to the running task",
                        Optional.empty(),
                        LaneCommands::steer),
                command(
                        "approve",
                        List.of(),
                        APPROVE_USAGE,
                        "allows what the running task asks to do",
                        Optional.of(Flags.anywhere()),
                        LaneCommands::approve),
                command(
                        "deny",
                        List.of(),
                        "/deny [all] [reason]",
                        "forbids what the running task asks to do, and tells it why",
                        Optional.empty(),
                        LaneCommands::deny),
                command(
                        "status",
                        List.of(),
                        "/status",
                        "shows the session",
                        Optional.of(Flags.anywhere()),
                        LaneCommands::status),
                command(
                        "why",
                        List.of(),
                        "/why",
                        "explains how this conversation came to its session",
                        Optional.of(Flags.anywhere()),
                        LaneCommands::why),
                command(
                        "restart",
                        List.of(),
                        "/restart",
                        "restarts the gateway (admins)",
                        Optional.of(Flags.anywhere()),
                        LaneCommands::restart));
    }

    private static ChatCommand command(
            String name,
            List<String> aliases,
            String usage,
            String summary,
            Optional<Flags> flags,
            Function<CommandContext, CommandOutcome> run) {
        return new ChatCommand() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public List<String> aliases() {
                return aliases;
            }

            @Override
            public String usage() {
                return usage;
            }

            @Override
            public String summary() {
                return summary;
            }

            @Override
            public When when() {
                return When.ALWAYS;
            }

            @Override
            public Optional<Flags> flags() {
                return flags;
            }

            @Override
            public CommandOutcome run(CommandContext context) {
                return run.apply(context);
            }
        };
    }

    // ------------------------------------------------------------------ new

    private static CommandOutcome renew(CommandContext context, String shown) {
        String asked = String.join(" ", Blanks.split(context.arguments()));
        boolean yes = asked.equalsIgnoreCase(YES) || asked.startsWith(YES + " ");
        boolean idle = context.running().isEmpty() && !context.summarising();
        if (context.settings().chat().confirmDestructive()
                && idle
                && !yes
                && context.current().isPresent()) {
            return CommandOutcome.reply("This ends the conversation and begins a new one. Send " + shown + " " + YES
                    + (asked.isEmpty() ? "" : " " + asked) + " to go ahead.");
        }
        boolean answers = yes && (context.settings().chat().confirmDestructive() || asked.length() == YES.length());
        String wanted = Flags.text(answers ? asked.substring(YES.length()).strip() : asked);
        SessionId id = context.newSessionId();
        TitleChoice choice = TitleChoice.whereKnown(
                wanted,
                id,
                context.sessions(),
                new StoredFamily(context.sessions(), context.transcripts()),
                context.viewer());
        String said = "A new session has begun. Earlier ones are kept: /resume lists them.";
        if (choice instanceof TitleChoice.Free free) {
            return renewed(context, id, "new", said + " Its title is " + free.title() + ".", Optional.of(free.title()));
        }
        return renewed(context, id, "new", said + untitled(choice, wanted), Optional.empty());
    }

    /** Returns why a new session has no title, where one was given. */
    private static String untitled(TitleChoice choice, String wanted) {
        if (choice instanceof TitleChoice.Refused refused) {
            return " It has no title: " + refused.why();
        }
        if (choice instanceof TitleChoice.Unknown unknown) {
            return " " + unknown.why();
        }
        return wanted.isBlank() ? "" : " It has no title: nothing is left of the one given.";
    }

    /** Begins a lane anew for an operator; nothing where there is no such lane. */
    static Optional<CommandOutcome> reset(CommandContext context) {
        return context.current()
                .map(lane -> renewed(context, context.newSessionId(), "operator", "", Optional.empty()));
    }

    private static CommandOutcome renewed(
            CommandContext context, SessionId id, String reason, String reply, Optional<String> title) {
        CommandOutcome outcome = CommandOutcome.reply(reply)
                .with(
                        CommandOutcome.Effect.DROP_TURN,
                        CommandOutcome.Effect.CLEAR_QUEUE,
                        CommandOutcome.Effect.CLOSE_AGENT);
        if (context.current().isPresent()) {
            return outcome.applying(SessionTransitions.renew(
                    context.current().get(), id, context.now(), reason, Optional.empty(), title));
        }
        CommandOutcome created = outcome.applying(
                SessionTransitions.access(context.facts(true), id, false).transition());
        return title.map(t -> created.requiring(new Precondition.TitleFree(t, id))
                        .storing(new Change.EditSession(id, new SessionEdit.Retitle(Optional.of(t)))))
                .orElse(created);
    }

    // ------------------------------------------------------------------ stop

    private static CommandOutcome stop(CommandContext context) {
        if (context.running().isEmpty() && !context.summarising()) {
            if (!context.runningBeside().isEmpty() && context.depth() == 0) {
                int others = context.runningBeside().size();
                return CommandOutcome.reply("Stopping the running task of "
                                + (others == 1 ? "another participant" : others + " other participants")
                                + " of this thread.")
                        .with(CommandOutcome.Effect.STOP_BESIDE);
            }
            return context.depth() == 0
                    ? CommandOutcome.reply("No active task to stop.")
                    : CommandOutcome.reply("No active task to stop; what waited in the queue was dropped.")
                            .with(CommandOutcome.Effect.CLEAR_QUEUE);
        }
        return suspended(context, "stop")
                .orElse(CommandOutcome.reply(""))
                .replying("Stopped. What waited in the queue was dropped. Your next message starts a fresh session;"
                        + " /resume goes back to this one.")
                .with(CommandOutcome.Effect.CLEAR_QUEUE);
    }

    /** Stops a lane's task because somebody else in its thread asked for it; nothing where none runs (Z12.2). */
    static Optional<CommandOutcome> stopFor(CommandContext context, SessionSource other) {
        return context.running()
                .flatMap(running -> suspended(context, "stop"))
                .map(outcome -> outcome.replying("Your task was stopped by "
                                + other.userName().orElse("another participant")
                                + ". What waited in the queue was dropped. Your next message starts a fresh session;"
                                + " /resume goes back to this one.")
                        .with(CommandOutcome.Effect.CLEAR_QUEUE));
    }

    /** Suspends a lane for an operator; nothing where there is no such lane. */
    static Optional<CommandOutcome> suspend(CommandContext context) {
        return suspended(context, "operator");
    }

    private static Optional<CommandOutcome> suspended(CommandContext context, String reason) {
        return context.current()
                .map(lane -> CommandOutcome.reply("")
                        .with(CommandOutcome.Effect.DROP_TURN, CommandOutcome.Effect.RELEASE_AGENT)
                        .applying(SessionTransitions.suspend(lane, context.now(), reason)));
    }

    // ------------------------------------------------------------------ queue and steer

    private static CommandOutcome queue(CommandContext context) {
        if (context.arguments().isBlank()) {
            return CommandOutcome.reply("Usage: /queue TEXT");
        }
        boolean idle = context.running().isEmpty() && context.depth() == 0;
        int depth = context.depth() + 1;
        String reply = idle ? "" : "Queued for the next turn." + (depth > 1 ? " " + depth + " are waiting." : "");
        return CommandOutcome.reply(reply)
                .enqueueing(new CommandOutcome.Enqueue(Inbound.Kind.QUEUED, context.arguments(), true));
    }

    private static CommandOutcome steer(CommandContext context) {
        if (context.arguments().isBlank()) {
            return CommandOutcome.reply("Usage: /steer TEXT");
        }
        if (context.running().isEmpty()) {
            return CommandOutcome.reply("").runningAsTurn(context.arguments());
        }
        return CommandOutcome.reply("")
                .enqueueing(new CommandOutcome.Enqueue(Inbound.Kind.STEER, context.arguments(), false));
    }

    /** For how long, and whether everything that is asked, in either order. */
    private static CommandOutcome approve(CommandContext context) {
        List<String> words = new ArrayList<>(Blanks.split(context.arguments().toLowerCase(Locale.ROOT)));
        boolean all = words.remove(ALL);
        return switch (String.join(" ", words)) {
            case "", "once" -> decided(context, AgentQuestion.Approval.ONCE, Optional.empty(), all, "Approved.");
            case "session" ->
                decided(context, AgentQuestion.Approval.SESSION, Optional.empty(), all, "Approved for this session.");
            case "always" ->
                decided(context, AgentQuestion.Approval.ALWAYS, Optional.empty(), all, "Approved from now on.");
            default -> CommandOutcome.reply("Usage: " + APPROVE_USAGE);
        };
    }

    private static CommandOutcome deny(CommandContext context) {
        String said = context.arguments().strip();
        boolean all = Blanks.split(said).stream()
                .findFirst()
                .filter(ALL::equalsIgnoreCase)
                .isPresent();
        String reason = all ? said.substring(ALL.length()).strip() : said;
        return decided(
                context, AgentQuestion.Approval.DENY, Optional.of(reason).filter(r -> !r.isEmpty()), all, "Denied.");
    }

    private static CommandOutcome decided(
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

    // ------------------------------------------------------------------ looking

    private static CommandOutcome status(CommandContext context) {
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
                long used = e.usage().lastPromptTokens();
                lines.add("Context: " + used + " of " + limit + " tokens (" + used * 100 / limit + " %)");
            }
        });
        session.ifPresent(s -> lines.add("Tokens: " + s.tokens().total()));
        lines.add("Agent running: "
                + (context.running().filter(RunningTurn::started).isPresent() ? "yes" : "no"));
        context.running().flatMap(RunningTurn::activity).ifPresent(doing -> lines.add("Doing: " + doing));
        if (context.depth() > 0) {
            lines.add("Queue: " + context.depth());
        }
        if (e.isSuspended()) {
            lines.add("Suspended: the next message begins a fresh session.");
        } else if (e.toBeResumed().isPresent()) {
            lines.add("To be resumed: the last turn was cut off.");
        }
        context.storage()
                .maintenance()
                .health()
                .degraded()
                .ifPresent(how -> lines.add("Storage: degraded since " + how.since()
                        + ". Messages are kept; lists, search and history are not available until it is back."));
        lines.add("Platforms: "
                + String.join(
                        ", ", context.connected().stream().map(p -> p.name()).toList()));
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

    private static CommandOutcome why(CommandContext context) {
        List<LaneEvent> history = context.lanes().history(context.lane(), 5);
        if (history.isEmpty()) {
            return CommandOutcome.reply("Nothing has happened here yet.");
        }
        List<String> lines = new ArrayList<>();
        context.entry().ifPresent(e -> lines.add("This conversation is in session " + e.sessionId() + "."));
        history.forEach(event -> lines.add("- " + Explanation.inWords(event, context.zone())));
        return CommandOutcome.reply(String.join("\n", lines));
    }

    private static CommandOutcome restart(CommandContext context) {
        if (!context.admin()) {
            return CommandOutcome.reply("Only an admin may restart the gateway.");
        }
        if (context.stopping()) {
            return CommandOutcome.reply("The gateway is stopping already.");
        }
        RestartRequest request = RestartRequest.by(context.source());
        if (context.source().messageId().isEmpty()
                && RestartRequest.isRepeated(request, context.storage().meta(), context.now())) {
            return CommandOutcome.reply("").storing(RestartRequest.forgotten());
        }
        return CommandOutcome.reply("The gateway is restarting.")
                .storing(request.put())
                .with(CommandOutcome.Effect.RESTART);
    }
}
