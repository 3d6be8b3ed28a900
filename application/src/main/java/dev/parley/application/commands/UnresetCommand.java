package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.StoredFamily;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Takes back the latest reset, automatic or asked for: the session before continues with everything said since. What was said since is
 * copied behind the older conversation, in order; the newer session keeps its rows for the record, hidden, so that search finds
 * each message once.
 */
final class UnresetCommand implements ChatCommand {
    private static final int LOOKED_AT = 50;

    @Override
    public String name() {
        return "unreset";
    }

    @Override
    public String usage() {
        return "/unreset";
    }

    @Override
    public String summary() {
        return "takes back the latest reset and keeps what was said since";
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
        Optional<Lane> lane = context.current();
        if (lane.isEmpty()) {
            return CommandOutcome.reply(Applying.NO_SESSION);
        }
        SessionId current = lane.get().entry().sessionId();
        Optional<LaneEvent> reset = context.lanes().history(context.lane(), LOOKED_AT).stream()
                .filter(UnresetCommand::changesSession)
                .findFirst()
                .filter(UnresetCommand::isReset)
                .filter(event -> event.to().filter(current::equals).isPresent());
        if (reset.isEmpty()) {
            return CommandOutcome.reply(
                    "There is no reset to take back: this session did not begin with one. /resume lists earlier sessions.");
        }
        Duration window = context.settings().unresetWindow();
        if (Duration.between(reset.get().at(), context.now()).compareTo(window) > 0) {
            return CommandOutcome.reply(
                    "The reset is too long ago to be taken back. /resume goes back to the earlier session as it was.");
        }
        StoredFamily family = new StoredFamily(context.sessions(), context.transcripts());
        return reset.get()
                .from()
                .flatMap(context.sessions()::find)
                .flatMap(session -> Choices.tipOf(session, context.viewer(), family))
                .filter(session -> context.lanes().findBySession(session.id()).isEmpty())
                .map(session -> rejoin(context, lane.get(), session))
                .orElseGet(
                        () -> CommandOutcome.reply(
                                "The session before the reset is gone or in use elsewhere, so the reset cannot be taken back."));
    }

    private static boolean changesSession(LaneEvent event) {
        return !event.from().equals(event.to());
    }

    private static boolean isReset(LaneEvent event) {
        return event.kind() == LaneEvent.Kind.RESET || event.kind() == LaneEvent.Kind.RENEWED;
    }

    private static CommandOutcome rejoin(CommandContext context, Lane lane, Session before) {
        SessionId newer = lane.entry().sessionId();
        List<StoredMessage> since = context.transcripts().load(newer);
        String name =
                before.title().map(OneLine::quoted).orElseGet(() -> before.id().value());
        CommandOutcome outcome = CommandOutcome.reply("The reset is taken back: session " + name + " goes on"
                + (since.isEmpty() ? "." : ", with " + Applying.count(since.size(), "message") + " since then."));
        outcome = outcome.applying(SessionTransitions.switchTo(lane, before, context.now(), "unreset"))
                .with(CommandOutcome.Effect.RELEASE_AGENT);
        if (since.isEmpty()) {
            return outcome;
        }
        List<Message> copies = Applying.copies(context, since);
        return outcome.storing(
                new Change.AppendMessages(before.id(), copies),
                new Change.HideMessages(
                        newer, since.stream().map(m -> m.message().id()).toList(), StoredMessage.State.REWOUND));
    }
}
