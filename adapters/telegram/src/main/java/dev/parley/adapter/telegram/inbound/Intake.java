package dev.parley.adapter.telegram.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Happened;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.turn.Attachment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Hands the updates of one poll to the gateway and tells how far they are settled. Chats are independent of each other; within a chat
 * an update is handed in only once the one before it is stored, so that the order stands even where storing one fails. What settled
 * behind one that did not is remembered and not handed in again. Takes one poll at a time.
 */
public final class Intake {
    /** Telegram slows a poll down that asks for the same offset sooner than this. */
    static final Duration LEAST_PAUSE = Duration.ofSeconds(3);

    /** An update that makes the gateway fail so often is left out: it would fail for ever. */
    private static final int MOST_FAILURES = 3;

    private final UpdateReader reader;
    private final FileFetch files;
    private final InboundListener listener;
    private final BiConsumer<String, Optional<String>> answers;
    private final Consumer<String> warnings;
    private final Executor executor;
    private final Set<Long> settledAhead = new HashSet<>();
    private final Map<Long, Integer> failures = new ConcurrentHashMap<>();

    /**
     * An intake for one bot.
     *
     * @param reader reads updates
     * @param files fetches what comes with messages
     * @param listener takes what was read
     * @param answers answers the press of a button, by its query's id, with a hint where it was of no use
     * @param warnings takes one line for each update that cannot be read
     * @param executor runs what may block
     */
    public Intake(
            UpdateReader reader,
            FileFetch files,
            InboundListener listener,
            BiConsumer<String, Optional<String>> answers,
            Consumer<String> warnings,
            Executor executor) {
        this.reader = reader;
        this.files = files;
        this.listener = listener;
        this.answers = answers;
        this.warnings = warnings;
        this.executor = executor;
    }

    /**
     * How far the updates of a poll are settled.
     *
     * @param next the offset that confirms everything up to the first one that is not; absent where that is the very first
     * @param pause how long to wait before the rest is asked for again; absent where all are settled
     */
    public record Outcome(OptionalLong next, Optional<Duration> pause) {}

    /** What became of one update: settled, or to be offered again after a time. */
    private record Settlement(Optional<Duration> again) {
        static final Settlement DONE = new Settlement(Optional.empty());

        static Settlement later(Duration pause) {
            return new Settlement(Optional.of(pause.compareTo(LEAST_PAUSE) < 0 ? LEAST_PAUSE : pause));
        }
    }

    private record Offered(long id, CompletableFuture<Settlement> settlement) {}

    /** Hands updates in, in their order; completes once each is settled or put off, and never exceptionally. */
    public CompletionStage<Outcome> take(List<JsonNode> updates) {
        Map<String, CompletableFuture<Settlement>> lastOfChat = new HashMap<>();
        List<Offered> offered = new ArrayList<>();
        for (JsonNode update : updates) {
            JsonNode id = update.path("update_id");
            if (!id.isIntegralNumber()) {
                warnings.accept("An update without an id was left out.");
            } else if (settledAhead.contains(id.asLong())) {
                offered.add(new Offered(id.asLong(), CompletableFuture.completedFuture(Settlement.DONE)));
            } else {
                offered.add(new Offered(id.asLong(), offer(update, lastOfChat)));
            }
        }
        CompletableFuture<?>[] all = offered.stream().map(Offered::settlement).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(all).thenApply(done -> outcome(offered));
    }

    private CompletableFuture<Settlement> offer(
            JsonNode update, Map<String, CompletableFuture<Settlement>> lastOfChat) {
        Incoming incoming = reader.read(update);
        long id = update.path("update_id").asLong();
        if (incoming instanceof Incoming.Message message) {
            return inOrder(message.source().chatId(), lastOfChat, id, () -> handIn(message));
        }
        if (incoming instanceof Incoming.Event event) {
            return inOrder(event.source().chatId(), lastOfChat, id, () -> handIn(event));
        }
        if (incoming instanceof Incoming.Unreadable unreadable) {
            warnings.accept(
                    "The update " + update.path("update_id").asText() + " was left out: " + unreadable.why() + ".");
        }
        return CompletableFuture.completedFuture(Settlement.DONE);
    }

    private interface Step {
        CompletionStage<Settlement> run();
    }

    private CompletableFuture<Settlement> inOrder(
            String chat, Map<String, CompletableFuture<Settlement>> lastOfChat, long id, Step step) {
        CompletableFuture<Settlement> before =
                lastOfChat.getOrDefault(chat, CompletableFuture.completedFuture(Settlement.DONE));
        CompletableFuture<Settlement> mine =
                before.thenCompose(settlement -> settlement.again().isPresent()
                        ? CompletableFuture.completedFuture(settlement)
                        : CompletableFuture.completedFuture(id)
                                .thenCompose(same -> step.run())
                                .exceptionally(failure -> failed(id, failure)));
        lastOfChat.put(chat, mine);
        return mine;
    }

    private Settlement failed(long id, Throwable failure) {
        if (failures.merge(id, 1, Integer::sum) < MOST_FAILURES) {
            return Settlement.later(LEAST_PAUSE);
        }
        failures.remove(id);
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        warnings.accept("The update " + id + " was left out: the gateway failed with it, with a "
                + cause.getClass().getSimpleName() + ".");
        return Settlement.DONE;
    }

    private CompletionStage<Settlement> handIn(Incoming.Message message) {
        if (message.files().isEmpty()) {
            return receive(message, List.of());
        }
        return CompletableFuture.supplyAsync(() -> files.fetch(message.files()), executor)
                .thenCompose(fetched -> receive(message, fetched));
    }

    private CompletionStage<Settlement> receive(Incoming.Message message, List<Attachment> attachments) {
        Received received = new Received(
                message.source(),
                message.text(),
                attachments,
                Optional.of(message.messageId()),
                message.sentAt(),
                message.replyTo(),
                message.mentioned(),
                List.of());
        return listener.receive(received, AnswerListener.NONE).thenApply(Intake::settlement);
    }

    private CompletionStage<Settlement> handIn(Incoming.Event event) {
        Happened happened = new Happened(event.source(), event.event(), Optional.of(event.eventId()));
        return listener.happened(happened).thenApply(receipt -> {
            Settlement settlement = settlement(receipt);
            if (settlement.again().isEmpty()) {
                Optional<String> hint =
                        receipt instanceof Receipt.Refused ? Optional.of("This question is closed.") : Optional.empty();
                event.query().ifPresent(query -> executor.execute(() -> answers.accept(query, hint)));
            }
            return settlement;
        });
    }

    private static Settlement settlement(Receipt receipt) {
        if (receipt instanceof Receipt.Unavailable) {
            return Settlement.later(LEAST_PAUSE);
        }
        if (receipt instanceof Receipt.TurnedAway away) {
            return Settlement.later(away.retryAfter().orElse(LEAST_PAUSE));
        }
        return Settlement.DONE;
    }

    private Outcome outcome(List<Offered> offered) {
        OptionalLong next = OptionalLong.empty();
        Optional<Duration> pause = Optional.empty();
        for (Offered each : offered) {
            Optional<Duration> again = each.settlement().join().again();
            if (again.isEmpty() && pause.isEmpty()) {
                next = OptionalLong.of(each.id() + 1);
            } else if (again.isEmpty()) {
                settledAhead.add(each.id());
            } else if (pause.filter(p -> p.compareTo(again.get()) >= 0).isEmpty()) {
                pause = again;
            }
        }
        long passed = next.orElse(Long.MIN_VALUE);
        settledAhead.removeIf(id -> id < passed);
        failures.keySet().removeIf(id -> id < passed);
        return new Outcome(next, pause);
    }
}
