package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.StoredFamily;
import dev.parley.application.store.TitleChoice;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.title.Title;
import dev.parley.domain.title.TitleLineage;
import dev.parley.domain.transcript.StoredMessage;
import java.util.List;
import java.util.Optional;

/** Goes on in a copy of the conversation; the original stays as it is (Z12.12). */
final class BranchCommand implements ChatCommand {
    private static final String UNNAMED = "branch";

    @Override
    public String name() {
        return "branch";
    }

    @Override
    public List<String> aliases() {
        return List.of("fork");
    }

    @Override
    public String usage() {
        return "/branch [name]";
    }

    @Override
    public String summary() {
        return "goes on in a copy of this session and leaves the original as it is";
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
        Optional<Lane> lane = context.current();
        Optional<Session> parent =
                lane.flatMap(l -> context.sessions().find(l.entry().sessionId()));
        List<StoredMessage> active =
                parent.map(p -> context.transcripts().load(p.id())).orElse(List.of());
        if (lane.isEmpty() || parent.isEmpty() || active.isEmpty()) {
            return CommandOutcome.reply("There is no conversation to branch from yet.");
        }
        if (!context.transcripts().isWhole(parent.get().id())) {
            return CommandOutcome.reply(
                    "What was said before cannot be read for now, so it cannot be copied. Nothing was branched.");
        }
        String asked = Flags.text(context.arguments());
        SessionId id = context.newSessionId();
        TitleChoice name = asked.isEmpty()
                ? nextTitle(context, parent.get())
                : TitleChoice.whereKnown(
                        asked,
                        id,
                        context.sessions(),
                        new StoredFamily(context.sessions(), context.transcripts()),
                        context.viewer());
        if (name instanceof TitleChoice.Refused refused) {
            return CommandOutcome.reply(refused.why() + " Nothing was branched.");
        }
        Optional<String> title = name instanceof TitleChoice.Free free ? Optional.of(free.title()) : Optional.empty();
        Session branch = Session.builder(id, parent.get().source(), context.now())
                .userId(parent.get().userId().orElse(null))
                .model(parent.get().model().orElse(null))
                .modelConfig(marked(parent.get()))
                .systemPrompt(parent.get().systemPrompt().orElse(null))
                .parent(parent.get().id())
                .title(title.orElse(null))
                .peer(new SessionPeer(lane.get().key(), lane.get().entry().origin()))
                .build();
        CommandOutcome outcome = CommandOutcome.reply("Branched " + parent.get().id() + " into " + id
                + title.map(t -> " (" + t + ")").orElse("") + ", with "
                + Applying.count(active.size(), "message") + ". /resume goes back to the original."
                + untitled(name, asked));
        return outcome.applying(SessionTransitions.branch(lane.get(), branch, context.now()))
                .storing(new Change.AppendMessages(id, Applying.copies(context, active)))
                .with(CommandOutcome.Effect.RELEASE_AGENT);
    }

    /** Returns why a branch has no title, where somebody would expect one. */
    private static String untitled(TitleChoice choice, String asked) {
        if (choice instanceof TitleChoice.Unknown unknown) {
            return " " + unknown.why();
        }
        return choice instanceof TitleChoice.NotKept notKept && !asked.isEmpty()
                ? " It has no title. " + notKept.why()
                : "";
    }

    private static TitleChoice nextTitle(CommandContext context, Session parent) {
        if (!context.sessions().keepsTitles()) {
            return new TitleChoice.NotKept();
        }
        String base = TitleLineage.base(parent.title().orElse(UNNAMED));
        List<String> taken;
        try {
            taken = context.sessions().titledLike(base).stream()
                    .flatMap(s -> s.title().stream())
                    .toList();
        } catch (StorageUnavailable e) {
            return new TitleChoice.Unknown();
        }
        String next = TitleLineage.next(base, taken);
        return next.codePointCount(0, next.length()) > Title.MAX_LENGTH
                ? new TitleChoice.Empty()
                : new TitleChoice.Free(next, Optional.empty());
    }

    /** The mark that tells a branch from a continuation stands in the model's configuration, where other readers look for it. */
    private static RawJson marked(Session parent) {
        String mark = "\"_branched_from\":\"" + parent.id().value().replace("\"", "\\\"") + "\"";
        String config = parent.modelConfig().map(RawJson::text).orElse("").strip();
        if (!config.startsWith("{") || config.contains("\"_branched_from\"")) {
            return new RawJson("{" + mark + "}");
        }
        String rest = config.substring(1).strip();
        return new RawJson("{" + mark + (rest.startsWith("}") ? "" : ",") + rest);
    }
}
