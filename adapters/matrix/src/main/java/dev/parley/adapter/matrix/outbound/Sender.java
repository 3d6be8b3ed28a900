package dev.parley.adapter.matrix.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.kit.api.WholeFile;
import dev.parley.adapter.kit.flow.RateLimiter;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.adapter.matrix.api.MatrixApi;
import dev.parley.adapter.matrix.api.MatrixError;
import dev.parley.adapter.matrix.inbound.Rooms;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.turn.Outgoing;
import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sends messages piece by piece, each under a name of its own that the homeserver recognises: sent twice it is shown once. A pause that
 * the homeserver asks for holds for everything the bot sends. Safe for concurrent use; blocks until the homeserver has answered.
 */
public final class Sender {
    private static final Duration UPLOAD = Duration.ofSeconds(50);
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(5);
    private static final String ALL = "all";

    private final MatrixApi api;
    private final Rooms rooms;
    private final RateLimiter limiter;
    private final boolean markdown;

    /**
     * A sender for one account.
     *
     * @param api the account's API
     * @param rooms what is known of its rooms
     * @param clock time
     * @param markdown whether texts are read as Markdown
     */
    public Sender(MatrixApi api, Rooms rooms, InstantSource clock, boolean markdown) {
        this.api = api;
        this.rooms = rooms;
        this.limiter = new RateLimiter(clock);
        this.markdown = markdown;
    }

    /**
     * Sends the first piece that the message's delivery does not name.
     *
     * @throws DeliveryFailed where the homeserver did not take it
     */
    public Sent send(Outgoing message) {
        List<Piece> pieces = Piece.of(message, markdown);
        int done = message.delivery().parts().size();
        if (done >= pieces.size()) {
            return Sent.UNNAMED;
        }
        String room = open(message.chatId());
        String name = message.id().value() + "." + done;
        // What is replied to stayed behind in a room that has become another.
        boolean there = room.equals(message.chatId());
        Optional<String> thread = message.threadId().filter(root -> there);
        Optional<String> replyTo = message.replyTo().filter(to -> there && done == 0);
        Optional<String> replaced = message.replaces().filter(id -> done == 0);
        String id;
        if (pieces.get(done) instanceof Piece.Words words) {
            ObjectNode content = Contents.words(words.text(), message.kind());
            if (replaced.isPresent()) {
                put(room, name, Contents.edit(replaced.get(), content));
                id = replaced.get();
            } else {
                id = related(room, name, content, thread, replyTo);
            }
        } else {
            SentFile file = new SentFile(((Piece.Enclosed) pieces.get(done)).attachment());
            id = file.send(
                    path -> related(room, name, uploaded(file, path), thread, replyTo),
                    words -> related(
                            room, name, Contents.words(StyledText.plain(words), message.kind()), thread, replyTo));
        }
        return new Sent(List.of(id), done < pieces.size() - 1);
    }

    private String related(
            String room, String name, ObjectNode content, Optional<String> thread, Optional<String> replyTo) {
        Contents.relate(content, thread, replyTo);
        return put(room, name, content);
    }

    /** Gives a message another text. */
    public void edit(Address where, String messageId, String text, String name) {
        ObjectNode content = Contents.words(first(text), Outgoing.Kind.REPLY);
        put(open(where.chatId()), name, Contents.edit(messageId, content));
    }

    /** Shows a text that is not whole yet, as far as it fits, as a message of its own or in place of an earlier one. */
    public String preview(Address to, Optional<String> replyTo, Optional<String> shown, String text, String name) {
        if (shown.isPresent()) {
            edit(to, shown.get(), text, name);
            return shown.get();
        }
        ObjectNode content = Contents.words(first(text), Outgoing.Kind.REPLY);
        Contents.relate(content, to.threadId(), replyTo);
        return put(open(to.chatId()), name, content);
    }

    private StyledText first(String text) {
        StyledText styled = Piece.styled(text.isBlank() ? "\u2026" : text, markdown);
        int most = Math.min(styled.text().length(), Piece.LONGEST_TEXT);
        boolean inPair = most > 0
                && most < styled.text().length()
                && Character.isHighSurrogate(styled.text().charAt(most - 1));
        return styled.part(0, inPair ? most - 1 : most);
    }

    /** Shows for a time that the bot writes, or no longer. */
    public void typing(String user, Address where, boolean on, Duration time) {
        pace();
        String path = MatrixApi.path("client/v3/rooms/{}/typing/{}", rooms.now(where.chatId()), user);
        Map<String, Object> body = on ? Map.of("typing", true, "timeout", time.toMillis()) : Map.of("typing", false);
        try {
            api.put("typing", path, body);
        } catch (MatrixError e) {
            throw failed(e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    /** Returns the room that a chat is now, into which the bot may write as it writes. */
    private String open(String chat) {
        String room = rooms.now(chat);
        if (rooms.isEncrypted(room)) {
            throw new DeliveryFailed(
                    DeliveryFailed.Kind.FORBIDDEN,
                    "The room is encrypted, and the bot writes nothing that others could read in it.",
                    null);
        }
        pace();
        return room;
    }

    private ObjectNode uploaded(SentFile file, Path path) {
        try {
            WholeFile content = new WholeFile(path, file.mediaType());
            return Contents.file(file.attachment(), file.name(), api.upload(content, file.name(), UPLOAD));
        } catch (FileNotFoundException gone) {
            throw new DeliveryFailed(
                    DeliveryFailed.Kind.REJECTED, "A file that was to be sent is not there any more.", gone);
        } catch (MatrixError e) {
            throw failed(e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    /** Sends an event under a name; into the room that the room has become, where it has become another. */
    private String put(String room, String name, ObjectNode content) {
        try {
            try {
                return event(room, name, content);
            } catch (MatrixError e) {
                Optional<String> now = e.status() == 403 ? replacement(room) : Optional.empty();
                if (now.isEmpty()) {
                    throw failed(e);
                }
                rooms.moved(room, now.get());
                return event(rooms.now(room), name, content);
            }
        } catch (MatrixError e) {
            throw failed(e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private String event(String room, String name, ObjectNode content)
            throws MatrixError, ApiFailure, InterruptedException {
        String path = MatrixApi.path("client/v3/rooms/{}/send/m.room.message/{}", room, name);
        return api.put("send", path, content).path("event_id").asText();
    }

    private Optional<String> replacement(String room) throws ApiFailure, InterruptedException {
        if (!rooms.now(room).equals(room)) {
            return Optional.empty();
        }
        try {
            JsonNode tombstone =
                    api.get("state", MatrixApi.path("client/v3/rooms/{}/state/m.room.tombstone/", room), Map.of());
            return Optional.of(tombstone.path("replacement_room").asText())
                    .filter(to -> !to.isEmpty() && !to.equals(room));
        } catch (MatrixError e) {
            return Optional.empty();
        }
    }

    /** Lets nothing pass while the homeserver's pause holds; the gateway waits without a thread. */
    private void pace() {
        Duration wait = limiter.paused(ALL);
        if (!wait.isZero()) {
            throw DeliveryFailed.rateLimited(
                    "The homeserver is sent nothing for "
                            + Math.max(1, wait.plusMillis(999).toSeconds()) + " s.",
                    wait);
        }
    }

    private RuntimeException failed(MatrixError e) {
        String what = String.valueOf(e.getMessage());
        if (e.isLimit()) {
            Duration pause = e.retryAfter().orElse(USUAL_PAUSE);
            limiter.pause(ALL, pause);
            return DeliveryFailed.rateLimited(what, pause);
        }
        if (e.isUnauthorized()) {
            return new DeliveryFailed(DeliveryFailed.Kind.UNAUTHORIZED, what, e);
        }
        if (e.isPassing()) {
            // Sent again under the same name it is shown once.
            return new OutcomeUnknown(what, e);
        }
        return new DeliveryFailed(kind(e), what, e);
    }

    private static DeliveryFailed.Kind kind(MatrixError e) {
        return switch (e.status()) {
            case 403 -> DeliveryFailed.Kind.FORBIDDEN;
            case 404 -> DeliveryFailed.Kind.CHAT_GONE;
            default -> DeliveryFailed.Kind.REJECTED;
        };
    }
}
