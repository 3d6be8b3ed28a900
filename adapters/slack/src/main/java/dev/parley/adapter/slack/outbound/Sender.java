package dev.parley.adapter.slack.outbound;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.parley.adapter.kit.flow.Remembered;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.adapter.slack.api.SlackError;
import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.ability.Previewing.Preview;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends messages piece by piece, each with a mark that people do not see. Where it is not known whether a piece arrived, its mark is
 * looked for before it is sent once more, so it is shown once. A preview is marked with its turn: the answer finds it where a crash kept
 * its id from being stored, and what a process that ended had begun to show, and no answer took the place of, is taken away before
 * anything else is shown there. Files carry no mark: they are looked for by their names. Safe for concurrent use; blocks until Slack has
 * answered.
 */
public final class Sender {
    /** Slack's clock and ours differ; so much earlier a mark is looked for. */
    private static final Duration APART = Duration.ofMinutes(10);

    private static final String UPDATE = "chat.update";
    private static final String DELETE = "chat.delete";
    /** An answer that is older is given up, and so is what was shown of it. */
    private static final Duration LONGEST_AGO = Duration.ofDays(1);

    private static final int MOST_REMEMBERED = 5_000;

    private final Calls calls;
    private final Written written;
    private final SharedFiles files;
    private final boolean markdown;
    private final Instant begun;
    /** Pieces that this process has begun to send, and of which it does not know that they did not arrive. */
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    /** Turns whose preview this process has begun to show, and whose answer it has not shown yet. */
    private final Set<String> previewed = Remembered.latest(MOST_REMEMBERED);
    /** Previews of which a change may still be carried out: no answer takes their place, or that change would take the answer's. */
    private final Set<String> unsettled = Remembered.latest(MOST_REMEMBERED);
    /** Where nothing is left of a process that ended. */
    private final Set<String> tidied = Remembered.latest(MOST_REMEMBERED);

    /**
     * A sender for one app.
     *
     * @param api the app's API
     * @param clock time
     * @param markdown whether texts are read as Markdown
     */
    public Sender(SlackApi api, InstantSource clock, boolean markdown) {
        this.calls = new Calls(api, clock);
        this.written = new Written(api, calls);
        this.files = new SharedFiles(api, calls);
        this.markdown = markdown;
        this.begun = clock.instant();
    }

    /**
     * Sends the first piece that the message's delivery does not name.
     *
     * @param choices the buttons below the last piece of text; usually none
     * @throws DeliveryFailed where Slack did not take it
     */
    public Sent send(Outgoing message, List<Choice> choices) {
        List<Piece> pieces = Piece.of(message, markdown);
        int done = message.delivery().parts().size();
        if (done >= pieces.size()) {
            return Sent.UNNAMED;
        }
        boolean more = done < pieces.size() - 1;
        if (pieces.get(done) instanceof Piece.Enclosed enclosed) {
            SentFile file = new SentFile(enclosed.attachment());
            List<String> ids = file.send(
                    path -> shared(message, done, file, path),
                    words -> List.of(once(message, done, StyledText.plain(words), List.of())));
            return new Sent(ids, more);
        }
        StyledText text = ((Piece.Words) pieces.get(done)).text();
        boolean last = !more || pieces.get(done + 1) instanceof Piece.Enclosed;
        List<Choice> shown = last ? choices : List.of();
        message.replaces().filter(unsettled::contains).ifPresent(preview -> delete(message.to(), preview));
        Optional<String> replaced = message.replaces().filter(id -> done == 0 && !unsettled.contains(id));
        String id = replaced.flatMap(before -> replaced(message, before, text, shown))
                .orElseGet(() -> once(message, done, text, shown));
        message.turn().ifPresent(turn -> previewed.remove(turn.value()));
        return new Sent(List.of(id), more);
    }

    /** Puts the first piece in the place of a message that shows some of it. */
    private Optional<String> replaced(Outgoing message, String shown, StyledText text, List<Choice> choices) {
        try {
            change(message.to(), shown, text, choices, Optional.of(Mark.of(message, 0)));
            return Optional.of(shown);
        } catch (DeliveryFailed e) {
            if (!e.isPermanent()) {
                throw e;
            }
            // What was to be replaced is gone or too old: the answer becomes a message of its own.
            return Optional.empty();
        }
    }

    /** Shares a file unless it is there already. Slack names the file at once, and the message that shows it later. */
    private List<String> shared(Outgoing message, int number, SentFile file, Path path) {
        String mark = Mark.of(message, number).id();
        if (message.createdAt().isBefore(begun) || unknown.contains(mark)) {
            long before = Piece.of(message, markdown).subList(0, number).stream()
                    .filter(piece -> piece instanceof Piece.Enclosed other
                            && new SentFile(other.attachment()).name().equals(file.name()))
                    .count();
            if (written.files(message.to(), behind(message), file.name()) > before) {
                unknown.remove(mark);
                return List.of();
            }
        }
        unknown.add(mark);
        try {
            files.share(message.to(), file, path);
            unknown.remove(mark);
            return List.of();
        } catch (DeliveryFailed notSent) {
            unknown.remove(mark);
            throw notSent;
        }
    }

    /** Returns behind what a file is looked for: the first text of its message, else what it answers, or when it was stored. */
    private static String behind(Outgoing message) {
        return message.delivery().parts().stream()
                .flatMap(part -> part.messageIds().stream())
                .filter(Sender::isTimestamp)
                .findFirst()
                .orElseGet(() -> oldest(message));
    }

    /** Shows a piece unless it is there already. */
    private String once(Outgoing message, int number, StyledText text, List<Choice> choices) {
        Mark mark = Mark.of(message, number);
        Optional<String> turn = message.turn().map(TurnId::value).filter(each -> number == 0);
        boolean other = message.createdAt().isBefore(begun);
        if (other
                || unknown.contains(mark.id())
                || turn.filter(previewed::contains).isPresent()) {
            Map<Mark, String> there = written.marked(message.to(), oldest(message));
            Optional<String> before = Optional.ofNullable(there.get(mark));
            if (before.isPresent()) {
                unknown.remove(mark.id());
                return before.get();
            }
            Optional<String> preview = turn.flatMap(each -> there.entrySet().stream()
                    .filter(found -> found.getKey().shows(each))
                    .map(Map.Entry::getValue)
                    .findFirst());
            preview.filter(unsettled::contains).ifPresent(shown -> delete(message.to(), shown));
            Optional<String> changed = preview.filter(shown -> !unsettled.contains(shown))
                    .flatMap(shown -> replaced(message, shown, text, choices));
            if (changed.isPresent()) {
                return changed.get();
            }
        }
        return posted(message, number, text, choices);
    }

    private String posted(Outgoing message, int number, StyledText text, List<Choice> choices) {
        tidy(message.to());
        Mark mark = Mark.of(message, number);
        Map<String, Object> arguments = posting(message.to(), text);
        arguments.put("metadata", mark.metadata());
        if (!choices.isEmpty()) {
            arguments.put("blocks", Contents.question(text, choices));
        }
        calls.pace(message.to());
        unknown.add(mark.id());
        try {
            String ts = calls.post(Calls.POST, arguments).path("ts").asText();
            unknown.remove(mark.id());
            return ts;
        } catch (DeliveryFailed notSent) {
            unknown.remove(mark.id());
            throw notSent;
        }
    }

    /** Takes away what a process that ended had begun to show, once for each place. */
    private void tidy(Address to) {
        String place = to.chatId() + " " + to.threadId().orElse("");
        if (tidied.contains(place) || to.threadId().filter(this::isNew).isPresent()) {
            return;
        }
        written.marked(to, seconds(begun.minus(LONGEST_AGO))).forEach((mark, ts) -> {
            if (mark.isPreview() && !mark.life().equals(life())) {
                delete(to, ts);
            }
        });
        tidied.add(place);
    }

    private String life() {
        return begun.toString();
    }

    /** Returns whether a thread began so late that no process before this one can have shown anything in it. */
    private boolean isNew(String thread) {
        return isTimestamp(thread) && seconds(thread) > begun.plus(APART).getEpochSecond();
    }

    private void delete(Address to, String ts) {
        calls.run(DELETE, api -> {
            try {
                return api.post(DELETE, Map.of("channel", to.chatId(), "ts", ts));
            } catch (SlackError e) {
                // One that Slack keeps stays as it is.
                if (!e.isPassing()) {
                    return NullNode.getInstance();
                }
                throw e;
            }
        });
    }

    private static Map<String, Object> posting(Address to, StyledText text) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("channel", to.chatId());
        to.threadId().ifPresent(thread -> arguments.put("thread_ts", thread));
        arguments.put("text", Contents.mrkdwn(text));
        arguments.put("unfurl_links", false);
        arguments.put("unfurl_media", false);
        return arguments;
    }

    private static String oldest(Outgoing message) {
        Instant stored = message.createdAt().minus(APART);
        return message.replyTo()
                .filter(Sender::isTimestamp)
                .filter(ts -> seconds(ts) < stored.getEpochSecond())
                .orElse(seconds(stored));
    }

    private static boolean isTimestamp(String text) {
        return text.matches("[0-9]{1,12}\\.[0-9]{1,9}");
    }

    private static long seconds(String ts) {
        return Long.parseLong(ts.substring(0, ts.indexOf('.')));
    }

    private static String seconds(Instant at) {
        return Math.max(0, at.getEpochSecond()) + ".000000";
    }

    /** Gives a message another text, and takes its buttons away. */
    public void edit(Address where, String messageId, String text) {
        change(where, messageId, first(text), List.of(), Optional.empty());
    }

    /** Shows a text that is not whole yet, as far as it fits, as a message of its own or in place of an earlier one; returns its id. */
    public String preview(Preview preview) {
        Address to = preview.to();
        StyledText text = first(preview.text());
        Mark mark = Mark.preview(preview.turn().value(), life());
        if (preview.shown().isPresent()) {
            String shown = preview.shown().get();
            unsettled.add(shown);
            try {
                change(to, shown, text, List.of(), Optional.of(mark));
                unsettled.remove(shown);
            } catch (DeliveryFailed notChanged) {
                unsettled.remove(shown);
                throw notChanged;
            }
            return shown;
        }
        tidy(to);
        calls.pace(to);
        Map<String, Object> arguments = posting(to, text);
        arguments.put("metadata", mark.metadata());
        previewed.add(mark.id());
        return calls.post(Calls.POST, arguments).path("ts").asText();
    }

    private StyledText first(String text) {
        return Piece.words(text, markdown).get(0);
    }

    private void change(Address where, String messageId, StyledText text, List<Choice> choices, Optional<Mark> mark) {
        calls.paceChange(UPDATE);
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("channel", where.chatId());
        arguments.put("ts", messageId);
        arguments.put("text", Contents.mrkdwn(text));
        arguments.put("blocks", choices.isEmpty() ? List.of() : Contents.question(text, choices));
        mark.ifPresent(each -> arguments.put("metadata", each.metadata()));
        calls.post(UPDATE, arguments);
    }

    /** Puts an emoji on a message, or takes it away. */
    public void react(Address where, String messageId, String emoji, boolean on) {
        String method = on ? "reactions.add" : "reactions.remove";
        calls.paceChange(method);
        calls.run(method, api -> {
            try {
                return api.post(method, Map.of("channel", where.chatId(), "timestamp", messageId, "name", emoji));
            } catch (SlackError e) {
                if (e.is("already_reacted") || e.is("no_reaction")) {
                    return NullNode.getInstance();
                }
                throw e;
            }
        });
    }
}
