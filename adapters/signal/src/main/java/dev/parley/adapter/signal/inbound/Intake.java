package dev.parley.adapter.signal.inbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.ChatOrder;
import dev.parley.adapter.kit.flow.ChatOrder.Item;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.HandingIn;
import dev.parley.adapter.kit.flow.Overheard;
import dev.parley.adapter.kit.flow.ReadingThread;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.json.Nulls;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.spi.ProviderSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Takes what the daemon hands over, keeps it in the spool, and hands it to the gateway in the order of each chat, in a thread of its own.
 * While the gateway cannot store, the spool takes what comes, as long as it has room.
 */
public final class Intake {
    /** Whether more is to be received. */
    public interface Flow {
        /** Nothing more, as soon as nothing is on its way. */
        void hold();

        /** More. */
        void resume();
    }

    private static final Duration LEAST_PAUSE = Duration.ofSeconds(1);
    private static final Backoff NOT_STORED = new Backoff(LEAST_PAUSE, 6);
    private static final Duration NOTHING = Duration.ofMinutes(10);
    /** How much is under way at once. */
    private static final int ROOM = 256;

    private final EnvelopeReader reader;
    private final ProviderSettings settings;
    private final Consumer<String> warnings;
    private final Spool spool;
    private final HandingIn handing;
    private final Overheard overheard;
    private final ChatOrder order;
    private final ReadingThread thread;
    private volatile boolean idle;

    /**
     * An intake that does not run yet.
     *
     * @param reader reads events
     * @param file where events wait
     * @param files fetches what comes with messages
     * @param listener takes what was read
     * @param overheard keeps what is not for the agent until something is
     * @param settings what the platform was made with
     * @param warnings takes one line for everything an operator should know
     */
    public Intake(
            EnvelopeReader reader,
            Path file,
            FileFetch files,
            InboundListener listener,
            Overheard overheard,
            ProviderSettings settings,
            Consumer<String> warnings) {
        this.reader = reader;
        this.settings = settings;
        this.warnings = warnings;
        this.spool = new Spool(file, warnings);
        this.overheard = overheard;
        this.handing = new HandingIn(files, listener, settings.executor(), LEAST_PAUSE, overheard);
        this.order = new ChatOrder(LEAST_PAUSE, line -> warnings.accept("The message " + line));
        this.thread = new ReadingThread("signal-hand-in", settings.timers(), settings.ids(), this::failed);
    }

    /** Begins with what an earlier process left. */
    public void start(Flow flow) {
        spool.open();
        thread.start(() -> run(flow));
    }

    /** Ends within two seconds; what is not settled by then is handed in after the next start. */
    public void stop() {
        thread.stop();
        spool.close();
    }

    /**
     * Takes an event; returns once it is on disk, or left out.
     *
     * @return false where no more can be kept until {@link Flow#resume} says so
     */
    boolean take(String data) {
        JsonNode events;
        try {
            events = Nulls.dropped(Json.MAPPER.readTree(data));
        } catch (JsonProcessingException e) {
            warnings.accept("An event of signal-cli was left out: it is no Json.MAPPER.");
            return true;
        }
        boolean room = true;
        for (JsonNode event : events.isArray() ? events : List.of(events)) {
            room &= take(event);
        }
        return room;
    }

    private boolean take(JsonNode event) {
        Incoming incoming = reader.read(event);
        if (incoming instanceof Incoming.Unreadable unreadable) {
            warnings.accept("An event of signal-cli was left out: " + unreadable.why() + ".");
            return true;
        }
        if (incoming instanceof Incoming.PassedOver) {
            return true;
        }
        if (incoming instanceof Incoming.Overheard said) {
            // Kept in memory alone: what is not for the agent is never written down.
            var unused = handing.overheard(said.message());
            return true;
        }
        if (incoming instanceof Incoming.Event happening
                && overheard.has(happening.what().source(), happening.what().event())) {
            overheard.happened(happening.what().source(), happening.what().event());
            return true;
        }
        spool.add(event);
        if (idle) {
            thread.wake();
        }
        return !spool.isFull();
    }

    private void run(Flow flow) {
        int failures = 0;
        while (!thread.isStopped()) {
            List<Spool.Entry> waiting = spool.first(ROOM);
            if (waiting.isEmpty()) {
                flow.resume();
                idle = true;
                if (spool.isEmpty()) {
                    thread.pause(NOTHING);
                }
                idle = false;
                continue;
            }
            try {
                ChatOrder.Outcome outcome = offer(waiting);
                spool.settle(outcome.settledFirst());
                if (!spool.isFull()) {
                    flow.resume();
                }
                if (outcome.pause().isPresent()) {
                    Duration pause = NOT_STORED.pause(failures++, settings.ids());
                    Duration asked = outcome.pause().get();
                    thread.pause(pause.compareTo(asked) > 0 ? pause : asked);
                } else {
                    failures = 0;
                }
            } catch (InterruptedException e) {
                // Only stopping interrupts; the loop looks.
            } catch (ExecutionException | RejectedExecutionException e) {
                failed(e);
                thread.pause(NOT_STORED.pause(failures++, settings.ids()));
            }
        }
    }

    private void failed(Throwable thrown) {
        warnings.accept(
                "What Signal handed over could not be handed in (" + StrippedFailure.line(thrown) + "); trying again.");
    }

    private ChatOrder.Outcome offer(List<Spool.Entry> waiting) throws InterruptedException, ExecutionException {
        List<Item> items = new ArrayList<>();
        waiting.forEach(entry -> items.add(item(entry)));
        // Stopping interrupts this thread; what stores a message must not be interrupted.
        return CompletableFuture.supplyAsync(() -> order.take(items), settings.executor())
                .thenCompose(taken -> taken)
                .get();
    }

    private Item item(Spool.Entry entry) {
        String id = String.valueOf(entry.number());
        Incoming incoming = reader.read(entry.event());
        if (incoming instanceof Incoming.Message message) {
            return new Item(message.message().source().chatId(), id, () -> handing.message(message.message()));
        }
        if (incoming instanceof Incoming.Event event) {
            return new Item(event.what().source().chatId(), id, () -> handing.happened(event.what()));
        }
        // What is configured has changed since it was handed over.
        return new Item("event " + id, id, () -> CompletableFuture.completedFuture(Settlement.DONE));
    }
}
