package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandTable;
import dev.parley.application.command.Flags;
import dev.parley.application.store.StoredFamily;
import dev.parley.application.store.TitleChoice;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.Blanks;
import java.util.List;
import java.util.Optional;

/** Begins a new session (Z12.1). */
final class NewCommand implements ChatCommand {
    private static final String YES = "yes";

    private final List<String> triggers;
    private final String shown;

    /** A command that is reached by {@code triggers}; the first is how it is shown. */
    NewCommand(List<String> triggers) {
        this.triggers = List.copyOf(triggers);
        this.shown = triggers.get(0);
    }

    @Override
    public String name() {
        return CommandTable.nameOf(shown);
    }

    @Override
    public List<String> aliases() {
        return triggers.stream()
                .skip(1)
                .filter(t -> t.startsWith("/"))
                .map(CommandTable::nameOf)
                .toList();
    }

    @Override
    public String usage() {
        return shown.startsWith("/") ? shown + " [title]" : shown;
    }

    @Override
    public String summary() {
        List<String> words =
                triggers.stream().skip(1).filter(t -> !t.startsWith("/")).toList();
        return "begins a new session" + (words.isEmpty() ? "" : "; so does: " + String.join(", ", words));
    }

    @Override
    public When when() {
        return When.ALWAYS;
    }

    @Override
    public Optional<Flags> flags() {
        return Optional.of(Flags.beforeText());
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        String asked = String.join(" ", Blanks.split(context.arguments()));
        boolean yes = asked.equalsIgnoreCase(YES) || asked.regionMatches(true, 0, YES + " ", 0, YES.length() + 1);
        boolean idle = !context.isBusy();
        if (context.settings().confirmDestructive()
                && idle
                && !yes
                && context.current().isPresent()) {
            return CommandOutcome.reply("This ends the conversation and begins a new one. Send " + typed(context) + " "
                    + YES + (asked.isEmpty() ? "" : " " + asked) + " to go ahead.");
        }
        boolean answers = yes && (context.settings().confirmDestructive() || asked.length() == YES.length());
        String wanted = Flags.text(answers ? asked.substring(YES.length()).strip() : asked);
        SessionId id = context.newSessionId();
        TitleChoice choice = TitleChoice.whereKnown(
                wanted,
                id,
                context.sessions(),
                new StoredFamily(context.sessions(), context.transcripts()),
                context.viewer());
        String said = "A new session has begun. Earlier ones are kept: /resume lists them.";
        CommandOutcome renewed = choice instanceof TitleChoice.Free free
                ? OperatorOrders.renewed(
                        context, id, "new", said + " Its title is " + free.title() + ".", Optional.of(free.title()))
                : OperatorOrders.renewed(context, id, "new", said + untitled(choice, wanted), Optional.empty());
        // What is attached is what the new session begins with.
        return context.request().attachments().isEmpty() ? renewed : renewed.runningAsTurn("");
    }

    /** Returns the trigger as it was typed where it takes a title, which one without a slash does not. */
    private String typed(CommandContext context) {
        String typed = "/" + context.request().name();
        return triggers.contains(typed) ? typed : shown;
    }

    /** Returns why a new session has no title, where one was given. */
    private static String untitled(TitleChoice choice, String wanted) {
        if (choice instanceof TitleChoice.Refused refused) {
            return " It has no title. " + refused.why();
        }
        if (choice instanceof TitleChoice.Unknown unknown) {
            return " " + unknown.why();
        }
        if (choice instanceof TitleChoice.NotKept notKept) {
            return " It has no title. " + notKept.why();
        }
        return wanted.isBlank() ? "" : " It has no title, because nothing is left of the one given.";
    }
}
