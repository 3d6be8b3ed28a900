package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Messages that are handed in over HTTP, and what is told of them to those who wait on a connection. Safe for concurrent use. */
final class Messages {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final String KEPT = "The message is kept and will be answered; ask GET /v1/messages for the answer.";
    private static final String AGAIN =
            "The message is not kept; hand it in again, with the same 'message_id' if it had one.";

    private final ProviderSettings settings;
    private final HttpSettings http;
    private final SentMessages sentMessages;
    private final InboundListener listener;
    private final Map<EventStream, Chat> streams = new ConcurrentHashMap<>();
    private final Map<Long, CompletableFuture<Receipt>> receipts = new ConcurrentHashMap<>();
    private final AtomicLong handedIn = new AtomicLong();
    private final Set<WaitingAnswer> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    private record Chat(Platform platform, String chatId) {}

    Messages(ProviderSettings settings, HttpSettings http, SentMessages sentMessages, InboundListener listener) {
        this.settings = settings;
        this.http = http;
        this.sentMessages = sentMessages;
        this.listener = listener;
    }

    /** Tells those who wait on a connection that no more will come on it. */
    void stop() {
        stopping = true;
        receipts.values().forEach(receipt -> receipt.complete(new Receipt.Unavailable(Responses.STOPPING)));
        waiting.forEach(answer -> answer.giveUp("The gateway is stopping. " + KEPT));
        streams.keySet().forEach(stream -> stream.fail("The gateway is stopping. " + KEPT));
    }

    /** Tells a message to those who wait for an answer in its chat; the answer of a turn itself they are told otherwise. */
    void tell(Outgoing message) {
        if (message.turn().isPresent() && message.kind() == Outgoing.Kind.REPLY) {
            return;
        }
        Chat chat = new Chat(message.platform(), message.chatId());
        streams.forEach((stream, of) -> {
            if (of.equals(chat)) {
                stream.tell(message);
            }
        });
    }

    /** Returns whether those who wait were told that no more comes. */
    boolean isStopping() {
        return stopping;
    }

    private GatewayInspection inspection() {
        return settings.inspection();
    }

    private Guard.Caller caller(Context ctx) {
        Guard.Caller caller = ctx.attribute(Gate.CALLER);
        if (caller == null) {
            throw new IllegalStateException("Nobody is admitted without a token: " + ctx.path());
        }
        return caller;
    }

    /** Takes a message, and answers as its sender wishes: at once, with the answer, or with a stream of what happens. */
    CompletableFuture<@Nullable Void> post(Context ctx) throws IOException {
        MessageRequest request =
                MessageRequest.read(Json.object(body(ctx)), caller(ctx).platforms());
        String accept = Optional.ofNullable(ctx.req().getHeader("Accept")).orElse("");
        if (accept.toLowerCase(Locale.ROOT).contains("text/event-stream")) {
            return stream(ctx, request);
        }
        return request.waits() && !prefersAsync(ctx) ? answer(ctx, request) : accept(ctx, request);
    }

    private static boolean prefersAsync(Context ctx) {
        return Optional.ofNullable(ctx.req().getHeader("Prefer"))
                .orElse("")
                .toLowerCase(Locale.ROOT)
                .contains("respond-async");
    }

    private static byte[] body(Context ctx) {
        byte[] body = ctx.attribute(Gate.BODY);
        return body == null ? new byte[0] : body;
    }

    /** Hands a message in. A stop that overtakes the receipt is told instead of it, however early it comes. */
    private CompletableFuture<Receipt> receipt(MessageRequest request, AnswerListener answer) {
        CompletableFuture<Receipt> told = new CompletableFuture<>();
        long number = handedIn.incrementAndGet();
        receipts.put(number, told);
        if (stopping) {
            stop();
        }
        settings.executor().execute(() -> handIn(request.received(), answer, told));
        return told.whenCompleteAsync((receipt, failure) -> receipts.remove(number), settings.executor());
    }

    private void handIn(Received message, AnswerListener answer, CompletableFuture<Receipt> told) {
        try {
            var unused = listener.receive(message, answer).whenComplete((receipt, failure) -> {
                if (failure == null) {
                    told.complete(receipt);
                } else {
                    told.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error e) {
            told.completeExceptionally(e);
        }
    }

    private CompletableFuture<@Nullable Void> accept(Context ctx, MessageRequest request) {
        return receipt(request, AnswerListener.NONE).thenAccept(receipt -> {
            if (!refused(ctx, receipt)) {
                boolean duplicate = receipt instanceof Receipt.Duplicate;
                Responses.json(ctx, duplicate ? 200 : 202, taken(receipt).put("status", "accepted"));
            }
        });
    }

    private CompletableFuture<@Nullable Void> answer(Context ctx, MessageRequest request) {
        WaitingAnswer answer = new WaitingAnswer();
        return receipt(request, answer).thenCompose(receipt -> answered(ctx, receipt, answer));
    }

    private CompletableFuture<@Nullable Void> answered(Context ctx, Receipt receipt, WaitingAnswer answer) {
        if (refused(ctx, receipt)) {
            return CompletableFuture.completedFuture(null);
        }
        if (receipt instanceof Receipt.Duplicate) {
            Responses.json(ctx, 200, taken(receipt).put("status", "accepted"));
            return CompletableFuture.completedFuture(null);
        }
        waiting.add(answer);
        Timers.Timer limit = settings.timers()
                .after(
                        http.answerLimit(),
                        () -> answer.giveUp(
                                "No answer within " + http.answerLimit().toSeconds() + " seconds. " + KEPT));
        if (stopping) {
            stop();
        }
        return answer.outcome()
                .thenAcceptAsync(
                        outcome -> {
                            waiting.remove(answer);
                            limit.cancel();
                            boolean gaveUp = outcome.path("status").asText().equals("waiting");
                            Responses.json(
                                    ctx, gaveUp ? 202 : 200, taken(receipt).setAll(outcome));
                        },
                        settings.executor());
    }

    private CompletableFuture<@Nullable Void> stream(Context ctx, MessageRequest request) {
        EventStream stream = new EventStream(settings.executor());
        return receipt(request, stream).thenCompose(receipt -> streamed(ctx, request, receipt, stream));
    }

    private CompletableFuture<@Nullable Void> streamed(
            Context ctx, MessageRequest request, Receipt receipt, EventStream stream) {
        if (refused(ctx, receipt)) {
            return CompletableFuture.completedFuture(null);
        }
        ctx.res().setStatus(200);
        ctx.res().setContentType("text/event-stream");
        ctx.res().setCharacterEncoding("UTF-8");
        ctx.res().setHeader("Cache-Control", "no-cache");
        ctx.res().setHeader("X-Accel-Buffering", "no");
        OutputStream out;
        try {
            out = ctx.res().getOutputStream();
        } catch (IOException callerIsGone) {
            return CompletableFuture.completedFuture(null);
        }
        streams.put(
                stream,
                new Chat(
                        request.received().source().platform(),
                        request.received().source().chatId()));
        stream.open(out, "admitted", taken(receipt));
        if (receipt instanceof Receipt.Duplicate) {
            stream.end();
        }
        if (stopping) {
            stop();
        }
        beat(stream);
        return stream.ended().thenRun(() -> streams.remove(stream));
    }

    private void beat(EventStream stream) {
        Timers.Timer next = settings.timers().after(HEARTBEAT, () -> {
            if (!stream.ended().isDone()) {
                stream.heartbeat();
                beat(stream);
            }
        });
        var unused = stream.ended().thenRun(next::cancel);
    }

    private static ObjectNode taken(Receipt receipt) {
        if (receipt instanceof Receipt.Admitted admitted) {
            return taken(admitted.id(), admitted.lane(), false);
        }
        if (receipt instanceof Receipt.Duplicate duplicate) {
            return taken(duplicate.id(), duplicate.lane(), true);
        }
        throw new IllegalStateException("Not taken: " + receipt);
    }

    private static ObjectNode taken(InboundId id, SessionKey lane, boolean duplicate) {
        return Json.object().put("id", id.value()).put("lane", lane.value()).put("duplicate", duplicate);
    }

    /** Answers where the message was not taken; returns whether it was not. */
    private static boolean refused(Context ctx, Receipt receipt) {
        if (receipt instanceof Receipt.Refused refused) {
            Responses.error(ctx, 403, refused.why());
            return true;
        }
        if (receipt instanceof Receipt.TurnedAway away) {
            ctx.header("Retry-After", seconds(away.retryAfter()));
            Responses.error(ctx, 429, away.why() + " " + AGAIN);
            return true;
        }
        if (receipt instanceof Receipt.Unavailable unavailable) {
            Responses.error(ctx, 503, unavailable.why());
            return true;
        }
        return false;
    }

    private static String seconds(Optional<Duration> wait) {
        return wait.map(time -> String.valueOf(Math.max(1, time.plusMillis(999).toSeconds())))
                .orElse(Responses.RETRY_SECONDS);
    }

    /** Lists what was sent to a chat, or writes a file of it. */
    void list(Context ctx) {
        Set<Platform> allowed = caller(ctx).platforms();
        Platform platform = Queries.text(ctx, "platform")
                .map(Platform::of)
                .orElse(
                        allowed.contains(Platform.WEBHOOK)
                                ? Platform.WEBHOOK
                                : allowed.iterator().next());
        if (!allowed.contains(platform)) {
            throw new Rejected(403, "This token may not read messages of the platform '" + platform + "'.");
        }
        String chat = Queries.text(ctx, "chat_id")
                .orElseThrow(() -> new Rejected(400, "'chat_id' is missing: whose messages?"));
        Optional<OutgoingId> named = Queries.text(ctx, "message").map(OutgoingId::new);
        if (named.isPresent()) {
            file(ctx, platform, chat, named.get());
            return;
        }
        SentMessages.Page page = sentMessages.read(
                platform,
                chat,
                Queries.text(ctx, "after").map(OutgoingId::new),
                Queries.number(ctx, "limit", 100, 1, Queries.MOST_ROWS),
                inspection().queue(),
                settings.clock().instant());
        ObjectNode body = Json.object();
        ArrayNode rows = body.putArray("messages");
        page.messages().forEach(message -> rows.add(LiveRows.outgoing(message)));
        Responses.json(ctx, 200, body.put("gap", page.gap()));
    }

    private void file(Context ctx, Platform platform, String chat, OutgoingId named) {
        Outgoing message = sentMessages
                .read(
                        platform,
                        chat,
                        Optional.empty(),
                        Integer.MAX_VALUE,
                        inspection().queue(),
                        settings.clock().instant())
                .messages()
                .stream()
                .filter(each -> each.id().equals(named))
                .findFirst()
                .orElseThrow(() ->
                        new Rejected(404, "The chat has no message " + OneLine.quoted(named.value()) + " any more."));
        SentFiles.write(ctx, message, Queries.number(ctx, "file", 1, 1, Queries.MOST_ROWS), settings.media());
    }
}
