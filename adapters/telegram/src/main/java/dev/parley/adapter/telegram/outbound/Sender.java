package dev.parley.adapter.telegram.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.Multipart;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.kit.flow.Rate;
import dev.parley.adapter.kit.flow.RateLimiter;
import dev.parley.adapter.kit.flow.RateLimiter.Demand;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.adapter.kit.text.CutOnce;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.adapter.telegram.api.BotApi;
import dev.parley.adapter.telegram.api.BotApiError;
import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.turn.Outgoing;
import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends messages piece by piece, no faster than Telegram lets a bot, and changes what was sent. A pause that Telegram asks for holds for
 * everything the bot sends: until it is over nothing is tried. Safe for concurrent use; blocks until Telegram has answered.
 */
public final class Sender {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration UPLOAD = Duration.ofSeconds(50);
    /** The topic that a forum's messages belong to where they name none. */
    private static final String GENERAL = "1";

    private static final String ALL = "all";
    private static final Rate OVERALL = new Rate(30, Duration.ofSeconds(1), 30);
    // Telegram lets short bursts pass; where it does not, its own pause counts.
    private static final Rate PERSON = new Rate(1, Duration.ofSeconds(1), 60);
    private static final Rate GROUP = new Rate(20, Duration.ofMinutes(1), 60);

    private static final Map<String, String> METHODS = Map.of(
            "photo", "sendPhoto",
            "voice", "sendVoice",
            "audio", "sendAudio",
            "video", "sendVideo",
            "animation", "sendAnimation");

    private final BotApi api;
    private final RateLimiter limiter;
    private final boolean markdown;
    private final CutOnce<Piece> cut = new CutOnce<>();
    private final Map<String, String> moved = new ConcurrentHashMap<>();

    /**
     * A sender for one bot.
     *
     * @param api the bot's API
     * @param clock time
     * @param markdown whether texts are read as Markdown
     */
    public Sender(BotApi api, InstantSource clock, boolean markdown) {
        this.api = api;
        this.limiter = new RateLimiter(clock);
        this.markdown = markdown;
    }

    /**
     * Sends the first piece that the message's delivery does not name.
     *
     * @param choices the buttons below the last piece; usually none
     * @throws DeliveryFailed where Telegram did not take it
     */
    public Sent send(Outgoing message, List<Choice> choices) {
        List<Piece> pieces = cut.of(message, () -> Piece.of(message, markdown));
        int done = message.delivery().parts().size();
        if (done >= pieces.size()) {
            return Sent.UNNAMED;
        }
        Piece piece = pieces.get(done);
        boolean last = done == pieces.size() - 1;
        Map<String, Object> extras = new LinkedHashMap<>();
        if (last && !choices.isEmpty()) {
            extras.put("reply_markup", keyboard(choices));
        }
        String id;
        if (done == 0 && message.replaces().isPresent() && piece instanceof Piece.Words words) {
            id = replace(message, message.replaces().get(), words, extras);
        } else {
            message.replyTo().filter(to -> done == 0).ifPresent(to -> extras.put("reply_parameters", reply(to)));
            id = send(message.to(), piece, extras);
        }
        return new Sent(List.of(id), !last);
    }

    private String replace(Outgoing message, String shown, Piece.Words words, Map<String, Object> extras) {
        try {
            edit(message.to(), shown, words.text(), extras);
            return shown;
        } catch (DeliveryFailed e) {
            if (!e.isPermanent()) {
                throw e;
            }
            // What was to be replaced is gone or too old: the answer becomes a message of its own.
            message.replyTo().ifPresent(to -> extras.put("reply_parameters", reply(to)));
            return send(message.to(), words, extras);
        }
    }

    private String send(Address to, Piece piece, Map<String, Object> extras) {
        pace(to);
        if (piece instanceof Piece.Enclosed enclosed) {
            SentFile file = new SentFile(enclosed.attachment());
            return file.send(
                    path -> call(to, extras, enclosed.caption(), new File(file, path, METHODS.containsKey(kind(file)))),
                    words -> call(to, extras, enclosed.caption().below(words), new Text()));
        }
        return call(to, extras, ((Piece.Words) piece).text(), new Text());
    }

    /** Gives a message another text, and other buttons or none. */
    public void edit(Address where, String messageId, String text) {
        edit(where, messageId, first(text), new LinkedHashMap<>());
    }

    private void edit(Address where, String messageId, StyledText text, Map<String, Object> extras) {
        pace(where);
        call(where, extras, text, new Change(messageId));
    }

    /** Shows a text that is not whole yet, as far as it fits, as a message of its own or in place of an earlier one. */
    public String preview(Address to, Optional<String> replyTo, Optional<String> shown, String text) {
        if (shown.isPresent()) {
            edit(to, shown.get(), first(text), new LinkedHashMap<>());
            return shown.get();
        }
        Map<String, Object> extras = new LinkedHashMap<>();
        replyTo.ifPresent(id -> extras.put("reply_parameters", reply(id)));
        return send(to, new Piece.Words(first(text)), extras);
    }

    private StyledText first(String text) {
        StyledText styled = Piece.styled(text.isBlank() ? "\u2026" : text, markdown);
        int most = Math.min(styled.text().length(), Piece.LONGEST_TEXT);
        boolean inPair = most > 0
                && most < styled.text().length()
                && Character.isHighSurrogate(styled.text().charAt(most - 1));
        return styled.part(0, inPair ? most - 1 : most);
    }

    /** Shows for some seconds that the bot writes, unless Telegram asks for a pause. */
    public void typing(Address where) {
        pace(List.of(new Demand(ALL, OVERALL)));
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("chat_id", number(chat(where)));
        where.threadId().ifPresent(thread -> parameters.put("message_thread_id", number(thread)));
        parameters.put("action", "typing");
        try {
            api.call("sendChatAction", parameters, TIMEOUT);
        } catch (BotApiError e) {
            throw failed(e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private static Object keyboard(List<Choice> choices) {
        List<Object> rows = new ArrayList<>();
        for (Choice choice : choices) {
            rows.add(List.of(Map.of("text", choice.label(), "callback_data", choice.value())));
        }
        return Map.of("inline_keyboard", rows);
    }

    private static Object reply(String messageId) {
        return Map.of("message_id", number(messageId), "allow_sending_without_reply", true);
    }

    private static Object number(String id) {
        try {
            return Long.valueOf(id);
        } catch (NumberFormatException notANumber) {
            return id;
        }
    }

    private String chat(Address where) {
        return moved.getOrDefault(where.chatId(), where.chatId());
    }

    // one call, and what is tried where Telegram does not take it

    /** What is called, with a text. */
    private sealed interface Target {}

    private record Text() implements Target {}

    /** A file; shown as a picture or the like, or as a file like any other. */
    private record File(SentFile file, Path path, boolean shown) implements Target {
        File asDocument() {
            return new File(file, path, false);
        }
    }

    private record Change(String messageId) implements Target {}

    private String call(Address to, Map<String, Object> extras, StyledText text, Target target) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("chat_id", number(chat(to)));
        if (target instanceof Change change) {
            parameters.put("message_id", number(change.messageId()));
        } else {
            to.threadId()
                    .filter(thread -> !(thread.equals(GENERAL) && to.chatId().startsWith("-")))
                    .ifPresent(thread -> parameters.put("message_thread_id", number(thread)));
        }
        boolean caption = target instanceof File;
        if (!caption || !text.text().isEmpty()) {
            parameters.put(caption ? "caption" : "text", text.text());
        }
        String entities = caption ? "caption_entities" : "entities";
        List<Map<String, Object>> styles = Entities.of(text);
        if (!styles.isEmpty()) {
            parameters.put(entities, styles);
        }
        parameters.putAll(extras);
        Target as = target;
        // Each way out is taken at most once.
        for (int i = 0; i < 6; i++) {
            try {
                return api(as, parameters).path("message_id").asText();
            } catch (BotApiError e) {
                if (target instanceof Change change && e.says("message is not modified")) {
                    return change.messageId();
                }
                if (as instanceof File file && file.shown() && isRefused(e)) {
                    // Too large or of too odd a shape to be shown: as a file it may be taken.
                    as = file.asDocument();
                } else if (!mend(to, parameters, entities, e)) {
                    throw failed(e);
                }
            } catch (ApiFailure e) {
                throw OutcomeUnknown.of(e);
            } catch (InterruptedException e) {
                throw OutcomeUnknown.of(e);
            }
        }
        throw new DeliveryFailed(DeliveryFailed.Kind.REJECTED, "Telegram takes this message in no form.", null);
    }

    /** Changes a call so that Telegram may take it: the chat's new id, no topic, no reply, no styles. Returns whether it did. */
    private boolean mend(Address to, Map<String, Object> parameters, String entities, BotApiError e) {
        if (e.movedTo().isPresent()) {
            String now = e.movedTo().get();
            moved.put(to.chatId(), now);
            Object before = parameters.put("chat_id", number(now));
            return !number(now).equals(before);
        }
        if (e.code() != 400) {
            return false;
        }
        if (e.says("thread not found") || e.says("topic_closed") || e.says("topic_deleted")) {
            return parameters.remove("message_thread_id") != null;
        }
        if (e.says("replied not found") || e.says("reply message not found")) {
            return parameters.remove("reply_parameters") != null;
        }
        if (e.says("entit") || e.says("parse")) {
            return parameters.remove(entities) != null;
        }
        return false;
    }

    private JsonNode api(Target target, Map<String, Object> parameters)
            throws BotApiError, ApiFailure, InterruptedException {
        if (target instanceof File file) {
            return upload(file, parameters);
        }
        return api.call(target instanceof Change ? "editMessageText" : "sendMessage", parameters, TIMEOUT);
    }

    private static String kind(SentFile file) {
        return file.attachment().kind().toLowerCase(Locale.ROOT);
    }

    private static boolean isRefused(BotApiError e) {
        return e.code() == 413 || e.says("PHOTO_") || e.says("IMAGE_") || e.says("too big");
    }

    private JsonNode upload(File sent, Map<String, Object> parameters)
            throws BotApiError, ApiFailure, InterruptedException {
        String kind = sent.shown() ? kind(sent.file()) : "document";
        Multipart form = new Multipart("parley" + Long.toHexString(System.nanoTime()) + "boundary");
        parameters.forEach((name, value) -> form.field(name, api.json(value)));
        try {
            form.file(kind, sent.path(), sent.file().name(), sent.file().mediaType());
        } catch (FileNotFoundException gone) {
            throw new DeliveryFailed(
                    DeliveryFailed.Kind.REJECTED, "A file that was to be sent is not there any more.", gone);
        }
        return api.upload(METHODS.getOrDefault(kind, "sendDocument"), form, UPLOAD);
    }

    // how fast, and what failures mean

    private void pace(Address to) {
        String chat = chat(to);
        pace(List.of(new Demand(ALL, OVERALL), new Demand("chat " + chat, chat.startsWith("-") ? GROUP : PERSON)));
    }

    /** Takes a permit, or gives the message back to the gateway, which waits without a thread. */
    private void pace(List<Demand> demands) {
        Duration wait = limiter.take(demands);
        if (!wait.isZero()) {
            throw DeliveryFailed.rateLimited("Telegram is sent no more for " + seconds(wait) + " s.", wait);
        }
    }

    private static long seconds(Duration time) {
        return Math.max(1, time.plusMillis(999).toSeconds());
    }

    private RuntimeException failed(BotApiError e) {
        String what = String.valueOf(e.getMessage());
        if (e.retryAfter().isPresent()) {
            limiter.pause(ALL, e.retryAfter().get());
            return DeliveryFailed.rateLimited(what, e.retryAfter().get());
        }
        if (e.isUnknown()) {
            return new OutcomeUnknown(what, e);
        }
        return new DeliveryFailed(kind(e), what, e);
    }

    private static DeliveryFailed.Kind kind(BotApiError e) {
        if (e.code() == 429) {
            return DeliveryFailed.Kind.RATE_LIMITED;
        }
        if (e.isUnauthorized()) {
            return DeliveryFailed.Kind.UNAUTHORIZED;
        }
        if (!e.isSpoken()) {
            // What a proxy refuses Telegram has not refused; only what is too large is so for good.
            return e.code() == 413 ? DeliveryFailed.Kind.REJECTED : DeliveryFailed.Kind.AWAY;
        }
        if (e.code() == 403
                || e.says("not enough rights")
                || e.says("have no rights")
                || e.says("CHAT_WRITE_FORBIDDEN")) {
            return DeliveryFailed.Kind.FORBIDDEN;
        }
        if (e.says("chat not found") || e.says("PEER_ID_INVALID") || e.says("user is deactivated")) {
            return DeliveryFailed.Kind.CHAT_GONE;
        }
        return e.code() == 400 || e.code() == 413 ? DeliveryFailed.Kind.REJECTED : DeliveryFailed.Kind.AWAY;
    }
}
