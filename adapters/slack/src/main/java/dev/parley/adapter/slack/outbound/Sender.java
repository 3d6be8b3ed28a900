package dev.parley.adapter.slack.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.kit.api.WholeFile;
import dev.parley.adapter.kit.flow.Rate;
import dev.parley.adapter.kit.flow.RateLimiter;
import dev.parley.adapter.kit.flow.RateLimiter.Demand;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.adapter.slack.api.SlackError;
import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.ability.Previewing.Preview;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.io.FileNotFoundException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
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
 * anything else is shown there. A pause that Slack asks for holds for every call of its method. Safe for concurrent use; blocks until
 * Slack has answered.
 */
public final class Sender {
    private static final Duration UPLOAD = Duration.ofSeconds(50);
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(5);
    /** Slack's clock and ours differ; so much earlier a mark is looked for. */
    private static final Duration APART = Duration.ofMinutes(10);

    private static final String POST = "chat.postMessage";
    private static final String UPDATE = "chat.update";
    private static final String DELETE = "chat.delete";
    private static final String MARK = "parley_message";
    private static final String PREVIEW = "parley_preview";
    /** An answer that is older is given up, and so is what was shown of it. */
    private static final Duration LONGEST_AGO = Duration.ofDays(1);

    private static final int MOST_PAGES = 10;
    private static final int MOST_REMEMBERED = 5_000;
    private static final Rate CHANNEL = new Rate(1, Duration.ofSeconds(1), 20);

    private static final Set<String> GONE = Set.of("channel_not_found", "is_archived", "channel_is_archived");
    private static final Set<String> FORBIDDEN = Set.of(
            "not_in_channel",
            "restricted_action",
            "restricted_action_read_only_channel",
            "restricted_action_thread_only_channel",
            "restricted_action_non_threadable_channel",
            "restricted_action_thread_locked",
            "ekm_access_denied",
            "missing_scope",
            "cannot_dm_bot",
            "messages_tab_disabled",
            "access_denied");

    private final SlackApi api;
    private final RateLimiter limiter;
    private final boolean markdown;
    private final Instant begun;
    /** Pieces that this process has begun to send, and of which it does not know that they did not arrive. */
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    /** Turns whose preview this process has begun to show, and whose answer it has not shown yet. */
    private final Set<String> previewed = remembered();
    /** Where nothing is left of a process that ended. */
    private final Set<String> tidied = remembered();

    /**
     * A sender for one app.
     *
     * @param api the app's API
     * @param clock time
     * @param markdown whether texts are read as Markdown
     */
    public Sender(SlackApi api, InstantSource clock, boolean markdown) {
        this.api = api;
        this.limiter = new RateLimiter(clock);
        this.markdown = markdown;
        this.begun = clock.instant();
    }

    private static Set<String> remembered() {
        return Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > MOST_REMEMBERED;
            }
        }));
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
            share(message.to(), enclosed.attachment());
            // Slack names the file at once, and the message that shows it later.
            return new Sent(List.of(), more);
        }
        StyledText text = ((Piece.Words) pieces.get(done)).text();
        boolean last = !more || pieces.get(done + 1) instanceof Piece.Enclosed;
        List<Choice> shown = last ? choices : List.of();
        Optional<String> replaced = message.replaces().filter(id -> done == 0);
        String id = replaced.flatMap(before -> replaced(message, before, text, shown))
                .orElseGet(() -> once(message, done, text, shown));
        message.turn().ifPresent(turn -> previewed.remove(turn.value()));
        return new Sent(List.of(id), more);
    }

    /** Puts the first piece in the place of a message that shows some of it. */
    private Optional<String> replaced(Outgoing message, String shown, StyledText text, List<Choice> choices) {
        try {
            change(message.to(), shown, text, choices, Optional.of(mark(message, 0)));
            return Optional.of(shown);
        } catch (DeliveryFailed e) {
            if (!e.isPermanent()) {
                throw e;
            }
            // What was to be replaced is gone or too old: the answer becomes a message of its own.
            return Optional.empty();
        }
    }

    /** Shows a piece unless it is there already. */
    private String once(Outgoing message, int number, StyledText text, List<Choice> choices) {
        Mark mark = mark(message, number);
        Optional<String> turn = message.turn().map(TurnId::value).filter(each -> number == 0);
        boolean other = message.createdAt().isBefore(begun);
        if (other
                || unknown.contains(mark.id())
                || turn.filter(previewed::contains).isPresent()) {
            Map<Mark, String> there = marked(message.to(), oldest(message));
            Optional<String> before = Optional.ofNullable(there.get(mark));
            if (before.isPresent()) {
                unknown.remove(mark.id());
                return before.get();
            }
            Optional<String> preview = turn.flatMap(each -> there.entrySet().stream()
                    .filter(found -> found.getKey().shows(each))
                    .map(Map.Entry::getValue)
                    .findFirst());
            Optional<String> changed = preview.flatMap(shown -> replaced(message, shown, text, choices));
            if (changed.isPresent()) {
                return changed.get();
            }
        }
        return posted(message, number, text, choices);
    }

    private String posted(Outgoing message, int number, StyledText text, List<Choice> choices) {
        tidy(message.to());
        Mark mark = mark(message, number);
        Map<String, Object> arguments = posting(message.to(), text);
        arguments.put("metadata", mark.metadata());
        if (!choices.isEmpty()) {
            arguments.put("blocks", Contents.question(text, choices));
        }
        pace(message.to());
        unknown.add(mark.id());
        try {
            String ts = call(POST, arguments).path("ts").asText();
            unknown.remove(mark.id());
            return ts;
        } catch (DeliveryFailed notSent) {
            unknown.remove(mark.id());
            throw notSent;
        }
    }

    /**
     * What people do not see of a message.
     *
     * @param event what it is
     * @param id the outgoing message and its piece; of a preview the turn
     * @param life the process that shows a preview; empty for what is whole
     */
    private record Mark(String event, String id, String life) {
        Map<String, Object> metadata() {
            return Map.of("event_type", event, "event_payload", Map.of("id", id, "life", life));
        }

        /** Returns whether it is the preview of a turn. */
        boolean shows(String turn) {
            return event.equals(PREVIEW) && id.equals(turn);
        }

        static Mark of(JsonNode message) {
            JsonNode metadata = message.path("metadata");
            JsonNode payload = metadata.path("event_payload");
            return new Mark(
                    metadata.path("event_type").asText(),
                    payload.path("id").asText(),
                    payload.path("life").asText());
        }
    }

    private static Mark mark(Outgoing message, int number) {
        return new Mark(MARK, message.id().value() + "." + number, "");
    }

    /** Takes away what a process that ended had begun to show, once for each place. */
    private void tidy(Address to) {
        String place = to.chatId() + " " + to.threadId().orElse("");
        if (tidied.contains(place) || to.threadId().filter(this::isNew).isPresent()) {
            return;
        }
        marked(to, seconds(begun.minus(LONGEST_AGO))).forEach((mark, ts) -> {
            if (mark.event().equals(PREVIEW) && !mark.life().equals(life())) {
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
        try {
            api.post(DELETE, Map.of("channel", to.chatId(), "ts", ts));
        } catch (SlackError e) {
            // One that Slack keeps stays as it is.
            if (e.isPassing()) {
                throw failed(DELETE, e);
            }
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
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

    /** Returns the messages of ours that were written since a time, as far as ten pages have them; none where the app may not look. */
    private Map<Mark, String> marked(Address where, String oldest) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("channel", where.chatId());
        fields.put("oldest", oldest);
        fields.put("limit", "200");
        fields.put("include_all_metadata", "true");
        where.threadId().ifPresent(thread -> fields.put("ts", thread));
        String method = where.threadId().isPresent() ? "conversations.replies" : "conversations.history";
        Map<Mark, String> found = new LinkedHashMap<>();
        try {
            for (int i = 0; i < MOST_PAGES; i++) {
                JsonNode page = api.get(method, fields);
                for (JsonNode each : page.path("messages")) {
                    if (each.path("metadata").path("event_type").asText().startsWith("parley_")) {
                        found.putIfAbsent(Mark.of(each), each.path("ts").asText());
                    }
                }
                String cursor =
                        page.path("response_metadata").path("next_cursor").asText();
                if (cursor.isEmpty()) {
                    break;
                }
                fields.put("cursor", cursor);
            }
            return found;
        } catch (SlackError e) {
            if (e.isPassing()) {
                throw failed(method, e);
            }
            // The app may not look: better twice than never.
            return found;
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
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
        Mark mark = new Mark(PREVIEW, preview.turn().value(), life());
        if (preview.shown().isPresent()) {
            change(to, preview.shown().get(), text, List.of(), Optional.of(mark));
            return preview.shown().get();
        }
        tidy(to);
        pace(to);
        Map<String, Object> arguments = posting(to, text);
        arguments.put("metadata", mark.metadata());
        previewed.add(mark.id());
        return call(POST, arguments).path("ts").asText();
    }

    private StyledText first(String text) {
        return Piece.words(text, markdown).get(0);
    }

    private void change(Address where, String messageId, StyledText text, List<Choice> choices, Optional<Mark> mark) {
        wait(List.of(new Demand(UPDATE, new Rate(50, Duration.ofMinutes(1), 20))));
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("channel", where.chatId());
        arguments.put("ts", messageId);
        arguments.put("text", Contents.mrkdwn(text));
        arguments.put("blocks", choices.isEmpty() ? List.of() : Contents.question(text, choices));
        mark.ifPresent(each -> arguments.put("metadata", each.metadata()));
        call(UPDATE, arguments);
    }

    /** Puts an emoji on a message, or takes it away. */
    public void react(Address where, String messageId, String emoji, boolean on) {
        String method = on ? "reactions.add" : "reactions.remove";
        wait(List.of(new Demand(method, new Rate(50, Duration.ofMinutes(1), 20))));
        try {
            api.post(method, Map.of("channel", where.chatId(), "timestamp", messageId, "name", emoji));
        } catch (SlackError e) {
            if (!e.is("already_reacted") && !e.is("no_reaction")) {
                throw failed(method, e);
            }
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private void share(Address to, Attachment attachment) {
        pace(to);
        Path path = Path.of(attachment.location());
        String name = attachment.name().orElse(String.valueOf(path.getFileName()));
        try {
            WholeFile file = new WholeFile(path, attachment.mediaType().orElse("application/octet-stream"));
            Map<String, String> announced = new LinkedHashMap<>();
            announced.put("filename", name);
            announced.put("length", String.valueOf(path.toFile().length()));
            attachment.description().ifPresent(words -> announced.put("alt_txt", words));
            JsonNode given = api.get("files.getUploadURLExternal", announced);
            api.upload(uploadTo(given), file, UPLOAD);
            Map<String, Object> arguments = new LinkedHashMap<>();
            arguments.put("files", List.of(Map.of("id", given.path("file_id").asText(), "title", name)));
            arguments.put("channel_id", to.chatId());
            to.threadId().ifPresent(thread -> arguments.put("thread_ts", thread));
            api.post("files.completeUploadExternal", arguments);
        } catch (FileNotFoundException gone) {
            throw new DeliveryFailed(
                    DeliveryFailed.Kind.REJECTED, "A file that was to be sent is not there any more.", gone);
        } catch (SlackError e) {
            throw failed("files", e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private URI uploadTo(JsonNode given) {
        try {
            URI address = URI.create(given.path("upload_url").asText());
            if (api.isSlacks(address)) {
                return address;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Said below.
        }
        throw new DeliveryFailed(
                DeliveryFailed.Kind.REJECTED, "Slack gave an address for the file that is not its own.", null);
    }

    private JsonNode call(String method, Map<String, Object> arguments) {
        try {
            return api.post(method, arguments);
        } catch (SlackError e) {
            throw failed(method, e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private void pace(Address to) {
        wait(List.of(new Demand(POST, new Rate(100, Duration.ofSeconds(1), 100)), new Demand(to.chatId(), CHANNEL)));
    }

    /** Takes a permit, or gives the message back to the gateway, which waits without a thread. */
    private void wait(List<Demand> demands) {
        Duration wait = limiter.take(demands);
        if (!wait.isZero()) {
            long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
            throw DeliveryFailed.rateLimited("Slack is sent no more for " + seconds + " s.", wait);
        }
    }

    private RuntimeException failed(String method, SlackError e) {
        String what = String.valueOf(e.getMessage());
        if (e.isLimit()) {
            Duration pause = e.retryAfter().orElse(USUAL_PAUSE);
            limiter.pause(method.equals("files") ? POST : method, pause);
            return DeliveryFailed.rateLimited(what, pause);
        }
        if (e.isUnknown()) {
            return new OutcomeUnknown(what, e);
        }
        return new DeliveryFailed(kind(e), what, e);
    }

    private static DeliveryFailed.Kind kind(SlackError e) {
        if (e.isUnauthorized()) {
            return DeliveryFailed.Kind.UNAUTHORIZED;
        }
        if (GONE.stream().anyMatch(e::is)) {
            return DeliveryFailed.Kind.CHAT_GONE;
        }
        if (FORBIDDEN.stream().anyMatch(e::is)) {
            return DeliveryFailed.Kind.FORBIDDEN;
        }
        return e.isPassing() || !e.isSpoken() ? DeliveryFailed.Kind.AWAY : DeliveryFailed.Kind.REJECTED;
    }
}
