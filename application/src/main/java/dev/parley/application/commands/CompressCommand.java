package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.text.Blanks;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.ReplayCleaning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.TokenEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Replaces the conversation by a summary of it, or all but the last exchanges (Z12.10). Nothing is deleted: what was summarised is
 * hidden from the agent and still found by search; the kept exchanges stand behind the summary as new rows, their first rows are
 * hidden from search too, so that each is found once. Everything is stored in one batch once the summary is there; without one
 * nothing changes.
 */
final class CompressCommand implements ChatCommand {
    private static final int LEAST_ROWS = 4;
    private static final int USUALLY_KEPT = 2;
    private static final int MOST_KEPT = 100;
    private static final String UNCHANGED = "Nothing was changed.";
    private static final String PREVIEW = "--preview";
    private static final String DRY_RUN = "--dry-run";
    private static final String KEEP = "--keep";

    @Override
    public String name() {
        return "compress";
    }

    @Override
    public List<String> aliases() {
        return List.of("compact");
    }

    @Override
    public String usage() {
        return "/compress [focus | here [N] | --preview]";
    }

    @Override
    public String summary() {
        return "replaces the conversation by a summary; here N keeps the last N exchanges as they are";
    }

    @Override
    public When when() {
        return When.IDLE;
    }

    /** What was asked for. */
    private record Wish(int keep, boolean preview, Optional<String> focus) {}

    /** A conversation cut in two. */
    private record Cut(SessionEntry entry, List<StoredMessage> head, List<StoredMessage> kept) {
        List<MessageId> headIds() {
            return ids(head);
        }

        List<MessageId> keptIds() {
            return ids(kept);
        }

        private static List<MessageId> ids(List<StoredMessage> messages) {
            return messages.stream().map(m -> m.message().id()).toList();
        }
    }

    @Override
    public Optional<Flags> flags() {
        return Optional.of(Flags.anywhere(PREVIEW, DRY_RUN, KEEP));
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        Wish wish = wish(context.arguments());
        Optional<ResetReason> over = Applying.over(context);
        Optional<SessionEntry> entry = context.entry();
        if (entry.isEmpty()) {
            return CommandOutcome.reply(Applying.NO_SESSION);
        }
        if (over.isPresent()) {
            return Applying.isOver(over.get());
        }
        List<StoredMessage> active = context.transcripts().load(entry.get().sessionId());
        if (active.size() < LEAST_ROWS) {
            return CommandOutcome.reply("There is too little to compress: " + Applying.count(active.size(), "message")
                    + ", at least " + LEAST_ROWS + " are needed.");
        }
        if (!context.transcripts().isWhole(entry.get().sessionId())) {
            return CommandOutcome.reply(
                    "What was said before cannot be read for now, so it cannot be compressed. " + UNCHANGED);
        }
        Cut cut = cut(entry.get(), active, wish.keep());
        if (cut.head().stream().allMatch(m -> m.message().kind() == Message.Kind.SUMMARY)) {
            return CommandOutcome.reply(
                    "There is nothing to compress before the last " + Applying.count(wish.keep(), "exchange") + ".");
        }
        long tokens = TokenEstimate.of(messages(cut.head()));
        if (wish.preview()) {
            return CommandOutcome.reply(
                    "This would replace " + Applying.count(cut.head().size(), "message")
                            + " (about " + Applying.count(tokens, "token") + ") by a summary and keep "
                            + Applying.count(cut.kept().size(), "message") + " as they are. " + UNCHANGED);
        }
        List<Message> history = ReplayCleaning.replay(messages(cut.head()), context.now());
        return CommandOutcome.reply("")
                .summarising(new CommandOutcome.Summarise(
                        history,
                        wish.focus(),
                        (later, summary) -> replaced(later, cut, tokens, summary),
                        (later, why) -> CommandOutcome.reply(
                                "The conversation could not be compressed: " + why + " " + UNCHANGED)));
    }

    private static CommandOutcome replaced(CommandContext context, Cut cut, long tokens, String summary) {
        if (summary.isBlank()) {
            return CommandOutcome.reply("The agent gave no summary. " + UNCHANGED);
        }
        Optional<SessionEntry> entry =
                context.entry().filter(e -> e.sessionId().equals(cut.entry().sessionId()));
        Optional<Session> session = entry.flatMap(e -> context.sessions().find(e.sessionId()));
        List<StoredMessage> expected = new ArrayList<>(cut.head());
        expected.addAll(cut.kept());
        if (entry.isEmpty()
                || session.isEmpty()
                || !context.transcripts().load(entry.get().sessionId()).equals(expected)) {
            return CommandOutcome.reply("The conversation changed while it was summarised. " + UNCHANGED);
        }
        Message marker = Message.builder(
                        context.newMessageId(), Role.USER, Content.text(summary.strip()), context.now())
                .kind(Message.Kind.SUMMARY)
                .build();
        List<Message> next = new ArrayList<>(List.of(marker));
        next.addAll(Applying.copies(context, cut.kept()));
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.HideMessages(entry.get().sessionId(), cut.headIds(), StoredMessage.State.COMPACTED));
        if (!cut.kept().isEmpty()) {
            changes.add(new Change.HideMessages(entry.get().sessionId(), cut.keptIds(), StoredMessage.State.REWOUND));
        }
        changes.add(new Change.AppendMessages(entry.get().sessionId(), next));
        changes.add(new Change.EditSession(
                entry.get().sessionId(),
                new SessionEdit.Counts(
                        session.get().messageCount() + 1, session.get().toolCallCount())));
        changes.add(Applying.promptChanged(context, entry.get()));
        return CommandOutcome.reply("Compressed " + Applying.count(cut.head().size(), "message") + " (about "
                        + Applying.count(tokens, "token") + ") into a summary of about "
                        + Applying.count(TokenEstimate.of(List.of(marker)), "token") + "; kept "
                        + Applying.count(cut.kept().size(), "message") + " as they are.")
                .storing(changes)
                .with(CommandOutcome.Effect.RELEASE_AGENT);
    }

    private static Cut cut(SessionEntry entry, List<StoredMessage> active, int keep) {
        int from = active.size();
        int exchanges = 0;
        for (int i = active.size() - 1; i >= 0 && exchanges < keep; i--) {
            if (active.get(i).message().beginsTurn()) {
                from = i;
                exchanges++;
            }
        }
        return new Cut(entry, List.copyOf(active.subList(0, from)), List.copyOf(active.subList(from, active.size())));
    }

    private static List<Message> messages(List<StoredMessage> stored) {
        return stored.stream().map(StoredMessage::message).toList();
    }

    /**
     * Understands {@code here}, {@code here 3}, {@code up to here}, {@code --keep 3}, {@code --preview} and its other name
     * {@code --dry-run}; the rest is the focus. Without hyphens the words ask for the preview where nothing is left for a focus behind
     * them: a conversation is rather left alone than compressed by mistake.
     */
    private static Wish wish(String arguments) {
        List<String> words = Blanks.split(arguments);
        int asked = previewWords(words);
        if (asked > 0) {
            Wish rest = wish(words.subList(asked, words.size()));
            if (rest.focus().isEmpty()) {
                return new Wish(rest.keep(), true, Optional.empty());
            }
        }
        return wish(words);
    }

    /** Returns how many words at the beginning are the flag of the preview without its hyphens. */
    private static int previewWords(List<String> words) {
        for (int count = 1; count <= Math.min(2, words.size()); count++) {
            String flag = "--" + String.join("-", words.subList(0, count)).toLowerCase(Locale.ROOT);
            if (flag.equals(PREVIEW) || flag.equals(DRY_RUN)) {
                return count;
            }
        }
        return 0;
    }

    private static Wish wish(List<String> words) {
        List<String> focus = new ArrayList<>();
        boolean preview = false;
        int keep = 0;
        for (int i = 0; i < words.size(); i++) {
            String word = Flags.normal(words.get(i));
            if (word.equals(PREVIEW) || word.equals(DRY_RUN)) {
                preview = true;
            } else if (word.equals(KEEP) || (focus.isEmpty() && isHere(words, i))) {
                while (!word.equals(KEEP) && !words.get(i).equalsIgnoreCase("here")) {
                    i++;
                }
                Optional<Integer> number = i + 1 < words.size() ? number(words.get(i + 1)) : Optional.empty();
                keep = number.orElse(USUALLY_KEPT);
                i += number.isPresent() ? 1 : 0;
            } else {
                focus.add(words.get(i));
            }
        }
        return new Wish(keep, preview, focus.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", focus)));
    }

    private static boolean isHere(List<String> words, int at) {
        boolean here = words.get(at).equalsIgnoreCase("here");
        boolean upToHere = at + 2 < words.size()
                && words.get(at).equalsIgnoreCase("up")
                && words.get(at + 1).equalsIgnoreCase("to")
                && words.get(at + 2).equalsIgnoreCase("here");
        return here || upToHere;
    }

    private static Optional<Integer> number(String word) {
        try {
            return Optional.of((int) Math.max(1, Math.min(MOST_KEPT, Long.parseLong(word))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
