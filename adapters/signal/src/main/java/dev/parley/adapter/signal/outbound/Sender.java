package dev.parley.adapter.signal.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.kit.flow.RateLimiter;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.adapter.kit.text.CutOnce;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.adapter.signal.api.Daemon;
import dev.parley.adapter.signal.api.RpcError;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Sends messages piece by piece, one at a time: an account's keys take no two at once. A pause that Signal asks for holds for everything
 * the account sends. Safe for concurrent use; blocks until the daemon has answered.
 */
public final class Sender {
    private static final String ALL = "all";
    private static final String GROUP = "group:";

    private final Daemon daemon;
    private final String account;
    private final Echoes echoes;
    private final boolean markdown;
    private final CutOnce<Piece> cut = new CutOnce<>();
    private final boolean quotes;
    private final Consumer<String> warnings;
    private final RateLimiter limiter;
    private final ReentrantLock sending = new ReentrantLock(true);

    /**
     * A sender for one account.
     *
     * @param daemon the daemon
     * @param account the account's number
     * @param echoes told what the account sends to itself
     * @param clock time
     * @param markdown whether texts are read as Markdown
     * @param quotes whether an answer quotes the message that it replies to
     * @param warnings takes one line where Signal wants proof that a person sends
     */
    public Sender(
            Daemon daemon,
            String account,
            Echoes echoes,
            InstantSource clock,
            boolean markdown,
            boolean quotes,
            Consumer<String> warnings) {
        this.warnings = warnings;
        this.daemon = daemon;
        this.account = account;
        this.echoes = echoes;
        this.markdown = markdown;
        this.quotes = quotes;
        this.limiter = new RateLimiter(clock);
    }

    /**
     * Sends the first piece that the message's delivery does not name.
     *
     * @throws DeliveryFailed where Signal did not take it
     */
    public Sent send(Outgoing message) {
        List<Piece> pieces = cut.of(message, () -> Piece.of(message, markdown));
        int done = message.delivery().parts().size();
        if (done >= pieces.size()) {
            return Sent.UNNAMED;
        }
        Duration paused = limiter.paused(ALL);
        if (!paused.isZero()) {
            throw DeliveryFailed.rateLimited(
                    "Signal is sent nothing for " + (paused.toSeconds() + 1) + " s, as it asked.", paused);
        }
        Map<String, Object> parameters = parameters(pieces.get(done), message.to());
        if (done == 0 && quotes) {
            message.replyTo().flatMap(MessageId::of).ifPresent(to -> {
                parameters.put("quoteTimestamp", to.timestamp());
                parameters.put("quoteAuthor", to.author());
            });
        }
        sending.lock();
        try {
            long timestamp = send(parameters, String.valueOf(parameters.get("message")));
            List<String> names = timestamp > 0 ? List.of(MessageId.text(account, timestamp)) : List.of();
            return new Sent(names, done < pieces.size() - 1);
        } finally {
            sending.unlock();
        }
    }

    private static Map<String, Object> parameters(Piece piece, Address to) {
        Map<String, Object> parameters = recipient(to);
        List<String> enclosed = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Attachment attachment : piece.files()) {
            SentFile file = new SentFile(attachment);
            file.send(path -> enclosed.add(Enclosure.of(file, path)), missing::add);
        }
        StyledText text = missing.isEmpty() ? piece.text() : piece.text().below(String.join("\n", missing));
        parameters.put("message", text.text());
        List<String> styles = Styles.of(text);
        if (!styles.isEmpty()) {
            parameters.put("textStyle", styles);
        }
        if (!enclosed.isEmpty()) {
            parameters.put("attachments", enclosed);
        }
        return parameters;
    }

    private static Map<String, Object> recipient(Address to) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        if (to.chatId().startsWith(GROUP)) {
            parameters.put("groupId", to.chatId().substring(GROUP.length()));
        } else {
            parameters.put("recipient", List.of(to.chatId()));
        }
        return parameters;
    }

    /** Sends, and returns the timestamp that the daemon gave the message; 0 where it does not say. */
    private long send(Map<String, Object> parameters, String text) {
        boolean toSelf = List.of(account).equals(parameters.get("recipient"));
        if (toSelf) {
            echoes.sending(text);
        }
        try {
            JsonNode result = daemon.call("send", parameters);
            Optional<RuntimeException> failure = Failures.of(result.path("results"));
            if (failure.isPresent()) {
                throw failed(failure.get(), text);
            }
            long timestamp = result.path("timestamp").asLong();
            echoes.sent(text, timestamp);
            return timestamp;
        } catch (RpcError e) {
            throw failed(Failures.of(e), text);
        } catch (ApiFailure e) {
            throw failed(OutcomeUnknown.of(e), text);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }

    private RuntimeException failed(RuntimeException failure, String text) {
        if (failure instanceof DeliveryFailed known) {
            echoes.notSent(text);
            if (Failures.wantsProof(known)) {
                warnings.accept(String.valueOf(known.getMessage()));
            }
            known.retryAfter()
                    .filter(pause -> known.kind() == DeliveryFailed.Kind.RATE_LIMITED)
                    .ifPresent(pause -> limiter.pause(ALL, pause));
        }
        return failure;
    }

    /** Shows that somebody writes, or no longer; does nothing while something is sent or Signal wants a pause. No send waits for it. */
    public void typing(Address where, boolean on) {
        if (!limiter.paused(ALL).isZero() || sending.isLocked()) {
            return;
        }
        try {
            Map<String, Object> parameters = recipient(where);
            if (!on) {
                parameters.put("stop", true);
            }
            daemon.call("sendTyping", parameters);
        } catch (RpcError e) {
            throw Failures.of(e);
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }
}
