package dev.parley.adapter.discord.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.parley.adapter.discord.api.Bot;
import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.discord.api.DiscordError;
import dev.parley.adapter.discord.api.Route;
import dev.parley.adapter.discord.inbound.Interactions;
import dev.parley.adapter.discord.inbound.Snowflake;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Remembered;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.ability.Previewing.Preview;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
 * Sends messages piece by piece, each with a nonce of its own: Discord folds what it is sent twice within minutes. Later, and for what
 * another process may have sent, the channel is read first, so that an answer is shown once over crashes too. A preview is told from what
 * is whole by a flag that people do not see; what a process that ended had begun to show, and no answer took the place of, is taken away
 * before anything else is shown there. A pause that Discord asks for holds for every call of its kind. Safe for concurrent use; blocks
 * until Discord has answered.
 */
public final class Sender {
    private static final Duration UPLOAD = Duration.ofSeconds(50);
    /** So long Discord surely remembers a nonce. */
    private static final Duration FOLDED = Duration.ofMinutes(1);

    private static final int MOST_REMEMBERED = 5_000;
    private static final int UNKNOWN_MESSAGE = 10_008;
    private static final int BAD_FORM = 50_035;

    private final Calls calls;
    private final Written written;
    private final Interactions interactions;
    private final boolean markdown;
    private final boolean replies;
    private final Instant begun;
    private final InstantSource clock;
    /** Pieces that this process has begun to send, and of which it does not know that they did not arrive. */
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    /** Turns whose preview this process has begun to show, and whose answer it has not shown yet. */
    private final Set<String> previewed = Remembered.latest(MOST_REMEMBERED);
    /** The previews that this process shows. */
    private final Set<String> previews = Remembered.latest(MOST_REMEMBERED);
    /** Previews of which a change may still be carried out: no answer takes their place, or that change would take the answer's. */
    private final Set<String> unsettled = Remembered.latest(MOST_REMEMBERED);
    /** Where nothing is left of a process that ended. */
    private final Set<String> tidied = Remembered.latest(MOST_REMEMBERED);

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
        this.calls = new Calls(api);
        this.written = new Written(calls);
        this.interactions = interactions;
        this.markdown = markdown;
        this.replies = replies;
        this.clock = clock;
        this.begun = clock.instant();
    }

    /** Notes who the bot is. */
    public void is(Bot who) {
        written.by(who);
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
        String nonce = Contents.nonce(message.id().value() + ":" + number);
        Optional<String> turn = message.turn().map(TurnId::value).filter(each -> number == 0);
        boolean late = message.createdAt().plus(FOLDED).isBefore(clock.instant());
        boolean other = message.createdAt().isBefore(begun);
        if (other
                || (late && unknown.contains(nonce))
                || turn.filter(previewed::contains).isPresent()) {
            List<JsonNode> own = written.own(channel(message.to()), Written.from(message));
            Optional<JsonNode> before = own.stream()
                    .filter(each -> !Written.isPreview(each))
                    .filter(Written.is(message, number, piece))
                    .findFirst();
            if (before.isPresent()) {
                unknown.remove(nonce);
                return Written.id(before.get());
            }
            Optional<JsonNode> preview = number == 0 && piece instanceof Piece.Words && turn.isPresent()
                    ? own.stream()
                            .filter(Written::isPreview)
                            .filter(each -> Written.answers(each, message))
                            .findFirst()
                    : Optional.empty();
            Optional<String> shown = preview.map(Written::id);
            shown.filter(unsettled::contains).ifPresent(id -> delete(channel(message.to()), id));
            Optional<String> changed = shown.filter(id -> !unsettled.contains(id))
                    .flatMap(id -> replaced(message.to(), id, (Piece.Words) piece, choices));
            if (changed.isPresent()) {
                return changed.get();
            }
        }
        return posted(message, number, piece, choices, nonce);
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
            String id = Written.id(
                    posted(message.to(), message.replyTo().filter(to -> number == 0), piece, choices, nonce, 0));
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
        body.put("components", Contents.rows(choices));
        body.put("allowed_mentions", Contents.allowed());
        Optional<String> id =
                calls.runOr(Optional.empty(), api -> Optional.of(Written.id(api.answer(route.get(), body))));
        to.ifPresent(interactions::done);
        return id;
    }

    private JsonNode posted(
            Address to, Optional<String> replyTo, Piece piece, List<Choice> choices, String nonce, int flags) {
        Map<String, Object> body = new LinkedHashMap<>();
        if (piece instanceof Piece.Words words) {
            body.put("content", words.text());
        }
        body.put("nonce", nonce);
        body.put("enforce_nonce", true);
        body.put("allowed_mentions", Contents.allowed());
        if (flags != 0) {
            body.put("flags", flags);
        }
        if (!choices.isEmpty()) {
            body.put("components", Contents.rows(choices));
        }
        replyTo.filter(id -> replies && Snowflake.of(id).isPresent())
                .ifPresent(id -> body.put("message_reference", Map.of("message_id", id, "fail_if_not_exists", false)));
        Route route = Route.post(channel(to));
        return calls.run(api -> {
            try {
                return handedIn(api, route, piece, body);
            } catch (DiscordError e) {
                if (!body.containsKey("message_reference") || !(e.is(BAD_FORM) || e.is(UNKNOWN_MESSAGE))) {
                    throw e;
                }
                // What it answers cannot be referred to: it is shown without.
                body.remove("message_reference");
                return handedIn(api, route, piece, body);
            }
        });
    }

    private static JsonNode handedIn(DiscordApi api, Route route, Piece piece, Map<String, Object> body)
            throws DiscordError, ApiFailure, InterruptedException {
        if (piece instanceof Piece.Enclosed enclosed) {
            return api.upload(route, Contents.form(new SentFile(enclosed.attachment()), body), UPLOAD);
        }
        return api.send(route, body);
    }

    /** Takes away what a process that ended had begun to show, once for each channel. */
    private void tidy(Address to) {
        String channel = channel(to);
        boolean isNew = Snowflake.of(channel)
                .filter(id -> id.instant().isAfter(begun.plus(Written.APART)))
                .isPresent();
        if (isNew || tidied.contains(channel)) {
            return;
        }
        written.latestPreviews(channel).stream()
                .filter(id -> !previews.contains(id))
                .forEach(id -> delete(channel, id));
        tidied.add(channel);
    }

    /** Takes a message away; one that Discord keeps stays as it is. */
    private void delete(String channel, String message) {
        calls.runOr(NullNode.getInstance(), api -> api.send(Route.delete(channel, message)));
    }

    /** Gives a message another text, and takes its buttons away. */
    public void edit(Address where, String messageId, String text) {
        change(where, messageId, Piece.words(text, markdown).get(0), List.of(), 0);
    }

    /**
     * Shows a text that is not whole yet, as far as it fits, as a message of its own or in place of an earlier one, and returns its id. Where
     * Discord says itself that an answer to a command comes, nothing is shown: the answer takes the place of that.
     */
    public Optional<String> preview(Preview preview) {
        if (preview.shown().isEmpty()
                && preview.replyTo().filter(interactions::isOpen).isPresent()) {
            return Optional.empty();
        }
        Address to = preview.to();
        String text = Piece.words(preview.text(), markdown).get(0);
        if (preview.shown().isPresent()) {
            String shown = preview.shown().get();
            unsettled.add(shown);
            try {
                change(to, shown, text, List.of(), Written.PREVIEW);
                unsettled.remove(shown);
            } catch (DeliveryFailed notChanged) {
                unsettled.remove(shown);
                throw notChanged;
            }
            return Optional.of(shown);
        }
        tidy(to);
        previewed.add(preview.turn().value());
        String nonce = Contents.nonce("preview:" + preview.turn().value() + ":" + begun);
        String id = Written.id(posted(to, preview.replyTo(), new Piece.Words(text), List.of(), nonce, Written.PREVIEW));
        previews.add(id);
        return Optional.of(id);
    }

    private void change(Address where, String messageId, String text, List<Choice> choices, int flags) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("content", text);
        body.put("components", Contents.rows(choices));
        body.put("flags", flags);
        body.put("allowed_mentions", Contents.allowed());
        calls.run(api -> api.send(Route.change(channel(where), messageId), body));
    }

    /** Puts an emoji on a message, or takes it away. */
    public void react(Address where, String messageId, String emoji, boolean on) {
        String name = URLEncoder.encode(emoji, StandardCharsets.UTF_8);
        calls.run(api -> api.send(Route.react(channel(where), messageId, name, on)));
    }

    /** Shows that an answer is being written. */
    public void typing(Address where) {
        calls.run(api -> api.send(Route.typing(channel(where))));
    }
}
