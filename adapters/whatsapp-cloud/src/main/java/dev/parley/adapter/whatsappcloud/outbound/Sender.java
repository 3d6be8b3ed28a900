package dev.parley.adapter.whatsappcloud.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.Multipart;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.kit.flow.Rate;
import dev.parley.adapter.kit.flow.RateLimiter;
import dev.parley.adapter.kit.flow.RateLimiter.Demand;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.adapter.kit.text.CutOnce;
import dev.parley.adapter.whatsappcloud.api.GraphApi;
import dev.parley.adapter.whatsappcloud.api.GraphError;
import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sends messages piece by piece, no faster than WhatsApp lets a number. A pause that Meta asks for holds for one person or for everything
 * the number sends, as its error says: until it is over nothing is tried. Safe for concurrent use; blocks until Meta has answered.
 */
public final class Sender {
    private static final Duration UPLOAD = Duration.ofSeconds(60);
    private static final String ALL = "all";
    /** What a number may send. How much one person may be sent depends on what Meta knows of both: it says when that is too much. */
    private static final Rate RATE = new Rate(80, Duration.ofSeconds(1), 80);

    private static final int PAIR_RATE = 131056;
    private static final int SPAM = 131048;
    private static final Duration PAIR_PAUSE = Duration.ofSeconds(6);
    private static final Duration SPAM_PAUSE = Duration.ofMinutes(10);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final GraphApi api;
    private final RateLimiter limiter;
    private final Seen seen;
    private final Duration patience;
    private final boolean markdown;
    private final CutOnce<Piece> cut = new CutOnce<>();

    /**
     * A sender for one number.
     *
     * @param api the number's API
     * @param clock time
     * @param seen what statuses tell of what had no answer
     * @param patience how long an answer may take
     * @param markdown whether texts are read as Markdown
     */
    public Sender(GraphApi api, InstantSource clock, Seen seen, Duration patience, boolean markdown) {
        this.api = api;
        this.limiter = new RateLimiter(clock);
        this.seen = seen;
        this.patience = patience;
        this.markdown = markdown;
    }

    /**
     * Sends the first piece that the message's delivery does not name.
     *
     * @param choices the answers to choose from below the last piece; usually none
     * @throws DeliveryFailed where Meta did not take it
     */
    public Sent send(Outgoing message, List<Choice> choices) {
        List<Piece> pieces = choices.isEmpty()
                ? cut.of(message, () -> Piece.of(message, choices, markdown))
                : Piece.of(message, choices, markdown);
        int done = message.delivery().parts().size();
        if (done >= pieces.size()) {
            return Sent.UNNAMED;
        }
        String part = message.id().value() + "." + (done + 1);
        String id = seen.arrived(part).orElseGet(() -> piece(message, pieces.get(done), done, part));
        return new Sent(List.of(id), done < pieces.size() - 1);
    }

    private String piece(Outgoing message, Piece piece, int number, String part) {
        String chat = message.to().chatId();
        pace(List.of(new Demand(ALL, RATE), new Demand(person(chat), RATE)));
        Map<String, Object> body = body(chat);
        message.replyTo().filter(to -> number == 0).ifPresent(to -> body.put("context", Map.of("message_id", to)));
        body.put("biz_opaque_callback_data", part);
        body.putAll(content(chat, piece));
        try {
            return sent(chat, body);
        } catch (OutcomeUnknown e) {
            seen.unanswered(part);
            throw e;
        }
    }

    private static Map<String, Object> body(String chat) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("messaging_product", "whatsapp");
        body.put("recipient_type", "individual");
        body.put("to", chat);
        return body;
    }

    private Map<String, Object> content(String chat, Piece piece) {
        if (piece instanceof Piece.Enclosed enclosed) {
            SentFile file = new SentFile(enclosed.attachment());
            String type = enclosed.as().word();
            return file.send(
                    path -> Map.of("type", type, type, file(enclosed, upload(chat, enclosed.attachment(), file, path))),
                    words -> text(enclosed.caption().isEmpty() ? words : enclosed.caption() + "\n\n" + words));
        }
        if (piece instanceof Piece.Question question) {
            return Map.of("type", "interactive", "interactive", Choices.interactive(question));
        }
        return text(((Piece.Words) piece).text());
    }

    private static Map<String, Object> text(String body) {
        return Map.of("type", "text", "text", Map.of("body", body));
    }

    private static Map<String, Object> file(Piece.Enclosed enclosed, String id) {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("id", id);
        if (!enclosed.caption().isEmpty()) {
            file.put("caption", enclosed.caption());
        }
        if (enclosed.as() == FileForm.DOCUMENT) {
            file.put("filename", new SentFile(enclosed.attachment()).name());
        }
        return file;
    }

    /** A file that was handed in and named in no message is forgotten by Meta; handing it in again shows nothing twice. */
    private String upload(String chat, Attachment attachment, SentFile file, Path path) {
        try {
            Multipart form = new Multipart("parley" + Long.toHexString(System.nanoTime()) + "boundary")
                    .field("messaging_product", "whatsapp")
                    .field("type", FileForm.type(attachment))
                    .file("file", path, file.name(), FileForm.type(attachment));
            return api.upload(form, UPLOAD).path("id").asText();
        } catch (FileNotFoundException gone) {
            throw new DeliveryFailed(
                    DeliveryFailed.Kind.REJECTED, "A file that was to be sent is not there any more.", gone);
        } catch (GraphError e) {
            throw failed(chat, e);
        } catch (ApiFailure e) {
            throw new DeliveryFailed(DeliveryFailed.Kind.AWAY, String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private String sent(String chat, Map<String, Object> body) {
        try {
            return named(api.messages(body, patience));
        } catch (GraphError e) {
            // What is replied to may be too old, or gone.
            if (e.isAboutParameters() && body.remove("context") != null) {
                return sent(chat, body);
            }
            throw failed(chat, e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private static String named(JsonNode answer) {
        return Optional.of(answer.path("messages").path(0).path("id").asText())
                .filter(id -> !id.isEmpty())
                .orElseThrow(() -> new OutcomeUnknown("Meta's answer names no message.", new IllegalStateException()));
    }

    /**
     * Tells that what was written last was read, and shows for some seconds that an answer is being written; does nothing where nothing was
     * written since the start.
     */
    public void typing(String chat) {
        seen.lastWritten(chat).ifPresent(messageId -> typing(chat, messageId));
    }

    private void typing(String chat, String messageId) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("messaging_product", "whatsapp");
        body.put("status", "read");
        body.put("message_id", messageId);
        body.put("typing_indicator", Map.of("type", "text"));
        quietly(chat, body);
    }

    /** Puts an emoji on a message, or takes it away with an empty one. */
    public void react(String chat, String messageId, String emoji) {
        Map<String, Object> body = body(chat);
        body.put("type", "reaction");
        body.put("reaction", Map.of("message_id", messageId, "emoji", emoji));
        quietly(chat, body);
    }

    private void quietly(String chat, Map<String, Object> body) {
        pace(List.of(new Demand(ALL, RATE)));
        try {
            api.messages(body, patience);
        } catch (GraphError e) {
            throw failed(chat, e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    // how fast, and what failures mean

    private static String person(String chat) {
        return "chat " + chat;
    }

    /** Takes a permit, or gives the message back to the gateway, which waits without a thread. */
    private void pace(List<Demand> demands) {
        Duration wait = limiter.take(demands);
        if (!wait.isZero()) {
            throw DeliveryFailed.rateLimited(
                    "WhatsApp is sent no more for "
                            + Math.max(1, wait.plusMillis(999).toSeconds()) + " s.",
                    wait);
        }
    }

    private RuntimeException failed(String chat, GraphError e) {
        String what = String.valueOf(e.getMessage());
        if (e.isUnknown()) {
            return new OutcomeUnknown(what, e);
        }
        DeliveryFailed.Kind kind = e.kind();
        if (kind != DeliveryFailed.Kind.RATE_LIMITED) {
            return e.retryAfter()
                    .filter(pause -> kind == DeliveryFailed.Kind.AWAY)
                    .map(pause -> DeliveryFailed.awayFor(what, pause))
                    .orElseGet(() -> new DeliveryFailed(kind, what, e));
        }
        boolean onePerson = e.code() == PAIR_RATE;
        Duration usual = onePerson ? PAIR_PAUSE : e.code() == SPAM ? SPAM_PAUSE : PAUSE;
        Duration pause = e.retryAfter().orElse(usual);
        limiter.pause(onePerson ? person(chat) : ALL, pause);
        return DeliveryFailed.rateLimited(what, pause);
    }
}
