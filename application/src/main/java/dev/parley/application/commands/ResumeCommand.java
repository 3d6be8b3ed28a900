package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.StoredFamily;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.title.TitleLineage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Goes back to an earlier session (Z12.3), or to the lane's own where that was stopped or has expired, so that the next message
 * would begin another. Alone, it goes back to a session that was stopped, and lists the others. What the writer may not see is as
 * if it did not exist (Z12.4).
 */
final class ResumeCommand implements ChatCommand {
    static final Set<String> FLAGS = Set.of("--all", "--cross-room");

    @Override
    public String name() {
        return "resume";
    }

    @Override
    public String usage() {
        return "/resume [number | title | session id]";
    }

    @Override
    public String summary() {
        return "goes back to an earlier session; alone, lists them";
    }

    @Override
    public When when() {
        return When.IDLE;
    }

    @Override
    public Optional<Flags> flags() {
        return Optional.of(Flags.anywhere(FLAGS.toArray(String[]::new)));
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        Optional<CommandOutcome> verbatim = byTitleAsItStands(context);
        if (verbatim.isPresent()) {
            return verbatim.get();
        }
        Optional<List<String>> words = Words.split(context.arguments());
        if (words.isEmpty()) {
            return CommandOutcome.reply(
                    "A quotation mark is not closed, or nothing follows a backslash. Usage: " + usage());
        }
        List<String> rest = new ArrayList<>(words.get());
        boolean all = rest.removeIf(word -> FLAGS.contains(word.toLowerCase(Locale.ROOT)));
        rest.removeIf("--"::equals);
        if (all && !context.admin()) {
            return CommandOutcome.reply("Only an admin may look beyond this chat.");
        }
        Viewer viewer = all ? Viewer.operator() : context.viewer();
        String target = Words.unwrapped(String.join(" ", rest).strip());
        if (!target.isEmpty()) {
            return resume(context, viewer, all, target);
        }
        boolean stopped =
                !all && context.entry().filter(SessionEntry::isSuspended).isPresent();
        return stopped ? goBack(context, viewer) : CommandOutcome.reply(list(context, viewer, all));
    }

    /** Goes back to the session that has just this title: in {@code Ada's plan} the apostrophe opens no quotation. */
    private static Optional<CommandOutcome> byTitleAsItStands(CommandContext context) {
        String title = context.arguments().strip();
        if (!Words.quotes(title)) {
            return Optional.empty();
        }
        StoredFamily family = new StoredFamily(context.sessions(), context.transcripts());
        return byTitle(context, context.viewer(), title)
                .or(() -> byTitle(context, context.viewer(), Words.unwrapped(title)))
                .flatMap(session -> Choices.tipOf(session, context.viewer(), family))
                .map(session -> enter(context, session));
    }

    /** Goes back to the lane's session, and lists the others where they can be read now. */
    private static CommandOutcome goBack(CommandContext context, Viewer viewer) {
        StoredFamily family = new StoredFamily(context.sessions(), context.transcripts());
        Optional<Session> stopped = context.entry()
                .flatMap(e -> context.sessions().find(e.sessionId()))
                .flatMap(session -> Choices.tipOf(session, viewer, family));
        if (stopped.isEmpty()) {
            return CommandOutcome.reply(list(context, viewer, false));
        }
        CommandOutcome outcome = enter(context, stopped.get());
        try {
            List<Choices.Choice> choices = Choices.toResume(context, viewer, false);
            return choices.size() > 1 ? outcome.replying(outcome.reply() + "\n" + list(context, choices)) : outcome;
        } catch (StorageUnavailable e) {
            return outcome;
        }
    }

    /** Goes back to a session whoever had it. */
    static CommandOutcome goBack(CommandContext context, SessionId wanted) {
        StoredFamily family = new StoredFamily(context.sessions(), context.transcripts());
        return context.sessions()
                .find(wanted)
                .flatMap(session -> Choices.tipOf(session, Viewer.operator(), family))
                .map(session -> enter(context, session))
                .orElseGet(() -> CommandOutcome.reply("There is no session " + wanted.value() + "."));
    }

    private static String list(CommandContext context, Viewer viewer, boolean all) {
        List<Choices.Choice> choices = Choices.toResume(context, viewer, all);
        return choices.isEmpty()
                ? "There are no earlier or named sessions here. /title gives this one a name."
                : list(context, choices);
    }

    private static String list(CommandContext context, List<Choices.Choice> choices) {
        StringBuilder list = new StringBuilder("Sessions to go back to:");
        for (int i = 0; i < choices.size(); i++) {
            list.append('\n').append(i + 1).append(". ").append(Choices.line(context, choices.get(i)));
        }
        return list.append("\nUse /resume with a number, a title or a session id.")
                .toString();
    }

    private static CommandOutcome resume(CommandContext context, Viewer viewer, boolean all, String target) {
        Optional<Session> wanted;
        if (target.chars().allMatch(c -> c >= '0' && c <= '9')) {
            List<Choices.Choice> choices = Choices.toResume(context, viewer, all);
            int index = target.length() > 4 ? Integer.MAX_VALUE : Integer.parseInt(target);
            if (index < 1 || index > choices.size()) {
                return CommandOutcome.reply("There is no session number " + OneLine.cut(target, 12) + "; the list has "
                        + Applying.count(choices.size(), "session") + ". /resume shows it.");
            }
            wanted = Optional.of(choices.get(index - 1).session());
        } else {
            wanted = byId(context, target).filter(viewer::maySee).or(() -> byTitle(context, viewer, target));
        }
        StoredFamily family = new StoredFamily(context.sessions(), context.transcripts());
        return wanted.flatMap(session -> Choices.tipOf(session, viewer, family))
                .map(session -> enter(context, session))
                .orElseGet(() -> CommandOutcome.reply(
                        "No session " + OneLine.quoted(target) + " was found here. /resume lists them."));
    }

    private static Optional<Session> byId(CommandContext context, String target) {
        return SessionId.isSafe(target) ? context.sessions().find(SessionId.of(target)) : Optional.empty();
    }

    /** Only titles that may be seen compete, so that nobody else's session hides one's own. */
    private static Optional<Session> byTitle(CommandContext context, Viewer viewer, String target) {
        List<Session> candidates = context.sessions().titledLike(target).stream()
                .filter(viewer::maySee)
                .toList();
        return TitleLineage.resolve(target, candidates);
    }

    private static CommandOutcome enter(CommandContext context, Session session) {
        String name = session.title()
                .map(OneLine::quoted)
                .orElseGet(() -> session.id().value());
        boolean current = Choices.isCurrent(context, session.id());
        if (current && Applying.over(context).isEmpty()) {
            return CommandOutcome.reply("This is session " + name + " already.");
        }
        if (!current && context.lanes().findBySession(session.id()).isPresent()) {
            return CommandOutcome.reply("Session " + name + " is in use in another conversation.");
        }
        long said = context.transcripts().load(session.id()).stream()
                .filter(m -> m.message().isSaid())
                .count();
        CommandOutcome outcome = CommandOutcome.reply(
                        "Back in session " + name + ", with " + Applying.count(said, "message") + " of yours.")
                .with(CommandOutcome.Effect.RELEASE_AGENT);
        return outcome.applying(context.current()
                .map(lane -> current
                        ? SessionTransitions.takeUp(lane, session, context.now(), Choices.RESUMED)
                        : SessionTransitions.switchTo(lane, session, context.now(), Choices.RESUMED))
                .orElseGet(() -> SessionTransitions.enter(
                        context.lane(), context.source(), session, context.now(), Choices.RESUMED)));
    }
}
