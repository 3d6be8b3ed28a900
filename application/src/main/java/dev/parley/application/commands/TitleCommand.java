package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.store.SessionRows;
import dev.parley.application.store.StoredFamily;
import dev.parley.application.store.TitleChoice;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import java.util.Optional;

/** Shows or sets the title of the current session (Z12.5). */
final class TitleCommand implements ChatCommand {
    @Override
    public String name() {
        return "title";
    }

    @Override
    public String usage() {
        return "/title [text]";
    }

    @Override
    public String summary() {
        return "shows or sets the title of this session";
    }

    @Override
    public When when() {
        return When.IDLE;
    }

    @Override
    public Optional<Flags> flags() {
        return Optional.of(Flags.beforeText());
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        Optional<SessionEntry> entry = context.entry();
        if (entry.isEmpty()) {
            return CommandOutcome.reply(Applying.NO_SESSION);
        }
        SessionId session = entry.get().sessionId();
        Optional<Session> stored = context.sessions().find(session);
        if (context.arguments().isEmpty()) {
            String title = stored.flatMap(Session::title).orElse("(untitled)");
            return CommandOutcome.reply("Title: " + title + "\nSession: " + session);
        }
        TitleChoice choice = TitleChoice.of(
                Flags.text(context.arguments()),
                session,
                context.sessions(),
                new StoredFamily(context.sessions(), context.transcripts()),
                context.viewer());
        if (choice instanceof TitleChoice.Free free) {
            return retitle(entry.get(), stored.isPresent(), free);
        }
        return CommandOutcome.reply(refusal(choice, session));
    }

    private static String refusal(TitleChoice choice, SessionId session) {
        if (choice instanceof TitleChoice.Refused refused) {
            return refused.why();
        }
        return choice instanceof TitleChoice.NotKept notKept
                ? notKept.why() + " /resume takes the id of a session: this one is " + session + "."
                : "Nothing remains of this title once it is cleaned. Usage: /title [text]";
    }

    private static CommandOutcome retitle(SessionEntry entry, boolean stored, TitleChoice.Free free) {
        CommandOutcome outcome = CommandOutcome.reply("Title set: " + free.title());
        if (!stored) {
            outcome = outcome.storing(new Change.CreateSession(SessionRows.of(entry)));
        }
        Change retitle = new Change.EditSession(entry.sessionId(), new SessionEdit.Retitle(Optional.of(free.title())));
        return free.takenFrom().isPresent()
                ? outcome.storing(
                        new Change.EditSession(free.takenFrom().get(), new SessionEdit.Retitle(Optional.empty())),
                        retitle)
                : outcome.requiring(new Precondition.TitleFree(free.title(), entry.sessionId()))
                        .storing(retitle);
    }
}
