package dev.parley.adapter.discord.outbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.adapter.discord.api.Bot;
import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.discord.api.DiscordError;
import dev.parley.adapter.discord.api.Route;
import dev.parley.adapter.discord.inbound.Interactions;
import dev.parley.adapter.discord.inbound.Snowflake;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.Multipart;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.ability.Previewing.Preview;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.io.FileNotFoundException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Sends messages piece by piece, each with a nonce of its own: Discord folds what it is sent twice within minutes. Later, and for what
 * another process may have sent, the channel is read first, so that an answer is shown once over crashes too. A preview is told from what
 * is whole by a flag that people do not see; what a process that ended had begun to show, and no answer took the place of, is taken away
 * before anything else is shown there. A pause that Discord asks for holds for every call of its kind. Safe for concurrent use; blocks
 * until Discord has answered.
 */
public final class Sender {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration UPLOAD = Duration.ofSeconds(50);
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(5);
    /** So long Discord surely remembers a nonce. */
    private static final Duration FOLDED = Duration.ofMinutes(1);
    /** Discord's clock and ours differ; so much earlier a message of ours is looked for. */
    private static final Duration APART = Duration.ofSeconds(5);

    private static final int NONCE_BYTES = 16;
    private static final int MOST_PAGES = 10;
    private static final int PAGE = 100;
    private static final int MOST_REMEMBERED = 5_000;
    private static final int LONGEST_LABEL = 80;
    private static final int IN_ROW = 5;
    /** Links in it show no pictures, which nobody misses in what is not whole yet. */
    private static final int PREVIEW = 1 << 2;

    private static final int UNKNOWN_CHANNEL = 10_003;
    private static final int UNKNOWN_MESSAGE = 10_008;
    private static final int BAD_FORM = 50_035;

    private final DiscordApi api;
    private final Interactions interactions;
    private final boolean markdown;
    private final boolean replies;
    private final Instant begun;
    private final InstantSource clock;
    /** Pieces that this process has begun to send, and of which it does not know that they did not arrive. */
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    /** Turns whose preview this process has begun to show, and whose answer it has not shown yet. */
    private final Set<String> previewed = remembered();
    /** The previews that this process shows. */
    private final Set<String> previews = remembered();
    /** Previews of which a change may still be carried out: no answer takes their place, or that change would take the answer's. */
    private final Set<String> unsettled = remembered();
    /** Where nothing is left of a process that ended. */
    private final Set<String> tidied = remembered();

    private volatile Optional<Bot> bot = Optional.empty();

    /**
     * A sender for one bot.
     *
     * @param api the bot's API
     * @param interactions knows where answers to commands go
     * @param clock time
     * @param markdown whether texts are read as Markdown
     * @param replies whether an answer refers to the message that it answers
     */
    public Sender(DiscordApi api, Interactions interactions, InstantSource clock, boolean markdown, boolean replies) {
        this.api = api;
        this.interactions = interactions;
        this.markdown = markdown;
        this.replies = replies;
        this.clock = clock;
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

    /** Notes who the bot is. */
    public void is(Bot who) {
        bot = Optional.of(who);
    }

    private static String channel(Address to) {
        return to.threadId().orElse(to.chatId());
    }

    /**
     * Sends the first piece that the message's delivery does not name.
     *
     * @param choices the buttons below the last piece of text; usually none
     * @throws DeliveryFailed where Discord did not take it
     */
    public Sent send(Outgoing message, List<Choice> choices) {
        List<Piece> pieces = Piece.of(message, markdown);
        int done = message.delivery().parts().size();
        if (done >= pieces.size()) {
            return Sent.UNNAMED;
        }
        boolean more = done < pieces.size() - 1;
        Piece piece = pieces.get(done);
        boolean last = !more || pieces.get(done + 1) instanceof Piece.Enclosed;
        List<Choice> shown = last && piece instanceof Piece.Words ? choices : List.of();
        message.replaces().filter(unsettled::contains).ifPresent(preview -> delete(channel(message.to()), preview));
        Optional<String> replaced =
                message.replaces().filter(id -> done == 0 && piece instanceof Piece.Words && !unsettled.contains(id));
        String id = replaced.flatMap(before -> replaced(message.to(), before, (Piece.Words) piece, shown))
                .orElseGet(() -> shown(message, done, piece, shown));
        message.turn().ifPresent(turn -> previewed.remove(turn.value()));
        return new Sent(List.of(id), more);
    }

    /** Shows a piece, in the place of a file that cannot be shown a line that says so. */
    private String shown(Outgoing message, int number, Piece piece, List<Choice> choices) {
        if (piece instanceof Piece.Enclosed enclosed) {
            return new SentFile(enclosed.attachment())
                    .send(
                            path -> once(message, number, piece, choices),
                            words -> once(
                                    message,
                                    number,
                                    new Piece.Words(Piece.words(words, false).get(0)),
                                    choices));
        }
        return once(message, number, piece, choices);
    }

    /** Puts a piece in the place of a message that shows some of it. */
    private Optional<String> replaced(Address to, String shown, Piece.Words piece, List<Choice> choices) {
        try {
            change(to, shown, piece.text(), choices, 0);
            previews.remove(shown);
            return Optional.of(shown);
        } catch (DeliveryFailed e) {
            if (!e.isPermanent()) {
                throw e;
            }
            // What was to be replaced is gone: the answer becomes a message of its own.
            return Optional.empty();
        }
    }

    /** Shows a piece unless it is there already. */
    private String once(Outgoing message, int number, Piece piece, List<Choice> choices) {
        String nonce = nonce(message.id().value() + ":" + number);
        Optional<String> turn = message.turn().map(TurnId::value).filter(each -> number == 0);
        boolean late = message.createdAt().plus(FOLDED).isBefore(clock.instant());
        boolean other = message.createdAt().isBefore(begun);
        if (other
                || (late && unknown.contains(nonce))
                || turn.filter(previewed::contains).isPresent()) {
            List<JsonNode> own = own(channel(message.to()), from(message));
            Optional<JsonNode> before = own.stream()
                    .filter(each -> !isPreview(each))
                    .filter(is(message, number, piece))
                    .findFirst();
            if (before.isPresent()) {
                unknown.remove(nonce);
                return id(before.get());
            }
            Optional<JsonNode> preview = number == 0 && piece instanceof Piece.Words && turn.isPresent()
                    ? own.stream()
                            .filter(Sender::isPreview)
                            .filter(each -> answers(each, message))
                            .findFirst()
                    : Optional.empty();
            Optional<String> shown = preview.map(Sender::id);
            shown.filter(unsettled::contains).ifPresent(id -> delete(channel(message.to()), id));
            Optional<String> changed = shown.filter(id -> !unsettled.contains(id))
                    .flatMap(id -> replaced(message.to(), id, (Piece.Words) piece, choices));
            if (changed.isPresent()) {
                return changed.get();
            }
        }
        return posted(message, number, piece, choices, nonce);
    }

    private static String id(JsonNode message) {
        return message.path("id").asText();
    }

    private static boolean isPreview(JsonNode message) {
        return (message.path("flags").asInt() & PREVIEW) != 0;
    }

    /** Returns whether a message of the bot's answers what an outgoing one answers; one that refers to nothing may. */
    private static boolean answers(JsonNode shown, Outgoing message) {
        String to = shown.path("message_reference")
                .path("message_id")
                .asText(shown.path("interaction_metadata").path("id").asText());
        return to.isEmpty() || message.replyTo().filter(to::equals).isPresent();
    }

    private Predicate<JsonNode> is(Outgoing message, int number, Piece piece) {
        return shown -> {
            boolean refers = number > 0 || answers(shown, message);
            return refers
                    && (piece instanceof Piece.Words words
                            ? shown.path("content")
                                    .asText()
                                    .strip()
                                    .equals(words.text().strip())
                            : shown.path("attachments")
                                    .path(0)
                                    .path("filename")
                                    .asText()
                                    .equals(new SentFile(((Piece.Enclosed) piece).attachment()).name()));
        };
    }

    /** Returns behind which message one of ours is looked for: behind the part before it, or what it answers, or when it was stored. */
    private static Snowflake from(Outgoing message) {
        return message.delivery().parts().stream()
                .flatMap(part -> part.messageIds().stream())
                .flatMap(id -> Snowflake.of(id).stream())
                .max(Snowflake::compareTo)
                .or(() -> message.replyTo().flatMap(Snowflake::of))
                .orElse(Snowflake.of(message.createdAt().minus(APART)));
    }

    /** Returns what the bot has written behind an id, oldest first, as far as ten pages have it. */
    private List<JsonNode> own(String channel, Snowflake after) {
        TreeMap<Snowflake, JsonNode> found = new TreeMap<>();
        Snowflake from = after;
        for (int i = 0; i < MOST_PAGES; i++) {
            JsonNode page = page(channel, "after=" + from.text() + "&limit=" + PAGE);
            page.forEach(each -> Snowflake.of(id(each)).ifPresent(id -> found.put(id, each)));
            if (page.size() < PAGE || found.lastKey().compareTo(from) <= 0) {
                break;
            }
            from = found.lastKey();
        }
        return found.values().stream().filter(this::isOwn).toList();
    }

    private boolean isOwn(JsonNode message) {
        return bot.map(Bot::id)
                .filter(message.path("author").path("id").asText()::equals)
                .isPresent();
    }

    /** Returns a page of what was written; nothing where the bot may not look. */
    private JsonNode page(String channel, String query) {
        Route route = Route.read(channel, query);
        try {
            return api.get(route);
        } catch (DiscordError e) {
            if (e.isPassing()) {
                throw failed(e);
            }
            // The bot may not look: better twice than never.
            return JSON.createArrayNode();
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private String posted(Outgoing message, int number, Piece piece, List<Choice> choices, String nonce) {
        tidy(message.to());
        if (piece instanceof Piece.Words words && number == 0) {
            Optional<String> responded = responded(message, words, choices);
            if (responded.isPresent()) {
                return responded.get();
            }
        }
        unknown.add(nonce);
        try {
            String id = id(posted(message.to(), message.replyTo().filter(to -> number == 0), piece, choices, nonce, 0));
            unknown.remove(nonce);
            return id;
        } catch (DeliveryFailed notSent) {
            unknown.remove(nonce);
            throw notSent;
        }
    }

    /** Puts the answer to a command in the place of what says that one comes. */
    private Optional<String> responded(Outgoing message, Piece.Words words, List<Choice> choices) {
        Optional<String> to = message.replyTo();
        Optional<Route> route = to.flatMap(interactions::response);
        if (route.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("content", words.text());
        body.put("components", rows(choices));
        body.put("allowed_mentions", allowed());
        try {
            String id = id(api.answer(route.get(), body));
            to.ifPresent(interactions::done);
            return Optional.of(id);
        } catch (DiscordError e) {
            if (e.isPassing()) {
                throw failed(e);
            }
            to.ifPresent(interactions::done);
            return Optional.empty();
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private JsonNode posted(
            Address to, Optional<String> replyTo, Piece piece, List<Choice> choices, String nonce, int flags) {
        Map<String, Object> body = new LinkedHashMap<>();
        if (piece instanceof Piece.Words words) {
            body.put("content", words.text());
        }
        body.put("nonce", nonce);
        body.put("enforce_nonce", true);
        body.put("allowed_mentions", allowed());
        if (flags != 0) {
            body.put("flags", flags);
        }
        if (!choices.isEmpty()) {
            body.put("components", rows(choices));
        }
        replyTo.filter(id -> replies && Snowflake.of(id).isPresent())
                .ifPresent(id -> body.put("message_reference", Map.of("message_id", id, "fail_if_not_exists", false)));
        Route route = Route.post(channel(to));
        try {
            return handedIn(route, piece, body);
        } catch (DiscordError e) {
            if (!body.containsKey("message_reference") || !(e.is(BAD_FORM) || e.is(UNKNOWN_MESSAGE))) {
                throw failed(e);
            }
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
        // What it answers cannot be referred to: it is shown without.
        body.remove("message_reference");
        try {
            return handedIn(route, piece, body);
        } catch (DiscordError e) {
            throw failed(e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private JsonNode handedIn(Route route, Piece piece, Map<String, Object> body)
            throws DiscordError, ApiFailure, InterruptedException {
        if (piece instanceof Piece.Enclosed enclosed) {
            return api.upload(route, form(new SentFile(enclosed.attachment()), body), UPLOAD);
        }
        return api.send(route, body);
    }

    private static Multipart form(SentFile sent, Map<String, Object> body) {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("id", 0);
        file.put("filename", sent.name());
        sent.attachment().description().ifPresent(words -> file.put("description", words));
        Map<String, Object> payload = new LinkedHashMap<>(body);
        payload.put("attachments", List.of(file));
        try {
            return new Multipart(
                            "parley" + Integer.toHexString(body.hashCode()) + "x" + Long.toHexString(System.nanoTime()))
                    .field("payload_json", JSON.writeValueAsString(payload))
                    .file(
                            "files[0]",
                            sent.path().orElseThrow(() -> new FileNotFoundException("no path")),
                            sent.name(),
                            sent.mediaType());
        } catch (FileNotFoundException gone) {
            throw new DeliveryFailed(
                    DeliveryFailed.Kind.REJECTED, "A file that was to be sent is not there any more.", gone);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("What was to be sent is no JSON.", e);
        }
    }

    /** Takes away what a process that ended had begun to show, once for each channel. */
    private void tidy(Address to) {
        String channel = channel(to);
        boolean isNew = Snowflake.of(channel)
                .filter(id -> id.instant().isAfter(begun.plus(APART)))
                .isPresent();
        if (isNew || tidied.contains(channel)) {
            return;
        }
        for (JsonNode each : page(channel, "limit=" + PAGE / 2)) {
            if (isOwn(each) && isPreview(each) && !previews.contains(id(each))) {
                delete(channel, id(each));
            }
        }
        tidied.add(channel);
    }

    private void delete(String channel, String message) {
        try {
            api.send(Route.delete(channel, message));
        } catch (DiscordError e) {
            // One that Discord keeps stays as it is.
            if (e.isPassing()) {
                throw failed(e);
            }
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    /** Gives a message another text, and takes its buttons away. */
    public void edit(Address where, String messageId, String text) {
        change(where, messageId, Piece.words(text, markdown).get(0), List.of(), 0);
    }

    /** Shows a text that is not whole yet, as far as it fits, as a message of its own or in place of an earlier one; returns its id. */
    public String preview(Preview preview) {
        Address to = preview.to();
        String text = Piece.words(preview.text(), markdown).get(0);
        if (preview.shown().isPresent()) {
            String shown = preview.shown().get();
            unsettled.add(shown);
            try {
                change(to, shown, text, List.of(), PREVIEW);
                unsettled.remove(shown);
            } catch (DeliveryFailed notChanged) {
                unsettled.remove(shown);
                throw notChanged;
            }
            return shown;
        }
        tidy(to);
        previewed.add(preview.turn().value());
        String nonce = nonce("preview:" + preview.turn().value() + ":" + begun);
        String id = id(posted(to, preview.replyTo(), new Piece.Words(text), List.of(), nonce, PREVIEW));
        previews.add(id);
        return id;
    }

    private void change(Address where, String messageId, String text, List<Choice> choices, int flags) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("content", text);
        body.put("components", rows(choices));
        body.put("flags", flags);
        body.put("allowed_mentions", allowed());
        call(Route.change(channel(where), messageId), Optional.of(body));
    }

    /** Puts an emoji on a message, or takes it away. */
    public void react(Address where, String messageId, String emoji, boolean on) {
        String name = URLEncoder.encode(emoji, StandardCharsets.UTF_8);
        call(Route.react(channel(where), messageId, name, on), Optional.empty());
    }

    /** Shows that an answer is being written. */
    public void typing(Address where) {
        call(Route.typing(channel(where)), Optional.empty());
    }

    private void call(Route route, Optional<Map<String, Object>> body) {
        try {
            if (body.isPresent()) {
                api.send(route, body.get());
            } else {
                api.send(route);
            }
        } catch (DiscordError e) {
            throw failed(e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    /** People may be named, nobody names a role or a whole channel; who is answered is told once, by the answer itself. */
    private static Map<String, Object> allowed() {
        return Map.of("parse", List.of("users"), "replied_user", true);
    }

    private static List<Map<String, Object>> rows(List<Choice> choices) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < choices.size(); i += IN_ROW) {
            List<Map<String, Object>> buttons = new ArrayList<>();
            for (Choice choice : choices.subList(i, Math.min(choices.size(), i + IN_ROW))) {
                buttons.add(Map.of(
                        "type",
                        2,
                        "style",
                        2,
                        "label",
                        label(choice.label()),
                        "custom_id",
                        "parley:" + choice.value()));
            }
            rows.add(Map.of("type", 1, "components", buttons));
        }
        return rows;
    }

    private static String label(String text) {
        if (text.isBlank()) {
            return "\u2026";
        }
        int most = text.offsetByCodePoints(0, Math.min(LONGEST_LABEL, text.codePointCount(0, text.length())));
        return text.substring(0, most);
    }

    /** Returns what Discord folds repetitions of a message by: the same for the same text, in 22 characters. */
    private static String nonce(String of) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(of.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, NONCE_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    private static RuntimeException failed(DiscordError e) {
        String what = String.valueOf(e.getMessage());
        if (e.isLimit()) {
            return DeliveryFailed.rateLimited(what, e.retryAfter().orElse(USUAL_PAUSE));
        }
        if (e.isUnknown()) {
            return new OutcomeUnknown(what, e);
        }
        return new DeliveryFailed(kind(e), what, e);
    }

    private static DeliveryFailed.Kind kind(DiscordError e) {
        if (e.isUnauthorized()) {
            return DeliveryFailed.Kind.UNAUTHORIZED;
        }
        if (e.is(UNKNOWN_CHANNEL)) {
            return DeliveryFailed.Kind.CHAT_GONE;
        }
        if (e.isSpoken() && e.status() == 403) {
            return DeliveryFailed.Kind.FORBIDDEN;
        }
        return e.isPassing() || !e.isSpoken() ? DeliveryFailed.Kind.AWAY : DeliveryFailed.Kind.REJECTED;
    }
}
