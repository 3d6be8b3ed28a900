package dev.parley.adapter.telegram.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.ChatOrder;
import dev.parley.adapter.kit.flow.ChatOrder.Item;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.HandingIn;
import dev.parley.adapter.kit.flow.Overheard;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.application.port.Happened;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Hands the updates of one poll to the gateway, in the order of each chat, and tells how far they are settled. Takes one poll at a
 * time.
 */
public final class Intake {
    /** Telegram slows a poll down that asks for the same offset sooner than this. */
    static final Duration LEAST_PAUSE = Duration.ofSeconds(3);

    private final UpdateReader reader;
    private final InboundListener listener;
    private final Overheard overheard;
    private final HandingIn handing;
    private final BiConsumer<String, Optional<String>> answers;
    private final Consumer<String> warnings;
    private final Executor executor;
    private final ChatOrder order;

    /**
     * An intake for one bot.
     *
     * @param reader reads updates
     * @param files fetches what comes with messages
     * @param listener takes what was read
     * @param overheard keeps what is not for the agent until something is
     * @param answers answers the press of a button, by its query's id, with a hint where it was of no use
     * @param warnings takes one line for each update that cannot be read
     * @param executor runs what may block
     */
    public Intake(
            UpdateReader reader,
            FileFetch files,
            InboundListener listener,
            Overheard overheard,
            BiConsumer<String, Optional<String>> answers,
            Consumer<String> warnings,
            Executor executor) {
        this.reader = reader;
        this.listener = listener;
        this.overheard = overheard;
        this.handing = new HandingIn(files, listener, executor, LEAST_PAUSE, overheard);
        this.answers = answers;
        this.warnings = warnings;
        this.executor = executor;
        this.order = new ChatOrder(LEAST_PAUSE, line -> warnings.accept("The update " + line));
    }

    /**
     * How far the updates of a poll are settled.
     *
     * @param next the offset that confirms everything up to the first one that is not; absent where that is the very first
     * @param pause how long to wait before the rest is asked for again; absent where all are settled
     */
    public record Outcome(OptionalLong next, Optional<Duration> pause) {}

    /** Hands updates in, in their order; completes once each is settled or put off, and never exceptionally. */
    public CompletionStage<Outcome> take(List<JsonNode> updates) {
        List<Long> ids = new ArrayList<>();
        List<Item> items = new ArrayList<>();
        for (JsonNode update : updates) {
            JsonNode id = update.path("update_id");
            if (id.isIntegralNumber()) {
                ids.add(id.asLong());
                items.add(item(update, id.asText()));
            } else {
                warnings.accept("An update without an id was left out.");
            }
        }
        return order.take(items)
                .thenApply(outcome -> new Outcome(
                        outcome.settledFirst() == 0
                                ? OptionalLong.empty()
                                : OptionalLong.of(ids.get(outcome.settledFirst() - 1) + 1),
                        outcome.pause()));
    }

    private Item item(JsonNode update, String id) {
        Incoming incoming = reader.read(update);
        if (incoming instanceof Incoming.Message message) {
            return new Item(message.message().source().chatId(), id, () -> handing.message(message.message()));
        }
        if (incoming instanceof Incoming.Overheard said) {
            return new Item(said.message().source().chatId(), id, () -> handing.overheard(said.message()));
        }
        if (incoming instanceof Incoming.Event event) {
            return new Item(event.source().chatId(), id, () -> handIn(event));
        }
        // Of no chat: settled whatever becomes of others.
        return new Item("update " + id, id, () -> {
            if (incoming instanceof Incoming.Unreadable unreadable) {
                warnings.accept("The update " + id + " was left out: " + unreadable.why() + ".");
            }
            return CompletableFuture.completedFuture(Settlement.DONE);
        });
    }

    private CompletionStage<Settlement> handIn(Incoming.Event event) {
        overheard.happened(event.source(), event.event());
        Happened happened = new Happened(event.source(), event.event(), Optional.of(event.eventId()));
        return listener.happened(happened).thenApply(receipt -> {
            Settlement settlement = Settlement.of(receipt, LEAST_PAUSE);
            if (settlement.again().isEmpty()) {
                Optional<String> hint =
                        receipt instanceof Receipt.Refused ? Optional.of("This question is closed.") : Optional.empty();
                event.query().ifPresent(query -> executor.execute(() -> answers.accept(query, hint)));
            }
            return settlement;
        });
    }
}
