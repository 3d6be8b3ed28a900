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
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.io.FileNotFoundException;
import java.net.URI;
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
 * looked for before it is sent once more, so it is shown once. A pause that Slack asks for holds for every call of its method. Safe for
 * concurrent use; blocks until Slack has answered.
 */
public final class Sender {
    private static final Duration UPLOAD = Duration.ofSeconds(50);
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(5);
    /** Slack's clock and ours differ; so much earlier a mark is looked for. */
    private static final Duration APART = Duration.ofMinutes(10);

    private static final String POST = "chat.postMessage";
    private static final String UPDATE = "chat.update";
    private static final String MARK = "parley_message";
    private static final int MOST_PAGES = 10;
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
        String id =
                replaced.isPresent() ? replace(message, replaced.get(), text, shown) : once(message, done, text, shown);
        return new Sent(List.of(id), more);
    }

    private String replace(Outgoing message, String shown, StyledText text, List<Choice> choices) {
        try {
            change(message.to(), shown, text, choices);
            return shown;
        } catch (DeliveryFailed e) {
            if (!e.isPermanent()) {
                throw e;
            }
            // What was to be replaced is gone or too old: the answer becomes a message of its own.
            return once(message, 0, text, choices);
        }
    }

    /** Posts a piece unless it is there already. */
    private String once(Outgoing message, int number, StyledText text, List<Choice> choices) {
        String mark = message.id().value() + "." + number;
        boolean other = message.createdAt().isBefore(begun);
        if (other || unknown.contains(mark)) {
            Optional<String> there = find(message, mark);
            if (there.isPresent()) {
                unknown.remove(mark);
                return there.get();
            }
        }
        Map<String, Object> arguments = posting(message.to(), text);
        arguments.put("metadata", Map.of("event_type", MARK, "event_payload", Map.of("id", mark)));
        if (!choices.isEmpty()) {
            arguments.put("blocks", Contents.question(text, choices));
        }
        pace(message.to());
        unknown.add(mark);
        try {
            String ts = call(POST, arguments).path("ts").asText();
            unknown.remove(mark);
            return ts;
        } catch (DeliveryFailed notSent) {
            unknown.remove(mark);
            throw notSent;
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

    /** Looks for a piece among what was written since its message was stored. */
    private Optional<String> find(Outgoing message, String mark) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("channel", message.chatId());
        fields.put("oldest", oldest(message));
        fields.put("limit", "200");
        fields.put("include_all_metadata", "true");
        message.threadId().ifPresent(thread -> fields.put("ts", thread));
        String method = message.threadId().isPresent() ? "conversations.replies" : "conversations.history";
        try {
            for (int i = 0; i < MOST_PAGES; i++) {
                JsonNode page = api.get(method, fields);
                for (JsonNode each : page.path("messages")) {
                    JsonNode metadata = each.path("metadata");
                    if (metadata.path("event_type").asText().equals(MARK)
                            && metadata.path("event_payload")
                                    .path("id")
                                    .asText()
                                    .equals(mark)) {
                        return Optional.of(each.path("ts").asText());
                    }
                }
                String cursor =
                        page.path("response_metadata").path("next_cursor").asText();
                if (cursor.isEmpty()) {
                    break;
                }
                fields.put("cursor", cursor);
            }
            return Optional.empty();
        } catch (SlackError e) {
            if (e.isPassing()) {
                throw e.retryAfter().isPresent()
                        ? DeliveryFailed.rateLimited(
                                String.valueOf(e.getMessage()), e.retryAfter().get())
                        : new OutcomeUnknown(String.valueOf(e.getMessage()), e);
            }
            // The app may not look: better twice than never.
            return Optional.empty();
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private static String oldest(Outgoing message) {
        long stored = Math.max(0, message.createdAt().minus(APART).getEpochSecond());
        return message.replyTo()
                .filter(ts -> ts.matches("[0-9]{1,12}\\.[0-9]{1,9}"))
                .filter(ts -> Long.parseLong(ts.substring(0, ts.indexOf('.'))) < stored)
                .orElse(stored + ".000000");
    }

    /** Gives a message another text, and takes its buttons away. */
    public void edit(Address where, String messageId, String text) {
        change(where, messageId, first(text), List.of());
    }

    /** Shows a text that is not whole yet, as far as it fits, as a message of its own or in place of an earlier one. */
    public String preview(Address to, Optional<String> shown, String text) {
        if (shown.isPresent()) {
            change(to, shown.get(), first(text), List.of());
            return shown.get();
        }
        pace(to);
        return call(POST, posting(to, first(text))).path("ts").asText();
    }

    private StyledText first(String text) {
        return Piece.words(text, markdown).get(0);
    }

    private void change(Address where, String messageId, StyledText text, List<Choice> choices) {
        wait(List.of(new Demand(UPDATE, new Rate(50, Duration.ofMinutes(1), 20))));
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("channel", where.chatId());
        arguments.put("ts", messageId);
        arguments.put("text", Contents.mrkdwn(text));
        arguments.put("blocks", choices.isEmpty() ? List.of() : Contents.question(text, choices));
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
