package dev.parley.adapter.whatsapp.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.adapter.kit.text.CutOnce;
import dev.parley.adapter.whatsapp.bridge.Bridge;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.turn.Outgoing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends messages part by part. Each part has an id that follows from the message's id and the part's number, and WhatsApp shows an id
 * once. Safe for concurrent use; blocks until WhatsApp has taken the part.
 */
public final class Sender {
    private static final Duration PATIENCE = Duration.ofSeconds(50);

    private final Bridge bridge;
    private final boolean markdown;
    private final CutOnce<Piece> cut = new CutOnce<>();

    /**
     * A sender over a bridge.
     *
     * @param bridge the bridge
     * @param markdown whether texts are read as Markdown
     */
    public Sender(Bridge bridge, boolean markdown) {
        this.bridge = bridge;
        this.markdown = markdown;
    }

    /**
     * Sends the first part that the message's delivery does not name.
     *
     * @throws DeliveryFailed where WhatsApp did not take it
     */
    public Sent send(Outgoing message) {
        List<Piece> pieces = cut.of(message, () -> Piece.of(message, markdown));
        int done = message.delivery().parts().size();
        if (done >= pieces.size()) {
            return Sent.UNNAMED;
        }
        Piece piece = pieces.get(done);
        ObjectNode word = Bridge.word("send")
                .put("message", message.id().value())
                .put("part", done + 1)
                .put("chat", message.chatId());
        message.replyTo().filter(to -> done == 0).ifPresent(to -> word.put("replyTo", to));
        String id = piece.attachment()
                .map(attachment -> enclosed(word, piece.text(), new SentFile(attachment)))
                .orElseGet(() -> sent(word.put("text", piece.text())));
        return new Sent(List.of(id), done < pieces.size() - 1);
    }

    /** Sends a file with its caption; where it cannot be had, or WhatsApp does not take it, what it was behind the caption. */
    private String enclosed(ObjectNode word, String caption, SentFile file) {
        return file.send(
                path -> sent(file(word.deepCopy().put("text", caption), file, path)),
                words -> sent(word.deepCopy().put("text", caption.isEmpty() ? words : caption + "\n" + words)));
    }

    private static ObjectNode file(ObjectNode word, SentFile file, Path path) {
        word.putObject("file")
                .put("path", path.toString())
                .put("kind", file.attachment().kind())
                .put("name", file.name())
                .put("type", file.mediaType());
        return word;
    }

    private String sent(ObjectNode word) {
        CompletableFuture<JsonNode> call = bridge.call(word)
                .orElseThrow(() ->
                        new DeliveryFailed(DeliveryFailed.Kind.AWAY, "The bridge to WhatsApp does not run.", null));
        try {
            JsonNode answer = call.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.has("sent")) {
                return answer.path("sent").asText();
            }
            throw failed(answer);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        } catch (ExecutionException e) {
            throw new OutcomeUnknown("The bridge to WhatsApp ended while it sent a message.", e);
        } catch (TimeoutException e) {
            throw new OutcomeUnknown("The bridge to WhatsApp does not answer.", e);
        }
    }

    private static RuntimeException failed(JsonNode answer) {
        String why = answer.path("why").asText();
        return switch (answer.path("failed").asText()) {
            case "away" -> new DeliveryFailed(DeliveryFailed.Kind.AWAY, why, null);
            case "forbidden" -> new DeliveryFailed(DeliveryFailed.Kind.FORBIDDEN, why, null);
            case "gone" -> new DeliveryFailed(DeliveryFailed.Kind.CHAT_GONE, why, null);
            case "rejected" -> new DeliveryFailed(DeliveryFailed.Kind.REJECTED, why, null);
            default -> new OutcomeUnknown(why, new IOException(why));
        };
    }

    /** Shows that somebody writes, or no longer. */
    public void typing(Address where, boolean on) {
        bridge.tell(Bridge.word("typing").put("chat", where.chatId()).put("on", on));
    }
}
